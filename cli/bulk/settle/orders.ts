import { type OrderWithTimeline, RelayRefused } from '../../../client/index.ts';
import type { CsvFile } from '../file/csv-file.ts';
import type { Item, SettleLayout } from '../file/layout.ts';
import { forEach, type LineProblem, type Look, ordersOf, refuseLines } from '../file/orders.ts';
import type { ReadCells, Reading } from '../file/reading.ts';
import { rowsOf } from '../file/rows.ts';
import { isOfPayment, SESSION } from './layout.ts';

/** What the rows need of an order. */
type Known = { session: string | undefined; transactions: string[]; isUndecided: boolean; status: string };

/** The orders of a file, by their numbers; undefined for one that the relay does not have. */
export type OrdersToSettle = ReadonlyMap<string, Known | undefined>;

/** Looks up the orders of a file. Rejects as the client does. */
export async function ordersToSettle(
  csv: CsvFile,
  layout: SettleLayout,
  { client, atOnce }: Look,
): Promise<OrdersToSettle> {
  const found = new Map<string, Known | undefined>();
  await forEach([...(await ordersOf(csv, layout, ({ order_no }) => order_no || undefined))], atOnce, async (order) => {
    found.set(order, await client.orders.get(order).then(knownOf, absent));
  });
  return found;
}

function absent(error: unknown): undefined {
  if (!(error instanceof RelayRefused && error.code === 'not_found')) throw error;
}

function knownOf({ sessions, payments, status, undecided }: OrderWithTimeline): Known {
  const waiting = sessions.filter(
    (session) => session.unknown || session.pending || session.attempts.some((one) => open.includes(one.status)),
  );
  return {
    session: (waiting.at(-1) ?? sessions.at(-1))?.id,
    transactions: payments.map(({ transaction_id }) => transaction_id),
    isUndecided: waiting.length > 0 || undecided !== undefined,
    status,
  };
}

const open: readonly string[] = ['redirected', 'pending', 'unknown'];

/** Adds the session of its order to a row, or the payment. */
export function completeFrom(orders: OrdersToSettle): Reading['complete'] {
  return (cells) => {
    const problem = (column: string, message: string): ReadCells => ({
      cells: { ...cells },
      problems: [{ column, message }],
    });
    const { order_no = '', decision, transaction_id } = cells;
    if (order_no === '') return { cells: { ...cells }, problems: [] };
    const order = orders.get(order_no);
    if (!order) return problem('order_no', 'is no order of the relay');
    if (!isOfPayment(decision)) {
      const { session } = order;
      if (session === undefined) return problem('order_no', 'has no session');
      return { cells: { ...cells, [SESSION]: session }, problems: [] };
    }
    const [payment, second] = order.transactions;
    if (payment === undefined) return problem('order_no', 'has no payment');
    if (transaction_id) {
      const isOwn = order.transactions.includes(transaction_id);
      return isOwn ? { cells: { ...cells }, problems: [] } : problem('transaction_id', 'is no payment of the order');
    }
    if (second !== undefined) return problem('transaction_id', 'must name one of the order’s payments');
    return { cells: { ...cells, transaction_id: payment }, problems: [] };
  };
}

/** Throws UsageError with the rows that decide an order which has nothing undecided. */
export async function checkUndecided(
  csv: CsvFile,
  layout: SettleLayout,
  reading: Reading,
  isToSend: (id: string) => boolean,
  orders: OrdersToSettle,
): Promise<void> {
  const problems: LineProblem[] = [];
  for await (const read of rowsOf(csv, layout, reading)) {
    if (!read.ok || !isToSend(read.row.id)) continue;
    const message = refusalOf(read.row.item, orders);
    if (message !== undefined) problems.push({ line: read.row.line, column: 'order_no', message });
  }
  refuseLines(problems, `${problems.length} of ${orders.size} orders`);
}

function refusalOf({ order_no = '', decision }: Item, orders: OrdersToSettle): string | undefined {
  const order = orders.get(order_no);
  if (!order || order.isUndecided || isOfPayment(decision)) return undefined;
  return `nothing of the order is undecided: it is ${order.status}`;
}

import { type Client, type OrderPaymentAnswer, RelayRefused } from '../../../client/index.ts';
import { fromMinor, toMinor } from '../../../shared/gateway/amounts.ts';
import { UsageError } from '../../base/errors.ts';
import type { CsvFile } from './csv-file.ts';
import type { Item, Layout } from './layout.ts';
import { orderToLookUp, type Reading, readHeading } from './reading.ts';
import { cellsOf, rowsOf } from './rows.ts';

/** The payments of the orders that rows name without a `transaction_id`. Rejects as the client does. */
export async function paymentsByOrder(
  csv: CsvFile,
  layout: Layout,
  client: Client,
  atOnce: number,
): Promise<Reading['payments']> {
  const orders = new Set<string>();
  const heading = await readHeading(csv, layout);
  let isHeading = true;
  for await (const { cells } of csv.records()) {
    const order = isHeading ? undefined : orderToLookUp(cellsOf(cells, heading));
    if (order !== undefined) orders.add(order);
    isHeading = false;
  }
  const found = new Map<string, OrderPaymentAnswer | string>();
  await forEach([...orders], atOnce, async (order) => {
    const { payments } = await client.payments.list({ order_no: order, limit: 2 });
    const [payment] = payments;
    if (payment && payments.length === 1) found.set(order, payment);
    else found.set(order, payment ? 'has several payments: name one by its transaction_id' : 'has no payment');
  });
  return found;
}

/** What the relay does not know of the payments of a file. */
type Permitted = { unknown: number; isAsked: boolean };

/**
 * Asks the relay whether the payments permit what the rows ask for: how much is refundable, or capturable. Throws UsageError with the
 * lines that it would refuse.
 */
export async function checkPayments(
  csv: CsvFile,
  layout: Layout,
  reading: Reading,
  { isToSend, client, atOnce }: { isToSend: (id: string) => boolean; client: Client; atOnce: number },
): Promise<Permitted> {
  const asked = new Map<string, { line: number; sum: bigint; currency: string }>();
  for await (const read of rowsOf(csv, layout, reading)) {
    if (!read.ok || !isToSend(read.row.id)) continue;
    const { item, line } = read.row;
    const { transaction_id = '', currency = '' } = item;
    const before = asked.get(transaction_id)?.sum ?? 0n;
    asked.set(transaction_id, { line, currency, sum: before + moved(item, layout) });
  }
  const problems: { line: number; path: string; message: string }[] = [];
  let [unknown, isAsked] = [0, true];
  await forEach([...asked], atOnce, async ([transaction, { line, sum, currency }]) => {
    const payment = isAsked ? await client.payments.get(transaction).catch(absent) : undefined;
    if (payment === 'missing_scope') isAsked = false;
    else if (payment === 'not_found') unknown += 1;
    else if (payment) {
      const message = refusalOf(payment, layout, sum, currency);
      if (message !== undefined) problems.push({ line, path: `line ${line}, ${layout.amount}`, message });
    }
  });
  if (problems.length === 0) return { unknown, isAsked };
  const shown = problems
    .toSorted((one, other) => one.line - other.line)
    .map(({ path, message }) => ({ path, message }));
  throw new UsageError(
    `The relay would refuse rows of ${problems.length} of ${asked.size} payments.`,
    'Nothing was sent.',
    shown.slice(0, 20),
  );
}

function moved(item: Item, { amount }: Layout): bigint {
  return toMinor(item[amount] ?? '0', item.currency ?? '');
}

/** Why the relay would refuse a sum of a payment, as far as its sums tell. */
function refusalOf(payment: OrderPaymentAnswer, { name }: Layout, sum: bigint, currency: string): string | undefined {
  const { status, refundable, capturable } = payment;
  if (payment.currency !== currency) return `the payment’s currency is ${payment.currency}`;
  if (name === 'review') return status === 'held' ? undefined : `the payment is ${status}, not held`;
  const left = name === 'refund' ? refundable : capturable;
  const most = toMinor(left, currency);
  const isTooMuch = name === 'cancel' ? most === 0n : sum > most;
  const word = name === 'refund' ? 'refundable' : 'capturable';
  return isTooMuch
    ? `the payment is ${status}, and ${left} ${currency} is ${word}; the file asks for ${fromMinor(sum, currency)}`
    : undefined;
}

/** Payments that the relay does not know, or does not show to this key. Throws other errors. */
function absent(error: unknown): 'not_found' | 'missing_scope' {
  const code = error instanceof RelayRefused ? error.code : undefined;
  if (code === 'not_found') return 'not_found';
  if (code === 'missing_scope') return 'missing_scope';
  throw error;
}

/** Works through a list, several at once. Rejects with the first error. */
export async function forEach<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

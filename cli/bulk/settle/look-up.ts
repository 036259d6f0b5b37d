import { type OperationAnswer, type OrderWithTimeline, RelayRefused } from '../../../client/index.ts';
import type { CsvFile } from '../file/csv-file.ts';
import type { Item, SettleLayout } from '../file/layout.ts';
import { forEach, type LineProblem, type LookUp, namedIn, refuseLines } from '../file/look-up-names.ts';
import type { ReadCells, Reading } from '../file/reading.ts';
import { type Row, rowsOf } from '../file/rows.ts';
import { type Decided, decidedAt, orderDecidedAt, stillRunning, undecidedAttempts, undecidedOf } from './decided.ts';
import { isOfOperation, isOfPayment, SESSION, subjectColumn, UNDECIDED } from './layout.ts';

/** The facts of an order that its rows need. */
type Known = {
  session: Session | undefined;
  isUndecided: boolean;
  status: string;
  decided: Decided;
  order: OrderWithTimeline;
};
type Session = Pick<OrderWithTimeline['sessions'][number], 'id' | 'currency'>;

/** The orders and operations of a file, by their numbers and ids; undefined for one that the relay does not have. */
export type SubjectsToSettle = {
  orders: ReadonlyMap<string, Known | undefined>;
  operations: ReadonlyMap<string, OperationAnswer | undefined>;
};

/** Looks up the orders and operations of a file. Rejects as the client does. */
export async function lookUpDecided(
  csv: CsvFile,
  layout: SettleLayout,
  { client, atOnce }: LookUp,
): Promise<SubjectsToSettle> {
  const orders = new Map<string, Known | undefined>();
  const operations = new Map<string, OperationAnswer | undefined>();
  await forEach([...(await namedIn(csv, layout, ({ order_no }) => order_no || undefined))], atOnce, async (order) => {
    orders.set(order, await client.orders.get(order).then(knownOf, absent));
  });
  await forEach(
    [...(await namedIn(csv, layout, ({ operation_id }) => operation_id || undefined))],
    atOnce,
    async (id) => {
      operations.set(id, await client.operations.get(id).catch(absent));
    },
  );
  return { orders, operations };
}

function absent(error: unknown): undefined {
  if (!(error instanceof RelayRefused && error.code === 'not_found')) throw error;
}

function knownOf(order: OrderWithTimeline): Known {
  const { sessions, payments, status, undecided } = order;
  const waiting = sessions.filter(
    (session) => session.unknown || session.pending || undecidedAttempts({ sessions: [session] }).length > 0,
  );
  const { id, currency } = waiting.at(-1) ?? sessions.at(-1) ?? {};
  return {
    session: id === undefined || currency === undefined ? undefined : { id, currency },
    isUndecided: waiting.length > 0 || undecided !== undefined,
    ...{ status, order },
    decided: {
      sessions: sessions.map(({ settled }) => ({ settled })),
      payments: payments.map(({ transaction_id, settled }) => ({ transaction_id, settled })),
    },
  };
}

/**
 * Returns a function that adds to a row the session or the payment that it decides. It refuses a row whose attempt began after the file
 * was written, and a row whose payment has another decision: the person who wrote it may have meant something else.
 * @param writtenMs when the file was last changed
 */
export function completeFrom({ orders, operations }: SubjectsToSettle, writtenMs: number): Reading['complete'] {
  return (cells) => {
    const problem = (column: string, message: string): ReadCells => ({
      cells: { ...cells },
      problems: [{ column, message }],
    });
    const { order_no = '', operation_id = '', decision, transaction_id } = cells;
    if (isOfOperation(decision) && operation_id !== '' && !operations.get(operation_id))
      return problem('operation_id', 'is no operation of the relay');
    if (isOfOperation(decision) || order_no === '') return { cells: { ...cells }, problems: [] };
    const order = orders.get(order_no);
    if (!order) return problem('order_no', 'is no order of the relay');
    if (!isOfPayment(decision)) {
      const { session } = order;
      if (session === undefined) return problem('order_no', 'has no session');
      const found = { ...cells, [SESSION]: session.id, [UNDECIDED]: undecidedOf(order.order, cells) };
      const isDone = orderDecidedAt(order.decided, withoutBlanks(found)) !== undefined;
      const later = undecidedAttempts(order.order).find(({ started_at }) => Date.parse(started_at) > writtenMs);
      if (later && !isDone)
        return problem(
          'order_no',
          'has an attempt that began after the file was written: check it, and save the file again',
        );
      return { cells: found, problems: [], currency: session.currency };
    }
    const transactions = order.decided.payments.map((payment) => payment.transaction_id);
    const [payment, second] = transactions;
    if (payment === undefined) return problem('order_no', 'has no payment');
    if (transaction_id && !transactions.includes(transaction_id))
      return problem('transaction_id', 'is no payment of the order');
    if (!transaction_id && second !== undefined)
      return problem('transaction_id', 'must name one of the order’s payments');
    const named = { ...cells, transaction_id: transaction_id || payment };
    const { settled } = order.decided.payments.find((one) => one.transaction_id === named.transaction_id) ?? {};
    if (settled && orderDecidedAt(order.decided, withoutBlanks(named)) === undefined)
      return problem('order_no', `was decided before (${settled.outcome}): use turnpike payments settle`);
    return { cells: { ...named, [UNDECIDED]: undecidedOf(order.order, named) }, problems: [] };
  };
}

function withoutBlanks(cells: Readonly<Record<string, string>>): Item {
  return Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== ''));
}

/** Whether the relay had the decision of a row when its order or operation was looked up. */
export function isDecided({ orders, operations }: SubjectsToSettle, item: Item): boolean {
  if (isOfOperation(item.decision)) {
    const operation = operations.get(item.operation_id ?? '');
    return operation !== undefined && decidedAt({ kind: 'operation', operation }, item) !== undefined;
  }
  const order = orders.get(item.order_no ?? '');
  return order !== undefined && orderDecidedAt(order.decided, item) !== undefined;
}

/** Throws UsageError with the rows that decide an order or operation which has nothing undecided. */
export async function checkUndecided(
  csv: CsvFile,
  layout: SettleLayout,
  reading: Reading,
  isToSend: (row: Row) => boolean,
  subjects: SubjectsToSettle,
): Promise<void> {
  const problems: LineProblem[] = [];
  for await (const read of rowsOf(csv, layout, reading)) {
    if (!read.ok || !isToSend(read.row)) continue;
    const { item, line } = read.row;
    const message = refusalOf(item, subjects);
    if (message !== undefined) problems.push({ line, column: subjectColumn(item), message });
  }
  refuseLines(
    problems,
    `${problems.length} of ${subjects.orders.size + subjects.operations.size} orders or operations`,
  );
}

function refusalOf(
  { order_no = '', operation_id = '', decision }: Item,
  { orders, operations }: SubjectsToSettle,
): string | undefined {
  const operation = isOfOperation(decision) ? operations.get(operation_id) : undefined;
  if (operation) {
    if (operation.unknown) return undefined;
    return stillRunning(operation) ?? `nothing of the operation is unknown: it is ${operation.status}`;
  }
  const order = orders.get(order_no);
  if (!order || order.isUndecided || isOfPayment(decision)) return undefined;
  return `nothing of the order is undecided: it is ${order.status}`;
}

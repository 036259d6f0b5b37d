import { type OrderPaymentAnswer, RelayRefused } from '../../../client/index.ts';
import { fromMinor, toMinor } from '../../../shared/gateway/amounts.ts';
import type { CsvFile } from './csv-file.ts';
import type { BatchLayout, Item } from './layout.ts';
import { forEach, type LineProblem, type LookUp, namedIn, refuseLines } from './look-up-names.ts';
import { isRounded, type Reading } from './reading.ts';
import { type Row, rowsOf } from './rows.ts';

/** Looks up the payments of the orders that rows name without a `transaction_id`. Rejects as the client does. */
export async function paymentsByOrder(
  csv: CsvFile,
  layout: BatchLayout,
  { client, atOnce }: LookUp,
): Promise<Reading['complete']> {
  const found = new Map<string, OrderPaymentAnswer | string>();
  await forEach([...(await namedIn(csv, layout, orderToLookUp))], atOnce, async (order) => {
    const { payments } = await client.payments.list({ order_no: order, limit: 2 });
    const [payment] = payments;
    if (payment && payments.length === 1) found.set(order, payment);
    else found.set(order, payment ? 'has several payments: name one by its transaction_id' : 'has no payment');
  });
  return (given) => {
    const cells = { ...given };
    const order = orderToLookUp(cells);
    if (order === undefined) return { cells, problems: [] };
    const payment = found.get(order) ?? 'was not looked up';
    if (typeof payment === 'string') return { cells, problems: [{ column: 'order_no', message: payment }] };
    const { transaction_id, currency, amount } = payment;
    const known: Readonly<Record<string, string>> = { transaction_id, currency, amount };
    for (const column of layout.fromOrder) cells[column] ||= known[column] ?? '';
    return { cells, problems: [] };
  };
}

/** The order by which a row names its payment, if it does not name the transaction. */
function orderToLookUp(cells: Readonly<Record<string, string>>): string | undefined {
  return cells.transaction_id || !cells.order_no || isRounded(cells.order_no) ? undefined : cells.order_no;
}

/** The number of payments of a file that the relay does not know. `isAsked` is false if the API key may not read payments. */
export type Permitted = { unknown: number; isAsked: boolean };

/**
 * Compares the rows with the refundable or capturable amounts of their payments. Throws UsageError with the lines that the relay would
 * refuse.
 */
export async function checkPayments(
  csv: CsvFile,
  layout: BatchLayout,
  reading: Reading,
  isToSend: (row: Row) => boolean,
  { client, atOnce }: LookUp,
): Promise<Permitted> {
  const asked = new Map<string, { line: number; sum: bigint; currency: string }>();
  for await (const read of rowsOf(csv, layout, reading)) {
    if (!read.ok || !isToSend(read.row)) continue;
    const { item, line } = read.row;
    const { transaction_id = '', currency = '' } = item;
    const before = asked.get(transaction_id)?.sum ?? 0n;
    asked.set(transaction_id, { line, currency, sum: before + moved(item, layout) });
  }
  const problems: LineProblem[] = [];
  let [unknown, isAsked] = [0, true];
  await forEach([...asked], atOnce, async ([transaction, { line, sum, currency }]) => {
    const payment = isAsked ? await client.payments.get(transaction).catch(absent) : undefined;
    if (payment === 'missing_scope') isAsked = false;
    else if (payment === 'not_found') unknown += 1;
    else if (payment) {
      const message = refusalOf(payment, layout, sum, currency);
      if (message !== undefined) problems.push({ line, column: layout.amount, message });
    }
  });
  refuseLines(problems, `${problems.length} of ${asked.size} payments`);
  return { unknown, isAsked };
}

function moved(item: Item, { amount }: BatchLayout): bigint {
  return toMinor(item[amount] ?? '0', item.currency ?? '');
}

/** Returns why the relay would refuse a sum of a payment, or undefined if the amounts of the payment permit it. */
function refusalOf(
  payment: OrderPaymentAnswer,
  { name }: BatchLayout,
  sum: bigint,
  currency: string,
): string | undefined {
  const { status, refundable, capturable } = payment;
  if (payment.currency !== currency) return `the payment’s currency is ${payment.currency}`;
  if (name === 'review') return status === 'held' ? undefined : `the payment is ${status}, not held`;
  const left = name === 'refund' ? refundable : capturable;
  const max = toMinor(left, currency);
  const isTooMuch = name === 'cancel' ? max === 0n : sum > max;
  const word = name === 'refund' ? 'refundable' : 'capturable';
  return isTooMuch
    ? `the payment is ${status}, and ${left} ${currency} is ${word}; the file asks for ${fromMinor(sum, currency)}`
    : undefined;
}

/** Returns the code for a payment that the relay does not know or does not show to this key. Throws other errors. */
function absent(error: unknown): 'not_found' | 'missing_scope' {
  const code = error instanceof RelayRefused ? error.code : undefined;
  if (code === 'not_found') return 'not_found';
  if (code === 'missing_scope') return 'missing_scope';
  throw error;
}

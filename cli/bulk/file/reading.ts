import type { OrderPaymentAnswer } from '../../../client/index.ts';
import { UsageError } from '../../base/errors.ts';
import { plain } from '../../base/output.ts';
import type { CsvFile } from './csv-file.ts';
import { type CellProblem, type Layout, REFERENCE, resultColumns } from './layout.ts';

/** How the cells of a file are read. */
export type Reading = {
  /** The sign before the decimals of amounts. */
  decimal: '.' | ',';
  /** The payment of each order that a row names without a `transaction_id`, or what is wrong with that order. */
  payments: ReadonlyMap<string, OrderPaymentAnswer | string>;
};

/** The heading of a file: its cells, and of each the column that it names; undefined for one that is kept and ignored. */
export type Heading = { cells: string[]; columns: (string | undefined)[]; ignored: string[] };

/** The heading of a file. Throws UsageError that names the column which is wrong. */
export async function readHeading(csv: CsvFile, layout: Layout): Promise<Heading> {
  for await (const { line, cells } of csv.records()) {
    const heading = headingOf(cells, layout);
    checkHeading(heading, layout, `${csv.path}, line ${line}`);
    return heading;
  }
  throw new UsageError(`${csv.path} is empty.`, `Its first line names the columns: ${layout.required.join(',')}.`);
}

/** The columns that the cells of a heading name, in letters of any case, with blanks for underscores: `Transaction ID`. */
export function headingOf(cells: string[], { columns }: Layout): Heading {
  const known = [...columns, REFERENCE];
  const named = cells.map((cell) => {
    const name = cell.toLowerCase().replace(/[\s-]+/g, '_');
    return known.includes(name) ? name : undefined;
  });
  const results: readonly string[] = resultColumns;
  return { cells, columns: named, ignored: cells.filter((cell, at) => !named[at] && !results.includes(cell)) };
}

/** Whether a column holds an earlier result, which the new results replace. */
export function isResultColumn(cell: string): boolean {
  return resultColumns.some((column) => column === cell);
}

function checkHeading({ columns }: Heading, layout: Layout, place: string): void {
  const { name, required } = layout;
  const known = `A ${name} has the columns ${layout.columns.join(', ')} and ${REFERENCE}; ${required.join(', ')} must be there.`;
  const twice = columns.find((column, at) => column !== undefined && columns.indexOf(column) !== at);
  if (twice !== undefined) throw new UsageError(`${place}: the column “${plain(twice)}” is there twice.`, known);
  const fromOrder = columns.includes('order_no') ? knownByPayment(layout) : [];
  const missing = required.find((column) => !columns.includes(column) && !fromOrder.includes(column));
  if (missing === undefined) return;
  const hint = missing === 'transaction_id' ? `${known} A column order_no can stand for transaction_id.` : known;
  throw new UsageError(`${place}: the column ${missing} is missing.`, hint);
}

/** The columns that follow from the payment of an order. What a capture takes is for the file to say. */
function knownByPayment({ name }: Layout): string[] {
  return ['transaction_id', 'currency', ...(name === 'capture' ? [] : ['amount'])];
}

/** The order by which a row names its payment, if it does not name the transaction. */
export function orderToLookUp(cells: Readonly<Record<string, string>>): string | undefined {
  return cells.transaction_id || !cells.order_no || isRounded(cells.order_no) ? undefined : cells.order_no;
}

/** The cells of a row with what follows from its payment, amounts with a decimal point, and what is wrong with them. */
export function readCells(
  cells: Readonly<Record<string, string>>,
  layout: Layout,
  { decimal, payments }: Reading,
): { cells: Record<string, string>; problems: CellProblem[] } {
  const problems: CellProblem[] = [];
  const read: Record<string, string> = { ...cells };
  for (const [column, cell] of Object.entries(cells)) {
    if (ids.includes(column) && isRounded(cell)) problems.push({ column, message: ROUNDED });
    if (!column.endsWith('amount')) continue;
    const amount = amountIn(cell, decimal);
    if (typeof amount === 'string') read[column] = amount;
    else problems.push({ column, message: amount.problem });
  }
  const order = orderToLookUp(cells);
  if (order === undefined || problems.length > 0) return { cells: read, problems };
  const payment = payments.get(order);
  if (payment === undefined || typeof payment === 'string') {
    return { cells: read, problems: [{ column: 'order_no', message: payment ?? 'was not looked up' }] };
  }
  const known: Readonly<Record<string, string>> = {
    transaction_id: payment.transaction_id,
    currency: payment.currency,
    amount: payment.amount,
  };
  for (const column of knownByPayment(layout)) read[column] ||= known[column] ?? '';
  return { cells: read, problems };
}

const ids: readonly string[] = ['transaction_id', 'order_no', REFERENCE];

const ROUNDED = 'was rounded by a spreadsheet: import the column as text from the original file';

/** Whether a spreadsheet wrote a long number as a power of ten, such as `6.63929E+19`. */
function isRounded(cell: string): boolean {
  return /^\d([.,]\d+)?E\+\d+$/i.test(cell);
}

/** Whether a number may have lost its last digits in a spreadsheet, which keeps fifteen. */
export function mayBeRounded(cell: string | undefined): boolean {
  return cell !== undefined && /^\d{11,}0{5}$/.test(cell);
}

function amountIn(cell: string, decimal: Reading['decimal']): string | { problem: string } {
  if (decimal === ',') {
    const whole = /^\d{1,3}(\.\d{3})+(,\d+)?$/.test(cell) ? cell.replaceAll('.', '') : cell;
    if (whole.includes('.')) return { problem: 'has a decimal point, but --decimal , was given' };
    return whole.replace(',', '.');
  }
  if (!/^\d+(\.\d{3})*,\d+$/.test(cell)) return cell;
  return { problem: 'has a decimal comma: write a decimal string such as 20.00, or give --decimal ,' };
}

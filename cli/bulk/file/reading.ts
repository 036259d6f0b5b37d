import { amountDigits } from '../../../shared/gateway/amounts.ts';
import { UsageError } from '../../base/errors.ts';
import { plain } from '../../base/output.ts';
import type { CsvFile } from './csv-file.ts';
import { type CellProblem, type Layout, REFERENCE, resultColumns } from './layout.ts';

/** How the cells of a file are read. */
export type Reading = {
  /** The sign before the decimals of amounts. */
  decimal: '.' | ',';
  /** Adds the values of a row's order to its cells, such as the currency. */
  complete(cells: Readonly<Record<string, string>>): ReadCells;
};

/** The cells of a row by their columns, and their errors. `currency` applies to the amounts if no cell names one. */
export type ReadCells = { cells: Record<string, string>; problems: CellProblem[]; currency?: string };

/** The heading of a file: its cells and the column of each. A cell without a known column is kept and ignored. */
export type Heading = { cells: string[]; columns: (string | undefined)[]; ignored: string[] };

/** Reads the heading of a file. Throws UsageError that names a wrong column. */
export async function readHeading(csv: CsvFile, layout: Layout): Promise<Heading> {
  for await (const { line, cells } of csv.records()) {
    const heading = headingOf(cells, layout);
    checkHeading(heading, layout, `${csv.path}, line ${line}`);
    return heading;
  }
  throw new UsageError(`${csv.path} is empty.`, `Its first line names the columns: ${layout.required.join(',')}.`);
}

/** Finds the columns that a heading names, in any case and with blanks for underscores: `Transaction ID`. */
export function headingOf(cells: string[], { columns }: Layout): Heading {
  const known = [...columns, REFERENCE];
  const named = cells.map((cell) => {
    const name = cell.toLowerCase().replace(/[\s-]+/g, '_');
    return known.includes(name) ? name : undefined;
  });
  const results: readonly string[] = resultColumns;
  return { cells, columns: named, ignored: cells.filter((cell, at) => !named[at] && !results.includes(cell)) };
}

function checkHeading({ columns }: Heading, layout: Layout, place: string): void {
  const { name, required } = layout;
  const known = `A ${name} has the columns ${layout.columns.join(', ')} and ${REFERENCE}; ${required.join(', ')} must be there.`;
  const twice = columns.find((column, at) => column !== undefined && columns.indexOf(column) !== at);
  if (twice !== undefined) throw new UsageError(`${place}: the column “${plain(twice)}” is there twice.`, known);
  const fromOrder = columns.includes('order_no') ? layout.fromOrder : [];
  if (layout.oneOf.length > 0 && !layout.oneOf.some((column) => columns.includes(column))) {
    throw new UsageError(`${place}: a column ${layout.oneOf.join(' or ')} is missing.`, known);
  }
  const missing = required.find((column) => !columns.includes(column) && !fromOrder.includes(column));
  if (missing === undefined) return;
  const hint = missing === 'transaction_id' ? `${known} A column order_no can stand for transaction_id.` : known;
  throw new UsageError(`${place}: the column ${missing} is missing.`, hint);
}

/** Reads the cells of a row: adds the values of its order, writes amounts with a decimal point, and collects the errors. */
export function readCells(cells: Readonly<Record<string, string>>, { decimal, complete }: Reading): ReadCells {
  const problems: CellProblem[] = [];
  const read: Record<string, string> = { ...cells };
  for (const [column, cell] of Object.entries(cells)) {
    if (ids.includes(column) && isRounded(cell)) problems.push({ column, message: ROUNDED });
    if (!column.endsWith('amount')) continue;
    const amount = amountIn(cell, decimal);
    if (typeof amount === 'string') read[column] = amount;
    else problems.push({ column, message: amount.problem });
  }
  if (problems.length > 0) return { cells: read, problems };
  const completed = complete(read);
  const currency = completed.cells.currency || completed.currency;
  const tooFine = Object.keys(cells).filter((column) => column.endsWith('amount') && isTooFine(read[column], currency));
  const hint = decimal === '.' ? ': if its point separates thousands, give --decimal ,' : '';
  const message = `has more decimals than ${currency} has${hint}`;
  return { ...completed, problems: [...completed.problems, ...tooFine.map((column) => ({ column, message }))] };
}

/** Whether an amount has more decimals than its currency. Zeros count too, because `1.000` may mean a thousand. */
function isTooFine(amount = '', currency = ''): boolean {
  const { length } = /^\d+\.(\d+)$/.exec(amount)?.[1] ?? '';
  return currency !== '' && length > amountDigits(currency);
}

const ids: readonly string[] = ['transaction_id', 'order_no', REFERENCE];

const ROUNDED = 'was rounded by a spreadsheet: import the column as text from the original file';

/** Whether a spreadsheet wrote a long number as a power of ten, such as `6.63929E+19`. */
export function isRounded(cell: string): boolean {
  return /^\d([.,]\d+)?E\+\d+$/i.test(cell);
}

/** The column of an id that a spreadsheet may have rounded: they keep fifteen digits. */
export function roundedId(cells: Readonly<Record<string, string>>): string | undefined {
  return ids.find((column) => /^\d{11,}0{5}$/.test(cells[column] ?? ''));
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

import { fromMinor, toMinor } from '../../shared/gateway/amounts.ts';
import { UsageError } from '../base/errors.ts';
import { plain } from '../base/output.ts';
import type { CsvFile } from './csv-file.ts';
import { type Identity, identities } from './identity.ts';
import { type Item, type Layout, REFERENCE, resultColumns } from './layout.ts';

/** One row that can be sent. */
export type Row = Identity & { line: number; item: Item };

/** One thing that is wrong with a file. */
type RowProblem = { path: string; message: string };

/** A row as it was read: its cells as they stand in the file, and what it is, or what is wrong with it. */
type ReadRow = { cells: string[] } & ({ ok: true; row: Row } | { ok: false; problems: RowProblem[] });

/** The heading of a file. Throws UsageError that names the column which is wrong. */
export async function readHeading(csv: CsvFile, layout: Layout): Promise<string[]> {
  for await (const { line, cells } of csv.records()) {
    checkHeading(cells, layout, `${csv.path}, line ${line}`);
    return cells;
  }
  throw new UsageError(`${csv.path} is empty.`, `Its first line names the columns: ${layout.required.join(',')}.`);
}

/** Every row of one pass over the file, in its order. Throws UsageError if the text is no CSV. */
export async function* rowsOf(csv: CsvFile, layout: Layout): AsyncGenerator<ReadRow> {
  const identityOf = identities();
  let heading: string[] | undefined;
  for await (const { line, cells } of csv.records()) {
    if (!heading) {
      heading = cells;
      continue;
    }
    const problemAt = (column: string, message: string): RowProblem => ({
      path: `line ${line}${column && `, ${column}`}`,
      message,
    });
    if (cells.length !== heading.length) {
      const message = `has ${cells.length} cells, and the heading ${heading.length}: quote a cell that holds the delimiter`;
      yield { cells, ok: false, problems: [problemAt('', message)] };
      continue;
    }
    const all = Object.fromEntries(heading.map((column, at) => [column, cells[at] ?? '']));
    const { [REFERENCE]: reference, ...rest } = all;
    const given = Object.entries(rest).filter(([column, cell]) => cell !== '' || layout.required.includes(column));
    const read = layout.read(Object.fromEntries(given), reference);
    if (read.ok) {
      yield { cells, ok: true, row: { line, item: read.item, ...identityOf(read.item, reference) } };
    } else {
      yield { cells, ok: false, problems: read.problems.map(({ column, message }) => problemAt(column, message)) };
    }
  }
}

/** What a file comes to. `amounts` are those of the rows that are still to be sent, by currency. */
export type Checked = { rows: number; toSend: number; amounts: string[] };

/** How many problems the error names. */
const MAX_PROBLEMS_SHOWN = 20;

/**
 * Checks all rows of a file.
 * @param isToSend whether a row was not done by an earlier run
 * @throws UsageError with the lines that are wrong
 */
export async function checkRows(csv: CsvFile, layout: Layout, isToSend: (id: string) => boolean): Promise<Checked> {
  const problems: RowProblem[] = [];
  let wrong = 0;
  const lines = new Map<string, number>();
  const sums = sumsOf(layout);
  let [rows, toSend] = [0, 0];
  const tell = (found: readonly RowProblem[]): void => {
    wrong += 1;
    problems.push(...found.slice(0, MAX_PROBLEMS_SHOWN - problems.length));
  };
  for await (const read of rowsOf(csv, layout)) {
    rows += 1;
    if (!read.ok) {
      tell(read.problems);
      continue;
    }
    const { id, line, item } = read.row;
    const before = lines.get(id);
    if (before !== undefined) tell([{ path: `line ${line}, ${REFERENCE}`, message: `is that of line ${before} too` }]);
    lines.set(id, line);
    if (!isToSend(id)) continue;
    toSend += 1;
    sums.add(item);
  }
  if (wrong > 0) {
    const more = wrong > problems.length ? ` The first ${problems.length} problems:` : '';
    throw new UsageError(`${wrong} of ${rows} rows of ${csv.path} are wrong.${more}`, 'Nothing was sent.', problems);
  }
  if (rows === 0) throw new UsageError(`${csv.path} has no rows.`);
  return { rows, toSend, amounts: sums.amounts() };
}

/** Adds up what items move, by currency. */
export function sumsOf({ amount }: Layout) {
  const sums = new Map<string, bigint>();
  return {
    add(item: Item): void {
      const { currency = '' } = item;
      sums.set(currency, (sums.get(currency) ?? 0n) + toMinor(item[amount] ?? '0', currency));
    },
    amounts: (): string[] => [...sums].map(([currency, sum]) => `${fromMinor(sum, currency)} ${currency}`),
  };
}

function checkHeading(heading: readonly string[], { name, columns, required }: Layout, place: string): void {
  const known = `A ${name} has the columns ${columns.join(', ')} and ${REFERENCE}; ${required.join(', ')} must be there.`;
  for (const [at, column] of heading.entries()) {
    if (heading.indexOf(column) !== at)
      throw new UsageError(`${place}: the column “${plain(column)}” is there twice.`, known);
    if (columns.includes(column) || column === REFERENCE) continue;
    const isResult = resultColumns.some((one) => one === column);
    const hint = isResult ? `Delete the columns of an earlier result: ${resultColumns.join(', ')}.` : known;
    throw new UsageError(`${place}: there is no column “${plain(column).slice(0, 60)}”.`, hint);
  }
  const missing = required.find((column) => !heading.includes(column));
  if (missing === undefined) return;
  const hint =
    missing === 'transaction_id' ? `${known} turnpike orders get ORDER shows an order’s transaction_id.` : known;
  throw new UsageError(`${place}: the column ${missing} is missing.`, hint);
}

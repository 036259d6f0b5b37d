import { fromMinor, toMinor } from '../../../shared/gateway/amounts.ts';
import { UsageError } from '../../base/errors.ts';
import { subjectColumn, subjectOf } from '../settle/layout.ts';
import type { CsvFile } from './csv-file.ts';
import { type Identity, identities } from './identity.ts';
import { type BatchLayout, type Item, type Layout, REFERENCE } from './layout.ts';
import { type Heading, headingOf, type Reading, readCells, roundedId } from './reading.ts';

/** One row that can be sent. */
export type Row = Identity & { line: number; item: Item };

/** One error in a file, with its line and column. */
type RowProblem = { path: string; message: string };

/** The result of reading a row: its unchanged cells, and the item or the errors. */
type ReadRow = { cells: string[] } & ({ ok: true; row: Row } | { ok: false; problems: RowProblem[] });

/** Reads the rows of a file in order. Throws UsageError if the text is not CSV. */
export async function* rowsOf(csv: CsvFile, layout: Layout, reading: Reading): AsyncGenerator<ReadRow> {
  const identityOf = identities();
  let heading: Heading | undefined;
  for await (const { line, cells } of csv.records()) {
    if (!heading) {
      heading = headingOf(cells, layout);
      continue;
    }
    const problemAt = (column: string, message: string): RowProblem => ({
      path: `line ${line}${column && `, ${column}`}`,
      message,
    });
    if (cells.length !== heading.cells.length) {
      const message = `has ${cells.length} cells, and the heading ${heading.cells.length}: quote a cell that holds the delimiter`;
      yield { cells, ok: false, problems: [problemAt('', message)] };
      continue;
    }
    const named = readCells(cellsOf(cells, heading), reading);
    const { [REFERENCE]: reference, ...rest } = named.cells;
    const given = Object.entries(rest).filter(([column, cell]) => cell !== '' || layout.required.includes(column));
    const read =
      named.problems.length > 0
        ? ({ ok: false, problems: named.problems } as const)
        : layout.read(Object.fromEntries(given), reference);
    if (read.ok) {
      yield { cells, ok: true, row: { line, item: read.item, ...identityOf(read.item, reference) } };
    } else {
      yield { cells, ok: false, problems: read.problems.map(({ column, message }) => problemAt(column, message)) };
    }
  }
}

/** The cells of a row by their columns. */
export function cellsOf(cells: readonly string[], { columns }: Heading): Record<string, string> {
  return Object.fromEntries(columns.flatMap((column, at) => (column === undefined ? [] : [[column, cells[at] ?? '']])));
}

/** The totals of a file. `amounts` are the sums of the rows that remain to be sent, by currency. */
export type Checked = {
  rows: number;
  toSend: number;
  amounts: string[];
  suspect: Suspect[];
};

/** An id that a spreadsheet may have rounded. */
export type Suspect = { line: number; column: string };

/** The maximum number of problems in the error. */
const MAX_PROBLEMS_SHOWN = 20;

/**
 * Checks all rows of a file.
 * @param isToSend true for a row that no earlier run has finished
 * @throws UsageError with the wrong lines
 */
export async function checkRows(
  csv: CsvFile,
  layout: Layout,
  reading: Reading,
  isToSend: (row: Row) => boolean,
): Promise<Checked> {
  const problems: RowProblem[] = [];
  let wrong = 0;
  const lines = new Map<string, number>();
  const sums = sumsOf(layout);
  const suspect: Suspect[] = [];
  let [rows, toSend] = [0, 0];
  const addProblems = (found: readonly RowProblem[]): void => {
    wrong += 1;
    problems.push(...found.slice(0, MAX_PROBLEMS_SHOWN - problems.length));
  };
  for await (const read of rowsOf(csv, layout, reading)) {
    rows += 1;
    if (!read.ok) {
      addProblems(read.problems);
      continue;
    }
    const { id, line, item } = read.row;
    const before = lines.get(id);
    if (before !== undefined)
      addProblems([{ path: `line ${line}, ${REFERENCE}`, message: `is that of line ${before} too` }]);
    lines.set(id, line);
    if (!isToSend(read.row)) continue;
    toSend += 1;
    const subject = layout.name === 'settle' ? subjectOf(item) : undefined;
    const decided = subject === undefined ? undefined : lines.get(subject);
    if (decided !== undefined)
      addProblems([{ path: `line ${line}, ${subjectColumn(item)}`, message: `line ${decided} decides it too` }]);
    if (subject !== undefined) lines.set(subject, line);
    const rounded = roundedId(item);
    if (rounded !== undefined) suspect.push({ line, column: rounded });
    sums.add(item);
  }
  if (wrong > 0) {
    const more = wrong > problems.length ? ` The first ${problems.length} problems:` : '';
    throw new UsageError(`${wrong} of ${rows} rows of ${csv.path} are wrong.${more}`, 'Nothing was sent.', problems);
  }
  if (rows === 0) throw new UsageError(`${csv.path} has no rows.`);
  return { rows, toSend, amounts: sums.amounts(), suspect };
}

/** Sums the amounts of items by currency, or counts decisions by kind. */
export function sumsOf(layout: Layout) {
  return layout.name === 'settle' ? countsOf() : amountsOf(layout);
}

function countsOf() {
  const counts = new Map<string, number>();
  return {
    add({ decision = '' }: Item): void {
      counts.set(decision, (counts.get(decision) ?? 0) + 1);
    },
    amounts: (): string[] => [...counts].map(([decision, count]) => `${count} ${decision}`),
  };
}

function amountsOf({ amount }: BatchLayout) {
  const sums = new Map<string, bigint>();
  return {
    add(item: Item): void {
      const { currency = '' } = item;
      sums.set(currency, (sums.get(currency) ?? 0n) + toMinor(item[amount] ?? '0', currency));
    },
    amounts: (): string[] => [...sums].map(([currency, sum]) => `${fromMinor(sum, currency)} ${currency}`),
  };
}

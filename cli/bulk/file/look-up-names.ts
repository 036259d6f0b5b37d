import type { Client } from '../../../client/index.ts';
import { UsageError } from '../../base/errors.ts';
import type { CsvFile } from './csv-file.ts';
import type { Layout } from './layout.ts';
import { readHeading } from './reading.ts';
import { cellsOf } from './rows.ts';

/** The client that looks up the rows of a file, and its number of concurrent requests. */
export type LookUp = { client: Client; atOnce: number };

/** The names in the rows of a file that must be looked up, such as order numbers; each once. */
export async function namedIn(
  csv: CsvFile,
  layout: Layout,
  nameIn: (cells: Readonly<Record<string, string>>) => string | undefined,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const heading = await readHeading(csv, layout);
  let isHeading = true;
  for await (const { cells } of csv.records()) {
    const name = isHeading ? undefined : nameIn(cellsOf(cells, heading));
    if (name !== undefined) names.add(name);
    isHeading = false;
  }
  return names;
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

/** The reason for which the relay would refuse a row. */
export type LineProblem = { line: number; column: string; message: string };

/** Throws UsageError with the lines that the relay would refuse, if there are any. `of` is their count: `2 of 5 payments`. */
export function refuseLines(problems: readonly LineProblem[], of: string): void {
  if (problems.length === 0) return;
  const shown = problems
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, column, message }) => ({ path: `line ${line}, ${column}`, message }));
  throw new UsageError(`The relay would refuse rows of ${of}.`, 'Nothing was sent.', shown.slice(0, 20));
}

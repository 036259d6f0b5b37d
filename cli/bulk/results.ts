import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { codeOf, UsageError } from '../base/errors.ts';
import type { CsvFile } from './file/csv-file.ts';
import { hasSameValues, type Layout, REFERENCE, resultColumns, valuesOf } from './file/layout.ts';
import { type Reading, readHeading } from './file/reading.ts';
import { type Row, rowsOf } from './file/rows.ts';
import { type ItemResult, joinNotes, otherValuesNote } from './journal/item-result.ts';
import type { Journal } from './journal/journal.ts';

/** The result of a row in the results file. `not_sent`: the run ended before the row was sent. */
const results = ['succeeded', 'failed', 'refused', 'unknown', 'not_sent'] as const;
type Result = (typeof results)[number];

/** The result of a row. `isDoneBefore`: a request of another file, or of a lost journal, did it. */
type RowResult = { result: Result; message: string; operation: string; isDoneBefore: boolean };

const NOT_SENT: RowResult = { result: 'not_sent', message: '', operation: '', isDoneBefore: false };
const UNKNOWN: ItemResult = { outcome: 'unknown', message: '', from: 'own_request' };
const NO_ANSWER = 'no answer came; the next run asks again with the same key';

/** The number of rows with each result. `done_before` counts the rows that other files or lost journals had already sent. */
export type Tally = Record<Result | 'done_before', number>;

/**
 * Writes the results file: the cells and the outcome of each row, in the order of the input file. An earlier results file is replaced
 * atomically. Throws UsageError if the file cannot be written, or if the input file has changed.
 */
export async function writeResults(
  path: string,
  csv: CsvFile,
  layout: Layout,
  reading: Reading,
  journal: Journal,
): Promise<Tally> {
  const { stringify } = await import('csv-stringify');
  const tally: Tally = { succeeded: 0, failed: 0, refused: 0, unknown: 0, not_sent: 0, done_before: 0 };
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  const { delimiter, hasBom: bom } = csv;
  try {
    await pipeline(
      linesOf(csv, layout, reading, journal, tally),
      stringify({ delimiter, bom, escape_formulas: true }),
      createWriteStream(temporary, { flags: 'wx' }),
    );
    await csv.checkUnchanged();
    const written = await open(temporary, 'r+');
    await written.sync().finally(() => written.close());
    await rename(temporary, path);
    return tally;
  } catch (error) {
    await rm(temporary, { force: true });
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `The results cannot be written to ${path} (${codeOf(error)}).`,
      'Run the same command again with another --out: nothing that is done is done again.',
    );
  }
}

/** Whether a file may be replaced by new results: it has earlier results, or is empty. */
export async function isResults(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_HEADING), 0, MAX_HEADING, 0);
    const [heading = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    return bytesRead === 0 || resultColumns.every((column) => heading.includes(column));
  } finally {
    await file.close();
  }
}

/** The maximum number of bytes that are read of a heading. */
const MAX_HEADING = 65_536;

/** The rows of the results file, the heading first. Counts the results in `tally`. */
async function* linesOf(
  csv: CsvFile,
  layout: Layout,
  reading: Reading,
  journal: Journal,
  tally: Tally,
): AsyncGenerator<string[]> {
  const { cells: heading, columns } = await readHeading(csv, layout);
  const hasReference = columns.includes(REFERENCE);
  // An earlier result is replaced. The `operation_id` of a decision is a cell of its row.
  const isOwn = heading.map(
    (cell, at) => columns[at] !== undefined || !resultColumns.some((column) => column === cell),
  );
  const own = (cells: readonly string[]) => cells.filter((_, at) => isOwn[at]);
  const added = resultColumns.filter((column) => !columns.includes(column));
  yield [...own(heading), ...added, ...(hasReference ? [] : [REFERENCE])];
  for await (const read of rowsOf(csv, layout, reading)) {
    // Wrong rows were refused before the run began: this only narrows the type.
    if (!read.ok) continue;
    const { result, message, operation, isDoneBefore } = await resultOf(read.row, journal, layout);
    tally[result] += 1;
    if (isDoneBefore) tally.done_before += 1;
    const found = { outcome: result, message, operation_id: operation };
    yield [...own(read.cells), ...added.map((column) => found[column]), ...(hasReference ? [] : [read.row.reference])];
  }
}

/** The result of a row, from the journal. */
async function resultOf({ id, item }: Row, { index, chunk, answerOf }: Journal, layout: Layout): Promise<RowResult> {
  const found = index.find(id);
  if (!found || found.outcome === 'released') return NOT_SENT;
  const answer = await answerOf(found.chunk);
  const sent = (await chunk(found.chunk)).items[found.index] ?? {};
  const hasOtherValues = !hasSameValues(sent, item);
  const otherValues = hasOtherValues ? otherValuesNote(valuesOf(sent, layout)) : '';
  if (!answer) return { ...NOT_SENT, result: 'unknown', message: joinNotes(otherValues, NO_ANSWER) };
  const known = answer.items[found.index] ?? UNKNOWN;
  return {
    result: hasOtherValues ? forOtherValues(resultFrom(known)) : resultFrom(known),
    message: joinNotes(otherValues, known.message),
    operation: answer.operation ?? '',
    isDoneBefore: known.from !== 'own_request',
  };
}

/** The result of a row from the outcome of its item. */
function resultFrom({ outcome, from }: ItemResult): Result {
  const result = outcome === 'released' ? 'not_sent' : outcome;
  switch (from) {
    case 'own_request':
    case 'earlier_request':
      return result;
    case 'request_with_other_values':
      return forOtherValues(result);
  }
}

/** The result of a row whose reference was used with other values. If those succeeded, the row itself was not done. */
function forOtherValues(result: Result): Result {
  return result === 'succeeded' ? 'failed' : result;
}

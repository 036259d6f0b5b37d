import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../base/errors.ts';
import type { CsvFile } from './csv-file.ts';
import { DONE_BEFORE, isAlike, OTHER_VALUES, valuesOf } from './item-result.ts';
import type { Journal } from './journal.ts';
import { type Layout, REFERENCE, resultColumns } from './layout.ts';
import { type Row, rowsOf } from './rows.ts';

/** How the rows of a file ended. `not_sent`: this run did not come to it. */
const results = ['succeeded', 'failed', 'refused', 'unknown', 'not_sent'] as const;
type Result = (typeof results)[number];

/** How many rows ended so. `done_before` are those among them that other files, or lost journals, had done. */
export type Tally = Record<Result | 'done_before', number>;

/**
 * Writes the results: the file's own cells and what became of each row, in the file's order. They take the place of
 * what has that name whole, or not at all. Throws UsageError where they cannot be written, or the file was changed.
 */
export async function writeResults(path: string, csv: CsvFile, layout: Layout, journal: Journal): Promise<Tally> {
  const { stringify } = await import('csv-stringify');
  const tally: Tally = { succeeded: 0, failed: 0, refused: 0, unknown: 0, not_sent: 0, done_before: 0 };
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  const { delimiter, hasBom: bom } = csv;
  try {
    await pipeline(
      lines(csv, layout, journal, tally),
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
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
    throw new UsageError(
      `The results cannot be written to ${path} (${reason}).`,
      'Run the same command again with another --out: nothing that is done is done again.',
    );
  }
}

/** Whether a file holds earlier results, which new ones may replace; an empty file too. */
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

/** The most bytes of a heading that are looked at. */
const MAX_HEADING = 65_536;

async function* lines(csv: CsvFile, layout: Layout, journal: Journal, tally: Tally): AsyncGenerator<string[]> {
  let hasReference: boolean | undefined;
  for await (const { cells } of csv.records()) {
    hasReference = cells.includes(REFERENCE);
    yield [...cells, ...resultColumns, ...(hasReference ? [] : [REFERENCE])];
    break;
  }
  for await (const read of rowsOf(csv, layout)) {
    // All rows were checked.
    if (!read.ok) continue;
    const { result, message, operation } = await resultOf(read.row, journal, layout);
    tally[result] += 1;
    if (message.includes(DONE_BEFORE)) tally.done_before += 1;
    yield [...read.cells, result, message, operation, ...(hasReference ? [] : [read.row.reference])];
  }
}

async function resultOf(
  { id, item }: Row,
  journal: Journal,
  layout: Layout,
): Promise<{ result: Result; message: string; operation: string }> {
  const found = journal.index.find(id);
  if (!found || found.outcome === 'released') return { result: 'not_sent', message: '', operation: '' };
  const answer = await journal.answerOf(found.chunk);
  const chunk = await journal.chunk(found.chunk);
  const itemResult = answer?.items[found.index];
  const sent = chunk.items[found.index] ?? {};
  const notes = [
    isAlike(sent, item) ? '' : `${OTHER_VALUES} ${valuesOf(sent, layout)}`,
    answer ? (itemResult?.message ?? '') : 'no answer came; the next run asks again with the same key',
  ];
  const message = notes.filter((note) => note !== '').join('; ');
  const result = found.outcome ?? 'unknown';
  return {
    // Something else was done under its name, and what the row asks for was not.
    result: result === 'succeeded' && message.includes(OTHER_VALUES) ? 'failed' : result,
    message,
    operation: answer?.operation ?? '',
  };
}

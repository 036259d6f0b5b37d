import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { OperationAnswer } from '../../client/index.ts';
import { sameAmount } from '../../shared/gateway/amounts.ts';
import { codeOf, UsageError } from '../base/errors.ts';
import type { CsvFile } from './csv-file.ts';
import type { Journal } from './journal.ts';
import type { AnswerRecord, ChunkRecord } from './journal-records.ts';
import { type Item, type Layout, REFERENCE, resultColumns } from './layout.ts';
import { type Row, rowsOf } from './rows.ts';

/** How the rows of a file ended. `not_sent`: this run did not come to it. */
const results = ['succeeded', 'failed', 'refused', 'unknown', 'not_sent'] as const;
type Result = (typeof results)[number];

/** How many rows ended so. `done_before` are those among them that other files, or lost journals, had done. */
export type Tally = Record<Result | 'done_before', number>;

/**
 * Writes the results: the file's own cells and the outcome of each row, in the file's order. They take the place of
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
    throw new UsageError(
      `The results cannot be written to ${path} (${codeOf(error)}).`,
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

/** The outcome of one item. */
export type ItemResult = AnswerRecord['items'][number];

const MAX_MESSAGE = 500;

/** How the message begins of what this journal's run did not do. */
export const DONE_BEFORE = 'done by an earlier request,';

/** How the message begins of a row whose reference stands for something else: what the row asks for was not done. */
const OTHER_VALUES = 'not with these values: its reference was used with';

/**
 * What an operation tells of each item of a chunk, in the chunk's order; undefined for an item that the operation does not have.
 * @param isOwn whether the chunk was sent as this operation; another one had its items before
 */
export function itemResultsOf(
  operation: OperationAnswer,
  chunk: ChunkRecord,
  layout: Layout,
  isOwn: boolean,
): (ItemResult | undefined)[] {
  const places = new Map((operation.references ?? []).map((reference, at) => [reference, at]));
  return chunk.references.map((reference, index) => {
    const at = places.get(reference);
    if (at === undefined) return undefined;
    const itemResult = itemResultAt(operation, at, layout);
    const sent = itemsIn(operation.request, layout)[at];
    const isOther = sent !== undefined && !isAlike(sent, chunk.items[index] ?? {});
    if (isOwn && !isOther) return itemResult;
    const notes = [
      isOther ? `${OTHER_VALUES} ${valuesOf(sent, layout)}` : '',
      `${DONE_BEFORE} of ${operation.created_at}`,
      itemResult.message ?? '',
    ];
    return { ...itemResult, message: notes.filter((note) => note !== '').join('; ') };
  });
}

/** True where the gateway is still being asked, so that more may be known soon. */
export function isBeingFoundOut({ status, unknown }: OperationAnswer): boolean {
  return status === 'in_flight' || unknown?.next_query_at !== undefined;
}

function itemResultAt(operation: OperationAnswer, at: number, layout: Layout): ItemResult {
  const { status, items, unknown, evidence } = operation;
  switch (status) {
    case 'answered':
    case 'settled': {
      const outcome = items?.[at] ?? 'unknown';
      return { outcome, ...message(outcome === 'succeeded' ? '' : messageAt(operation, at, layout)) };
    }
    case 'refused': {
      const http = evidence?.http_status;
      const told = `the gateway refused the batch${http === undefined ? '' : ` (HTTP ${http})`}`;
      return unknown ? { outcome: 'unknown', message: told } : { outcome: 'refused', message: told };
    }
    case 'not_sent':
      return { outcome: 'refused', message: 'nothing was sent' };
    case 'in_flight':
      return { outcome: 'unknown', message: 'is still being sent' };
    case 'unknown':
      return { outcome: 'unknown', ...message(unknown?.reason ?? '') };
  }
}

/** What the gateway says of an item, in its own words: of the result at the item's place, where that is about its transaction. */
function messageAt({ answer, request }: OperationAnswer, at: number, layout: Layout): string {
  const result = itemsIn(answer ?? {}, layout)[at];
  const sent = itemsIn(request, layout)[at];
  if (result && result.transaction_id === sent?.transaction_id) {
    const said = result.refund_message ?? result.error_message;
    if (typeof said === 'string' && said !== '') return said;
  }
  const whole = answer?.return_message;
  return typeof whole === 'string' ? whole : '';
}

function message(text: string): { message?: string } {
  return text === '' ? {} : { message: text.slice(0, MAX_MESSAGE) };
}

function itemsIn(body: Readonly<Record<string, unknown>>, { list }: Layout): Record<string, unknown>[] {
  const items = body[list];
  return Array.isArray(items) ? items.map((one: unknown) => ({ ...Object(one) })) : [];
}

/** What an item moves, for people. */
function valuesOf(item: Readonly<Record<string, unknown>>, { amount }: Layout): string {
  return [item[amount], item.currency, 'of', item.transaction_id].filter((word) => typeof word === 'string').join(' ');
}

/** Whether two items move the same money of the same payment. */
function isAlike(left: Readonly<Record<string, unknown>>, right: Item): boolean {
  return ['transaction_id', 'currency', 'amount', 'refund_amount', 'review_flag'].every((field) => {
    const [a, b] = [left[field], right[field]];
    if (a === b) return true;
    return field.endsWith('amount') && typeof a === 'string' && b !== undefined && sameAmount(a, b);
  });
}

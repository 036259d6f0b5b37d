import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import { jsonIn } from '../../base/settings.ts';
import { type BulkName, bulkNames, item } from '../file/layout.ts';
import { storedItemResult, toStored } from './item-result.ts';

const header = z.object({
  type: z.literal('bulk'),
  version: z.literal(1),
  operation: z.enum(bulkNames),
  relay: z.string(),
  /** A hash that distinguishes API keys; none can be found from it. */
  key: z.string(),
});

const chunk = z.object({
  type: z.literal('chunk'),
  id: z.int(),
  key: z.string(),
  tries: z.int(),
  references: z.array(z.string()),
  items: z.array(item),
});

const answer = z.object({
  type: z.literal('answer'),
  id: z.int(),
  operation: z.string().optional(),
  items: z.array(storedItemResult),
});

/** The lines of a journal: its header, the chunks before they are sent, and their answers. */
const journalRecord = z.discriminatedUnion('type', [header, chunk, answer]);
export type JournalRecord = z.infer<typeof journalRecord>;
export type Header = z.infer<typeof header>;
export type ChunkRecord = z.infer<typeof chunk>;
export type AnswerRecord = z.infer<typeof answer>;

/** The line of a record, with its end. */
export function lineOf(record: JournalRecord): Buffer {
  const stored = record.type === 'answer' ? { ...record, items: record.items.map(toStored) } : record;
  return Buffer.from(`${JSON.stringify(stored)}\n`);
}

/** A journal by its path, and the operation of the command. */
export type JournalFile = { path: string; operation: BulkName };

/** The position of a record in the file, in bytes. */
export type Place = { at: number; size: number };

const PART_BYTES = 256 * 1024;

/**
 * Reads the complete lines of a journal as records with their positions. An incomplete last line is left out: its run was killed before it
 * sent the chunk. Throws UsageError for a line that is no record.
 */
export async function* readRecords(
  handle: FileHandle,
  file: JournalFile,
): AsyncGenerator<{ record: JournalRecord; place: Place }> {
  let rest = Buffer.alloc(0);
  let at = 0;
  for (let read = 0; ; ) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PART_BYTES), 0, PART_BYTES, read);
    if (bytesRead === 0) return;
    read += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let from = 0;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, from)) {
      const size = end + 1 - from;
      yield { record: recordOf(rest.subarray(from, end).toString(), file, at), place: { at, size } };
      at += size;
      from = end + 1;
    }
    rest = rest.subarray(from);
  }
}

/** The record at a place. Throws UsageError. */
export async function recordAt(handle: FileHandle, file: JournalFile, { at, size }: Place): Promise<JournalRecord> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, at);
  return recordOf(buffer.subarray(0, bytesRead).toString(), file, at);
}

function recordOf(line: string, file: JournalFile, at: number): JournalRecord {
  const parsed = journalRecord.safeParse(jsonIn(line));
  if (parsed.success) return parsed.data;
  throw damaged(file, `, or is damaged at byte ${at}`);
}

/** The error of a file that is no journal. */
export function damaged({ path, operation }: JournalFile, where = ''): UsageError {
  return new UsageError(`${path} is no journal of this command${where}.`, withoutJournal(operation));
}

/** The advice for a journal that cannot be used. */
export function withoutJournal(operation: BulkName): string {
  const known =
    operation === 'settle'
      ? 'A row counts as done if the relay has its decision with the same note.'
      : 'The relay knows by their references which rows were done.';
  return `Give another file with --journal. ${known}`;
}

import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { jsonIn } from '../base/settings.ts';
import { bulkNames, item } from './layout.ts';
import { idOf } from './rows.ts';

/**
 * The outcome of one item. `refused`: certainly not done, and sent again by the next run. `released`: was in a request that was
 * refused because of another item, and goes on in another request.
 */
const outcomes = ['succeeded', 'failed', 'unknown', 'refused', 'released'] as const;
export type Outcome = (typeof outcomes)[number];

const header = z.object({
  type: z.literal('bulk'),
  version: z.literal(1),
  operation: z.enum(bulkNames),
  relay: z.string(),
  /** Tells one API key from another, and is no help in finding it. */
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
  items: z.array(z.object({ outcome: z.enum(outcomes), message: z.string().optional() })),
});

/** The lines of a journal: what it belongs to, what is about to be sent, and its outcome. */
const journalRecord = z.discriminatedUnion('type', [header, chunk, answer]);
export type JournalRecord = z.infer<typeof journalRecord>;
export type Header = z.infer<typeof header>;
export type ChunkRecord = z.infer<typeof chunk>;
export type AnswerRecord = z.infer<typeof answer>;

/** Where a record stands in the file, in bytes. */
export type Place = { at: number; size: number };

const PART_BYTES = 256 * 1024;

/**
 * Every whole line of a journal as a record, with its place. A last line without its end was torn by a kill: nothing was sent for
 * it, and it is left out. Throws UsageError for any other line that is no record.
 */
async function* readRecords(handle: FileHandle, path: string): AsyncGenerator<{ record: JournalRecord; place: Place }> {
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
      yield { record: recordOf(rest.subarray(from, end).toString(), path, at), place: { at, size } };
      at += size;
      from = end + 1;
    }
    rest = rest.subarray(from);
  }
}

/** The record at a place. Throws UsageError. */
export async function recordAt(handle: FileHandle, path: string, { at, size }: Place): Promise<JournalRecord> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, at);
  return recordOf(buffer.subarray(0, bytesRead).toString(), path, at);
}

function recordOf(line: string, path: string, at: number): JournalRecord {
  const parsed = journalRecord.safeParse(jsonIn(line));
  if (parsed.success) return parsed.data;
  throw damaged(path, `, or is damaged at byte ${at}`);
}

/** What is known of a chunk without reading its record again: two hundred bytes, not ten thousand. */
type Chunk = {
  place: Place;
  tries: number;
  /** A digit for each item's outcome; undefined without an answer. */
  outcomes?: string;
  operation?: string;
  answer?: Place;
};

/** Where an item is in the journal, and its outcome; undefined without an answer. */
type Found = { chunk: number; index: number; tries: number; outcome: Outcome | undefined };

/** More than a chunk holds. */
const MAX_ITEMS = 256;

/** What a journal tells of each item by the last request that carried it, in little memory. */
export class JournalIndex {
  header: Header | undefined;
  /** The bytes of all whole records. */
  size = 0;
  readonly #chunks: Chunk[] = [];
  readonly #places = new Map<string, number>();

  /** Reads a journal. Throws UsageError where it is damaged. */
  static async read(handle: FileHandle, path: string): Promise<JournalIndex> {
    const index = new JournalIndex();
    for await (const { record, place } of readRecords(handle, path)) {
      if ((record.type === 'bulk') !== (place.at === 0)) throw damaged(path);
      if (record.type === 'bulk') index.header = record;
      else if (record.type === 'chunk') index.addChunk(record, place);
      else index.addAnswer(record, place);
      index.size = place.at + place.size;
    }
    return index;
  }

  get length(): number {
    return this.#chunks.length;
  }

  addChunk({ id, tries, references }: ChunkRecord, place: Place): void {
    this.#chunks[id] = { place, tries };
    for (const [index, reference] of references.entries()) this.#places.set(idOf(reference), id * MAX_ITEMS + index);
  }

  /** A later answer takes the place of an earlier one. */
  addAnswer({ id, operation, items }: AnswerRecord, place: Place): void {
    const chunk = this.#chunks[id];
    if (!chunk) return;
    chunk.outcomes = items.map(({ outcome }) => outcomes.indexOf(outcome)).join('');
    if (operation !== undefined) chunk.operation = operation;
    chunk.answer = place;
  }

  find(id: string): Found | undefined {
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    const [chunk, index] = [Math.floor(place / MAX_ITEMS), place % MAX_ITEMS];
    const known = this.#chunks[chunk];
    return { chunk, index, tries: known?.tries ?? 0, outcome: outcomes[Number(known?.outcomes?.[index] ?? -1)] };
  }

  chunk(id: number): Chunk | undefined {
    return this.#chunks[id];
  }

  /** The chunks without an answer: they may have been sent. */
  unanswered(): number[] {
    return [...this.#chunks.keys()].filter((id) => this.#chunks[id]?.outcomes === undefined);
  }

  /** The chunks of which something is unknown that the relay can be asked about. */
  unknown(): number[] {
    const digit = String(outcomes.indexOf('unknown'));
    return [...this.#chunks.keys()].filter((id) => {
      const { outcomes: known, operation } = this.#chunks[id] ?? {};
      return operation !== undefined && known?.includes(digit);
    });
  }
}

function damaged(path: string, where = ''): UsageError {
  return new UsageError(
    `${path} is no journal of this command${where}.`,
    'Give another file with --journal. The relay knows by their references which rows were done.',
  );
}

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, UsageError } from '../../base/errors.ts';
import type { Access } from '../../base/settings.ts';
import { letterHash } from '../file/identity.ts';
import type { BulkName, Item } from '../file/layout.ts';
import { appender } from './append.ts';
import { RELEASED } from './item-result.ts';
import { JournalIndex } from './journal-index.ts';
import {
  type AnswerRecord,
  type ChunkRecord,
  damaged,
  type Header,
  type JournalFile,
  type JournalRecord,
  type Place,
  recordAt,
  withoutJournal,
} from './records.ts';

/*
 * The command never sends an item twice, even if it is killed:
 *
 * 1. The identity of a row is its `reference`, or a hash of its content and of the number of equal rows before it. It does not depend on
 *    the position, so rows can be corrected, moved, added and removed between two runs.
 * 2. Before a chunk is sent, its body and its Idempotency-Key are written to the journal and synced to the disk. The key is a hash of the
 *    body and the number of tries, so another body never has the same key.
 * 3. The answer is written afterwards without a sync. If it is lost, the next run sends the same body with the same key, and the relay
 *    repeats its first answer.
 * 4. The next run first repeats the chunks without an answer unchanged. Then it reads the outcomes of unknown items, which it never sends
 *    again. Then it makes new chunks of the rows that the journal does not have, or has as `refused` or `released`.
 * 5. The relay permanently keeps the identities, which are sent as `references`. It refuses items that it has already had
 *    (`reference_used`) even if the journal is lost or another machine runs the file, and the run takes over their results.
 *    A decision of `settle` has no reference: the run first reads the order, and does not send a decision that the order has.
 */

/** The journal of the rows of a file. */
export type Journal = {
  index: JournalIndex;
  /** Writes a chunk before it is sent; resolves once it is on the disk. If it throws CliError, the chunk must not be sent. */
  begin(items: readonly { reference: string; item: Item }[], tries: number): Promise<ChunkRecord>;
  /** Writes the outcome of a chunk. Throws CliError. */
  answer(answer: Omit<AnswerRecord, 'type'>): Promise<void>;
  /** A chunk that the journal has. */
  chunk(id: number): Promise<ChunkRecord>;
  /** The last answer to a chunk, if there is one. */
  answerOf(id: number): Promise<AnswerRecord | undefined>;
  close(): Promise<void>;
};

/** The operation, relay and API key of a journal. */
export function headerOf(operation: BulkName, { url, apiKey }: Access): Header {
  const key = createHash('sha256').update(`turnpike bulk journal\n${apiKey}`).digest('hex').slice(0, 16);
  return { type: 'bulk', version: 1, operation, relay: url.replace(/\/+$/, ''), key };
}

/** The content of a journal. `left` are the items of requests without an answer, which the run repeats unchanged. */
type Before = { index: JournalIndex; left: Item[] };

/** Reads a journal without changing it. A missing one counts as empty. Throws UsageError. */
export async function readJournal(path: string, header: Header): Promise<Before> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new UsageError(`Cannot read the journal ${path}.`, 'Give another file with --journal.');
  });
  if (!handle) return { index: new JournalIndex(), left: [] };
  try {
    const file = { path, operation: header.operation };
    const index = await JournalIndex.read(handle, file);
    checkHeader(index, header, path);
    const left: Item[] = [];
    for (const id of index.unanswered()) {
      const place = index.chunk(id)?.place;
      const record = place && (await recordAt(handle, file, place));
      if (record?.type === 'chunk') left.push(...record.items);
    }
    return { index, left };
  } finally {
    await handle.close();
  }
}

/** Opens a journal to write on, or makes it. Only the holder of its lock may. Throws UsageError and CliError. */
export async function openJournal(path: string, header: Header): Promise<Journal> {
  const handle = await open(path, 'a+', 0o600).catch(() => {
    throw new UsageError(`Cannot write the journal ${path}.`, 'Give another file with --journal.');
  });
  const index = await indexOf(handle, path, header).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  const append = appender(handle, path, index.size);
  if (index.size === 0) {
    await append(header, true);
    await syncFolder(dirname(path));
  }
  const records = recordCache(handle, { path, operation: header.operation });
  return {
    index,
    async begin(items, tries) {
      const body = { references: items.map(({ reference }) => reference), items: items.map(({ item }) => item) };
      const key = `bulk-${letterHash(JSON.stringify([header.operation, tries, body]))}`;
      const record: ChunkRecord = { type: 'chunk', id: index.length, key, tries, ...body };
      // Reserved before the write: another worker may start a chunk meanwhile.
      index.addChunk(record, NOWHERE);
      try {
        index.addChunk(record, await append(record, true));
      } catch (error) {
        index.addAnswer({ type: 'answer', id: record.id, items: items.map(() => RELEASED) }, NOWHERE);
        throw error;
      }
      return record;
    },
    async answer(answer) {
      const record: AnswerRecord = { type: 'answer', ...answer };
      index.addAnswer(record, await append(record, false));
    },
    async chunk(id) {
      const record = await records(index.chunk(id)?.place);
      if (record?.type === 'chunk') return record;
      throw new TypeError('no chunk is there');
    },
    async answerOf(id) {
      const record = await records(index.chunk(id)?.answer);
      return record?.type === 'answer' ? record : undefined;
    },
    async close() {
      await handle.datasync().catch(() => undefined);
      await handle.close();
    },
  };
}

/** Reads a journal before it is continued, and removes an incomplete last line, which an interruption left. */
async function indexOf(handle: FileHandle, path: string, header: Header): Promise<JournalIndex> {
  if (!(await handle.stat()).isFile()) throw new UsageError(`The journal ${path} is no regular file.`);
  const index = await JournalIndex.read(handle, { path, operation: header.operation });
  checkHeader(index, header, path);
  await checkTorn(handle, index, header, path);
  await handle.truncate(index.size);
  return index;
}

/** The position of a record that is not written yet. */
const NOWHERE: Place = { at: 0, size: 0 };

/** Refuses a file without a complete line unless it is the beginning of a journal, so that no other file is emptied. */
async function checkTorn(handle: FileHandle, { size }: JournalIndex, header: Header, path: string): Promise<void> {
  if (size > 0) return;
  const whole = Buffer.from(JSON.stringify(header));
  const { size: found } = await handle.stat();
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(whole.length), 0, whole.length, 0);
  if (found <= whole.length && whole.subarray(0, bytesRead).equals(buffer.subarray(0, bytesRead))) return;
  throw damaged({ path, operation: header.operation });
}

/** The number of records in the cache. Most consecutive rows are in the same chunk. */
const RECORDS_KEPT = 8;

/** Returns a function that reads records by their position and caches the last ones. */
function recordCache(handle: FileHandle, file: JournalFile) {
  const kept = new Map<number, JournalRecord>();
  return async (place: Place | undefined): Promise<JournalRecord | undefined> => {
    if (!place) return undefined;
    const record = kept.get(place.at) ?? (await recordAt(handle, file, place));
    kept.delete(place.at);
    kept.set(place.at, record);
    const [oldest] = kept.keys();
    if (kept.size > RECORDS_KEPT && oldest !== undefined) kept.delete(oldest);
    return record;
  };
}

/** Throws UsageError if a journal belongs to another operation, relay or API key. */
function checkHeader({ header: found, size }: JournalIndex, header: Header, path: string): void {
  if (size === 0) return;
  const other = (['operation', 'relay', 'key'] as const).find((field) => found?.[field] !== header[field]);
  if (other === undefined) return;
  const what = { operation: found?.operation, relay: found?.relay, key: 'another API key' }[other];
  throw new UsageError(
    `The journal ${path} belongs to another ${other === 'key' ? 'run' : other}: ${what}.`,
    withoutJournal(header.operation),
  );
}

/** Syncs a folder, which stores the names of its files. Some systems cannot sync a folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

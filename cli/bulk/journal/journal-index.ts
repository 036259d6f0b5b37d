import type { FileHandle } from 'node:fs/promises';
import { idOf } from '../file/identity.ts';
import { type Outcome, outcomes } from './item-result.ts';
import {
  type AnswerRecord,
  type ChunkRecord,
  damaged,
  type Header,
  type JournalFile,
  type Place,
  readRecords,
} from './records.ts';

/** The summary of a chunk: two hundred bytes in memory instead of the ten thousand of its record. */
type Chunk = {
  place: Place;
  tries: number;
  /** A digit for each item's outcome; undefined without an answer. */
  outcomes?: string;
  operation?: string;
  answer?: Place;
};

/** The position of an item in the journal, and its outcome: undefined without an answer. */
type Found = { chunk: number; index: number; tries: number; outcome: Outcome | undefined };

/** Greater than the size of any chunk. */
const MAX_ITEMS = 256;

/** A compact index of a journal: the result of each item in its last request. */
export class JournalIndex {
  header: Header | undefined;
  /** The bytes of all whole records. */
  size = 0;
  readonly #chunks: Chunk[] = [];
  readonly #places = new Map<string, number>();

  /** Reads a journal. Throws UsageError if it is damaged. */
  static async read(handle: FileHandle, file: JournalFile): Promise<JournalIndex> {
    const index = new JournalIndex();
    for await (const { record, place } of readRecords(handle, file)) {
      if ((record.type === 'bulk') !== (place.at === 0)) throw damaged(file);
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

  /** The chunks with an unknown outcome whose operation the relay can report. */
  unknown(): number[] {
    const digit = String(outcomes.indexOf('unknown'));
    return [...this.#chunks.keys()].filter((id) => {
      const { outcomes: known, operation } = this.#chunks[id] ?? {};
      return operation !== undefined && known?.includes(digit);
    });
  }
}

import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { UsageError } from '../base/errors.ts';
import {
  type AnswerRecord,
  type ChunkRecord,
  type Header,
  type Outcome,
  outcomes,
  type Place,
  readRecords,
} from './journal-records.ts';
import type { Item } from './layout.ts';

/** What is known of a chunk without reading its record again: two hundred bytes, not ten thousand. */
type Chunk = {
  place: Place;
  tries: number;
  /** A digit for each item's outcome; undefined without an answer. */
  outcomes?: string;
  operation?: string;
  answer?: Place;
};

/** Where an item is in the journal, and what became of it; undefined without an answer. */
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

function damaged(path: string): UsageError {
  return new UsageError(
    `${path} is no journal of this command.`,
    'Give another file with --journal. The relay knows by their references which rows were done.',
  );
}

/** The names of one row: the reference that the relay keeps, and a short hash of it that this process keeps. */
export type Identity = { reference: string; id: string };

/**
 * Names the rows of one pass over a file, in their order: by their own reference, else by their content and how many equal rows
 * were before, and never by their place. Equal rows are different items, so each has a name of its own.
 */
export function identities(): (item: Item, reference: string | undefined) => Identity {
  const seen = new Map<string, number>();
  return (item, own) => {
    if (own !== undefined) return { reference: own, id: idOf(own) };
    const content = JSON.stringify(item);
    const short = shortHash(content);
    const before = seen.get(short) ?? 0;
    seen.set(short, before + 1);
    const reference = `csv-${letters(JSON.stringify([content, before]))}`;
    return { reference, id: idOf(reference) };
  };
}

/** The short hash of a reference. */
export function idOf(reference: string): string {
  return shortHash(reference);
}

/** A hash of 128 bits in letters alone: digits could look like a card number by chance, and be refused. */
export function letters(text: string): string {
  const hex = hash('sha256', text).slice(0, 32);
  return hex.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
}

/** 128 bits in sixteen characters: a map holds a hundred thousand of them. */
function shortHash(text: string): string {
  // A slice of a string would keep the whole of it.
  return hash('sha256', text, 'buffer').toString('latin1', 0, 16);
}

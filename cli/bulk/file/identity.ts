import { hash } from 'node:crypto';
import type { Item } from './layout.ts';

/** The identity of a row: the reference that the relay keeps, and its short hash, which this process keeps. */
export type Identity = { reference: string; id: string };

/**
 * Returns a function that identifies the rows of a file, called in their order. A row without a reference is identified by its content
 * and the number of equal rows before it, because equal rows are different items. The position of a row does not count.
 */
export function identities(): (item: Item, reference: string | undefined) => Identity {
  const seen = new Map<string, number>();
  return (item, reference) => {
    if (reference !== undefined) return { reference, id: idOf(reference) };
    // These two are looked up again in each run, so they do not identify a row.
    const { session_id: _, undecided: __, ...own } = item;
    const content = JSON.stringify(own);
    const short = idOf(content);
    const before = seen.get(short) ?? 0;
    seen.set(short, before + 1);
    const made = `csv-${letterHash(JSON.stringify([content, before]))}`;
    return { reference: made, id: idOf(made) };
  };
}

/** A hash of 128 bits, written in letters: digits could be refused because they look like a card number by chance. */
export function letterHash(text: string): string {
  const hex = hash('sha256', text).slice(0, 32);
  return hex.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
}

/** The short hash of a reference: 128 bits in 16 characters, because a run keeps a hundred thousand of them in memory. */
export function idOf(text: string): string {
  // A slice of a longer string would keep all of that string in memory.
  return hash('sha256', text, 'buffer').toString('latin1', 0, 16);
}

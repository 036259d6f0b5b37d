import { hash } from 'node:crypto';
import type { Item } from './layout.ts';

/** The names of one row: the reference that the relay keeps, and a short hash of it that this process keeps. */
export type Identity = { reference: string; id: string };

/**
 * Names the rows of one pass over a file, in their order: by their own reference, else by their content and how many equal rows
 * were before, and never by their place. Equal rows are different items, so each has a name of its own.
 */
export function identities(): (item: Item, reference: string | undefined) => Identity {
  const seen = new Map<string, number>();
  return (item, reference) => {
    if (reference !== undefined) return { reference, id: idOf(reference) };
    // What is undecided of an order is looked up anew in each run.
    const { session_id: _, undecided: __, ...own } = item;
    const content = JSON.stringify(own);
    const short = idOf(content);
    const before = seen.get(short) ?? 0;
    seen.set(short, before + 1);
    const made = `csv-${letters(JSON.stringify([content, before]))}`;
    return { reference: made, id: idOf(made) };
  };
}

/** A hash of 128 bits in letters alone: digits could look like a card number by chance, and be refused. */
export function letters(text: string): string {
  const hex = hash('sha256', text).slice(0, 32);
  return hex.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
}

/** The short hash of a reference: 128 bits in sixteen characters, as a map holds a hundred thousand of them. */
export function idOf(text: string): string {
  // A slice would keep the whole string in memory.
  return hash('sha256', text, 'buffer').toString('latin1', 0, 16);
}

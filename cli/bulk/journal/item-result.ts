import { z } from 'zod';

/**
 * The outcome of one item. `refused`: certainly not done, and sent again by the next run. `released`: its request was refused
 * because of another item, so that it goes into another request.
 */
export const outcomes = ['succeeded', 'failed', 'unknown', 'refused', 'released'] as const;
export type Outcome = (typeof outcomes)[number];

/** The outcome of one item, and the request that it comes from. `message` is for people, and may be empty. */
export type ItemResult = { outcome: Outcome; message: string } & (
  | { from: 'own_request' }
  /** A request of another file, or of a journal that was lost, had the item's reference before. */
  | { from: 'earlier_request' }
  /** The earlier request used the reference with other values: this item was not done. */
  | { from: 'request_with_other_values' }
);

/** The result of an item that goes into another request. */
export const RELEASED: ItemResult = { outcome: 'released', message: '', from: 'own_request' };

/** The result of an item that was done. */
export const SUCCEEDED: ItemResult = { outcome: 'succeeded', message: '', from: 'own_request' };

/** An outcome that is read from an earlier request. */
export function ofEarlierRequest({ outcome, message }: ItemResult, createdAt: string): ItemResult {
  return { outcome, message: joinNotes(earlierNote(createdAt), message), from: 'earlier_request' };
}

/** The outcome of an earlier request that had other values. `used` describes those values for people. */
export function ofOtherValues({ outcome, message }: ItemResult, createdAt: string, used: string): ItemResult {
  const notes = joinNotes(otherValuesNote(used), earlierNote(createdAt), message);
  return { outcome, message: notes, from: 'request_with_other_values' };
}

/** The note about a reference that was used with other values. */
export function otherValuesNote(used: string): string {
  return `${OTHER_VALUES} ${used}`;
}

function earlierNote(createdAt: string): string {
  return `${EARLIER_REQUEST} of ${createdAt}`;
}

/** Joins the notes of a message, without empty ones. */
export function joinNotes(...notes: readonly string[]): string {
  return notes.filter((note) => note !== '').join('; ');
}

/*
 * The journal has no field for the request that an outcome comes from, so the start of the message states it. Journals of earlier
 * runs contain these words, so they must not change.
 */
const EARLIER_REQUEST = 'done by an earlier request,';
const OTHER_VALUES = 'not with these values: its reference was used with';
/** An early version wrote this before the note of an earlier request. */
const EARLY_NOTE = 'with other values under this reference; ';

/** A result in the form of the journal, which is read into `ItemResult`. */
export const storedItemResult = z
  .object({ outcome: z.enum(outcomes), message: z.string().default('') })
  .transform((stored): ItemResult => ({ ...stored, from: originOf(stored.message) }));

/** Writes a result in the form of the journal. */
export function toStored({ outcome, message }: ItemResult): z.input<typeof storedItemResult> {
  return message === '' ? { outcome } : { outcome, message };
}

function originOf(message: string): ItemResult['from'] {
  if (message.startsWith(OTHER_VALUES)) return 'request_with_other_values';
  const isEarlier = [EARLIER_REQUEST, EARLY_NOTE + EARLIER_REQUEST].some((note) => message.startsWith(note));
  return isEarlier ? 'earlier_request' : 'own_request';
}

import type { Answered } from './keys.ts';
import type { OrderKey } from './orders.ts';
import type { StoredAuditEntry } from './people.ts';

/** A person's note on an order. `by` is the name of the key, or of the person behind `person:`; `at` is ISO 8601 in UTC. */
export type OrderNote = OrderKey & { id: string; at: string; by: string; note: string };

/** The notes of people on orders. */
export type NoteStore = {
  /** Adds a note with its entry of the audit log, and with the answer to its request if that has a key. */
  add(note: OrderNote, audit: StoredAuditEntry, answered?: Answered): Promise<void>;
  /** The newest notes on an order, at most `limit`, the newest first. */
  list(key: OrderKey, limit: number): Promise<OrderNote[]>;
  /** The newest note on each of these orders of an account that has one. */
  newest(account: string, orderNos: readonly string[]): Promise<OrderNote[]>;
};

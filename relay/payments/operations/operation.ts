import type { refundSearchResults } from '../../../shared/api/operation.ts';
import type { Metadata } from '../../../shared/checkout/metadata.ts';
import { type EffectName, type Operation, operations } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { Evidence, Fault } from '../../gateway/call.ts';
import type { ClearQueries } from '../absence-clock.ts';

/** Why the outcome of an operation is not known. */
type OperationUnknownReason = Fault | 'relay_stopped';

/** The outcome of one item of an operation: of a refund, say, whether the money goes back. */
export type ItemOutcome = 'succeeded' | 'failed' | 'unknown';

/** Who settled an operation that has no answer. `items` are the outcomes of all of its items at that time. */
export type Settlement =
  /** `who` is the name of the API key. */
  { by: 'person'; who: string; items: ItemOutcome[]; note?: string } | RefundsFound;

/**
 * What searches told of a refund. `refund_reference_ids` are those of the refunds that were found, one an item that is known.
 * `absent` are the numbers of the items that count as failed because searches did not show them; `late` when some of them were
 * shown after that.
 */
export type RefundsFound = {
  by: 'refund_search';
  items: ItemOutcome[];
  refund_reference_ids: string[];
  absent?: number[];
  late?: true;
};

/** The result of a refund search that did not settle the refund. */
export type RefundSearchResult = (typeof refundSearchResults)[number];

/**
 * The searches for the outcome of a refund. `before` are the refund_reference_ids that the gateway had for its payments
 * before it was sent, asked for at `asked_at`; without them no other refund proves to be its own. `since` is when it became
 * unknown, or was refused. `next_look_at` is when the gateway is asked next: not before that, and no more once the search is
 * given up. `clear` counts the searches that did not show all of it, `found` refunds of it apart. `ahead`: when a search saw first
 * that a clock was ahead when it became unknown, or was settled. `reopened_at`: when a search showed a record that may be this
 * refund, after it had counted as not made. Times are ISO 8601 in UTC.
 */
export type RefundLookup = {
  before?: string[];
  asked_at: string;
  since?: string;
  next_look_at?: string;
  looks: number;
  last_look?: { at: string; found: RefundSearchResult };
  clear?: ClearQueries & { found: number };
  ahead?: string;
  reopened_at?: string;
};

/** An answer that was none: why, and what came instead. */
type NoAnswer = { reason: OperationUnknownReason; since: string; evidence: Evidence };

/**
 * What the gateway said. `answer` is its own message, without card data; a payout's items stay unknown until it ends.
 * `disputed` (ISO 8601): since when the gateway has told two ends of a payout, and not which is the later one.
 */
type Answered = { answer: Message; items: ItemOutcome[]; disputed?: string };

/** The state of an operation. */
export type OperationState =
  | { status: 'in_flight' }
  /** `settlement`: what a person had said before the gateway did. */
  | ({ status: 'answered'; settlement?: Settlement } & Answered)
  /** `reserved`: a refund that still counts as refunded, until a search shows that it did not happen. */
  | { status: 'refused'; evidence: Evidence; reserved?: true }
  /** `not_configured` tells what the profile lacks to send it, `detail` why else it was not sent. */
  | { status: 'not_sent'; not_configured?: string; detail?: string }
  | ({ status: 'unknown' } & NoAnswer)
  | ({ status: 'settled'; settlement: Settlement } & Partial<NoAnswer> & Partial<Answered>);

/** One message to the gateway that changes something there: a batch, a subscription's end or a payout. */
export type StoredOperation = {
  id: string;
  /** The account's id in the relay's configuration. */
  account: string;
  name: EffectName;
  created_at: string;
  /** The name of the API key that asked for it. */
  by: string;
  /** The other person who approved it, where it needed that. */
  approved_by?: string;
  settled_at?: string;
  version: number;
  /** A payout's in lower case, which is unique for its account. */
  request_id?: string;
  /** The shop's own names of its items: unique for the account and the operation's name for good. */
  references?: readonly string[];
  /** The shop's own notes, which the gateway never sees. */
  metadata?: Metadata;
  /** What the shop asked for, as the gateway was sent it but without card data. */
  request: Message;
  state: OperationState;
  /** Of a refund that can be looked up. */
  lookup?: RefundLookup;
  /** Of a payout: the SHA-256, in hex, of the notifications that changed it. */
  applied?: readonly string[];
};

/** True where nothing came of an operation: its references may be used again. */
export function cameToNothing({ state }: StoredOperation): boolean {
  return state.status === 'not_sent' || (state.status === 'refused' && !state.reserved);
}

/**
 * A payout's request_id while it belongs to it: for good, unless nothing was sent. The gateway may have done also what it refused.
 */
export function heldRequestId({ state, request_id }: StoredOperation): string | undefined {
  return state.status === 'not_sent' ? undefined : request_id;
}

/** The outcome of an operation's item number `at`: `unknown` while it is being sent; undefined where the answer has no such item. */
export function outcomeAt(state: OperationState, at: number): ItemOutcome | undefined {
  switch (state.status) {
    case 'answered':
      return state.items[at];
    case 'settled':
      return state.settlement.items[at];
    case 'not_sent':
      return 'failed';
    case 'refused':
      return state.reserved ? 'unknown' : 'failed';
    case 'in_flight':
    case 'unknown':
      return 'unknown';
  }
}

/** The outcome of each item, where that is known of all of them. */
export function knownItems(operation: StoredOperation): ItemOutcome[] | undefined {
  const { state } = operation;
  switch (state.status) {
    case 'answered':
      return isOpen(operation) ? undefined : state.items;
    case 'settled':
      return state.settlement.items;
    case 'refused':
    case 'not_sent':
      return cameToNothing(operation) ? itemsOf(operation).map(() => 'failed') : undefined;
    case 'in_flight':
    case 'unknown':
      return undefined;
  }
}

/**
 * True where between these two states of an operation it became known what it did, or known otherwise than before. That nothing
 * came of one is reported to its caller; it is news only where that was unknown meanwhile.
 */
export function isCompleted(before: StoredOperation, after: StoredOperation): boolean {
  const known = knownItems(after);
  if (!known || known.join() === knownItems(before)?.join()) return false;
  return !cameToNothing(after) || before.state.status === 'unknown';
}

/** The items of an operation as they were asked for; a payout and a subscription's end are one. */
export function itemsOf({ name, request }: Pick<StoredOperation, 'name' | 'request'>): Message[] {
  const { batch }: Operation = operations[name];
  const list = batch ? request[batch.list] : [request];
  return Array.isArray(list) ? list : [request];
}

/**
 * When the gateway is asked about an operation next, as ISO 8601; undefined when it is known and cannot change, or waits for a person
 * alone.
 */
export function nextSearchAt(operation: StoredOperation): string | undefined {
  return isOpen(operation) || isWatched(operation) ? operation.lookup?.next_look_at : undefined;
}

/** True for a refund that counts as not made because searches did not show all of it: the gateway may book it late. */
export function isWatched({ name, state }: StoredOperation): boolean {
  if (state.status === 'refused') return name === 'refund' && !state.reserved;
  return state.status === 'settled' && state.settlement.by === 'refund_search' && state.settlement.absent !== undefined;
}

/** When that was planned (ISO 8601): once the look before it was made, or the first one when nothing was known. */
export function searchPlannedAt({ lookup }: StoredOperation): string | undefined {
  return lookup?.last_look?.at ?? lookup?.since;
}

/** True for an operation of which something is not known that a person can find out. */
export function isOpen({ state }: StoredOperation): boolean {
  switch (state.status) {
    case 'unknown':
      return true;
    case 'answered':
      return state.items.includes('unknown');
    case 'refused':
      return state.reserved === true;
    case 'in_flight':
    case 'not_sent':
    case 'settled':
      return false;
  }
}

/**
 * True for an operation that may need a person. A payout that was answered and has not ended is on its way, and of a refused
 * refund a search will nearly always show that nothing came of it.
 */
export function needsPerson(operation: StoredOperation): boolean {
  const { name, state } = operation;
  if (state.status === 'refused') return isOpen(operation) && nextSearchAt(operation) === undefined;
  const isOnItsWay = name === 'payout' && state.status === 'answered' && state.disputed === undefined;
  return isOpen(operation) && !isOnItsWay;
}

/** True when the search for an operation was given up between these two states of it. */
export function gaveUp(before: StoredOperation, after: StoredOperation): boolean {
  return nextSearchAt(before) !== undefined && isOpen(after) && nextSearchAt(after) === undefined;
}

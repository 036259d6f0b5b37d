import type { refundSearchResults } from '../../../shared/api/operation.ts';
import type { Metadata } from '../../../shared/checkout/metadata.ts';
import { type EffectName, type Operation, operations } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { Evidence, Fault } from '../../gateway/call.ts';
import type { ClearQueries } from '../absence-clock.ts';

/** Why the outcome of an operation is unknown. */
type OperationUnknownReason = Fault | 'relay_stopped';

/** The outcome of one item of an operation, such as one refund of a batch. */
export type ItemOutcome = 'succeeded' | 'failed' | 'unknown';

/** The settlement of an operation without an answer. `items` are the outcomes of all items at that time. */
export type Settlement =
  /** `who` is the name of the API key. */
  { by: 'person'; who: string; items: ItemOutcome[]; note?: string } | RefundsFound;

/**
 * The result of the searches for a refund. `refund_reference_ids` are those of the found refunds, one for each known
 * item. `absent` are the numbers of the items that count as failed because searches did not show them; `late`: a later
 * search showed some of them.
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

/** The searches for the outcome of a refund. Times are ISO 8601 in UTC. */
export type RefundLookup = {
  /**
   * The refund_reference_ids of its payments before it was sent. A search can only find the refund if they are known.
   */
  before?: string[];
  /** The time of the search for these ids. */
  asked_at: string;
  /** The time since when the refund is unknown or refused. */
  since?: string;
  /** The time of the next search. Absent before the first search is planned, and after the search is given up. */
  next_look_at?: string;
  /** The number of searches. */
  looks: number;
  /** The last search, and its result. */
  last_look?: { at: string; found: RefundSearchResult };
  /** The searches in a row that showed only `found` of its refunds. */
  clear?: ClearQueries & { found: number };
  /** When a search first saw the begin of the wait in the future, written by a clock that was ahead. */
  ahead?: string;
  /** When a search showed a record that may be this refund, after the refund had counted as not made. */
  reopened_at?: string;
};

/** Why and since when an operation has no usable answer, and what the gateway sent instead. */
type NoAnswer = { reason: OperationUnknownReason; since: string; evidence: Evidence };

/**
 * The gateway's message, without card data. The items of a payout stay unknown until it ends. `disputed` (ISO 8601):
 * since when the gateway has reported two ends of a payout without times that order them.
 */
type Answered = { answer: Message; items: ItemOutcome[]; disputed?: string };

/** The state of an operation. */
export type OperationState =
  | { status: 'in_flight' }
  /** `settlement`: a person's decision from before the gateway's answer. */
  | ({ status: 'answered'; settlement?: Settlement } & Answered)
  /** `reserved`: the refund still counts as refunded, until searches show that it was not made. */
  | { status: 'refused'; evidence: Evidence; reserved?: true }
  /** `not_configured` names the missing setting of the profile, `detail` another reason why it was not sent. */
  | { status: 'not_sent'; not_configured?: string; detail?: string }
  | ({ status: 'unknown' } & NoAnswer)
  | ({ status: 'settled'; settlement: Settlement } & Partial<NoAnswer> & Partial<Answered>);

/** One message that changes something at the gateway: a batch, a subscription's end or a payout. */
export type StoredOperation = {
  id: string;
  /** The account's id in the relay's configuration. */
  account: string;
  name: EffectName;
  created_at: string;
  /** The name of the API key that requested it. */
  by: string;
  /** The name of the person who approved it, if it needed an approval. */
  approved_by?: string;
  settled_at?: string;
  version: number;
  /** The request_id of a payout in lower case. It is unique for its account. */
  request_id?: string;
  /**
   * The shop's own references of its items. They are unique for the account and the name of the operation, permanently.
   */
  references?: readonly string[];
  /** The shop's metadata. The gateway never gets it. */
  metadata?: Metadata;
  /** The message to the gateway, without card data. */
  request: Message;
  state: OperationState;
  /** The search for a refund, if it can be found. */
  lookup?: RefundLookup;
  /** The SHA-256, in hex, of each notification that changed a payout. */
  applied?: readonly string[];
};

/** True for an operation without an effect at the gateway: its references may be used again. */
export function hadNoEffect({ state }: StoredOperation): boolean {
  return state.status === 'not_sent' || (state.status === 'refused' && !state.reserved);
}

/**
 * The request_id that no other payout may use; undefined if nothing was sent. The gateway may have carried out a
 * refused payout.
 */
export function heldRequestId({ state, request_id }: StoredOperation): string | undefined {
  return state.status === 'not_sent' ? undefined : request_id;
}

/**
 * The outcome of the item with the index `at`: `unknown` while the operation is being sent; undefined if the answer has
 * no such item.
 */
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

/** The outcome of each item; undefined unless all are known. */
export function knownItems(operation: StoredOperation): ItemOutcome[] | undefined {
  const { state } = operation;
  switch (state.status) {
    case 'answered':
      return canBeSettled(operation) ? undefined : state.items;
    case 'settled':
      return state.settlement.items;
    case 'refused':
    case 'not_sent':
      return hadNoEffect(operation) ? itemsOf(operation).map(() => 'failed') : undefined;
    case 'in_flight':
    case 'unknown':
      return undefined;
  }
}

/**
 * Whether the outcome of an operation became known or changed. The end of an operation without an effect counts only if
 * its outcome was unknown before; otherwise its own answer reported it.
 */
export function isCompleted(before: StoredOperation, after: StoredOperation): boolean {
  const known = knownItems(after);
  if (!known || known.join() === knownItems(before)?.join()) return false;
  return !hadNoEffect(after) || before.state.status === 'unknown';
}

/** The items of an operation's request; a payout and a subscription's end have one. */
export function itemsOf({ name, request }: Pick<StoredOperation, 'name' | 'request'>): Message[] {
  const { batch }: Operation = operations[name];
  const list = batch ? request[batch.list] : [request];
  return Array.isArray(list) ? list : [request];
}

/**
 * The time of the next search (ISO 8601); undefined if the outcome is known and cannot change, or only a person can
 * settle it.
 */
export function nextSearchAt(operation: StoredOperation): string | undefined {
  return canBeSettled(operation) || isWatched(operation) ? operation.lookup?.next_look_at : undefined;
}

/** True for a refund that counts as not made because searches did not show all of it. The gateway may still book it. */
export function isWatched({ name, state }: StoredOperation): boolean {
  if (state.status === 'refused') return name === 'refund' && !state.reserved;
  return state.status === 'settled' && state.settlement.by === 'refund_search' && state.settlement.absent !== undefined;
}

/** When the next search was planned (ISO 8601): after the search before it, or when the outcome became unknown. */
export function searchPlannedAt({ lookup }: StoredOperation): string | undefined {
  return lookup?.last_look?.at ?? lookup?.since;
}

/** True for an operation with an unknown outcome that a person can settle. */
export function canBeSettled({ state }: StoredOperation): boolean {
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
 * True for an operation that may need a person. An answered payout that has not ended needs none, nor does a refused
 * refund during its search, which nearly always shows that it was not made.
 */
export function needsPerson(operation: StoredOperation): boolean {
  const { name, state } = operation;
  if (state.status === 'refused') return canBeSettled(operation) && nextSearchAt(operation) === undefined;
  const isOnItsWay = name === 'payout' && state.status === 'answered' && state.disputed === undefined;
  return canBeSettled(operation) && !isOnItsWay;
}

/** Whether the search for an operation was given up between these two states. */
export function gaveUp(before: StoredOperation, after: StoredOperation): boolean {
  return nextSearchAt(before) !== undefined && canBeSettled(after) && nextSearchAt(after) === undefined;
}

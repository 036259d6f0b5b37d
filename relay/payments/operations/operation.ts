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

/** The settlement of an operation without an answer. `items` are the outcomes of all of its items at that time. */
export type Settlement =
  /** `who` is the name of the API key. */
  { by: 'person'; who: string; items: ItemOutcome[]; note?: string } | RefundsFound;

/**
 * The result of the searches for a refund. `refund_reference_ids` are those of the refunds that were found, one for each known item.
 * `absent` are the numbers of the items that count as failed because searches did not show them; `late`: a search showed some of them
 * after that.
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
  /** The refund_reference_ids that its payments had before it was sent. Without them no search can find the refund. */
  before?: string[];
  /** When they were searched for. */
  asked_at: string;
  /** Since when the refund is unknown, or refused. */
  since?: string;
  /** When the next search is due. Absent before the first search is planned, and after the search is given up. */
  next_look_at?: string;
  /** The number of searches. */
  looks: number;
  /** The last search, and its result. */
  last_look?: { at: string; found: RefundSearchResult };
  /** The searches in a row that showed only `found` of its refunds. */
  clear?: ClearQueries & { found: number };
  /** When a search first saw the begin of the wait in the future, noted by a clock that was ahead. */
  ahead?: string;
  /** When a search showed a record that may be this refund, after it had counted as not made. */
  reopened_at?: string;
};

/** Why an operation has no usable answer, since when, and what the gateway sent instead. */
type NoAnswer = { reason: OperationUnknownReason; since: string; evidence: Evidence };

/**
 * The gateway's answer: its own message, without card data. A payout's items stay unknown until it ends. `disputed` (ISO 8601): since
 * when the gateway has reported two ends of a payout, without the order of the two.
 */
type Answered = { answer: Message; items: ItemOutcome[]; disputed?: string };

/** The state of an operation. */
export type OperationState =
  | { status: 'in_flight' }
  /** `settlement`: what a person had said before the gateway did. */
  | ({ status: 'answered'; settlement?: Settlement } & Answered)
  /** `reserved`: a refund that still counts as refunded, until a search shows that it did not happen. */
  | { status: 'refused'; evidence: Evidence; reserved?: true }
  /** `not_configured` names what the profile lacks to send it, `detail` another reason why it was not sent. */
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
  /** The other person who approved it, if an approval was needed. */
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

/** True for an operation that changed nothing at the gateway: its references may be used again. */
export function hadNoEffect({ state }: StoredOperation): boolean {
  return state.status === 'not_sent' || (state.status === 'refused' && !state.reserved);
}

/** A payout's request_id, which no other payout may use; undefined if nothing was sent. The gateway may have made a refused payout. */
export function heldRequestId({ state, request_id }: StoredOperation): string | undefined {
  return state.status === 'not_sent' ? undefined : request_id;
}

/** The outcome of an operation's item number `at`: `unknown` while it is being sent; undefined if the answer has no such item. */
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
 * Whether the outcome of an operation became known, or changed. An operation that came to nothing counts only if its outcome was
 * unknown before: otherwise its own answer reported that.
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

/** When the next search for an operation is due (ISO 8601); undefined if it is known and cannot change, or waits only for a person. */
export function nextSearchAt(operation: StoredOperation): string | undefined {
  return canBeSettled(operation) || isWatched(operation) ? operation.lookup?.next_look_at : undefined;
}

/** True for a refund that counts as not made because searches did not show all of it: the gateway may book it later. */
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
 * True for an operation that may need a person. A payout that was answered and has not ended does not, nor does a refused refund while
 * it is searched for: a search nearly always shows that it was not made.
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

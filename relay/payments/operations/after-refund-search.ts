import {
  firstSeenInFuture,
  isAbsenceProved,
  type Moment,
  noClearQueries,
  notInFuture,
  withClearQuery,
} from '../absence-clock.ts';
import type { Match } from './match-refunds.ts';
import {
  canBeSettled,
  isWatched,
  type OperationState,
  type RefundLookup,
  type RefundSearchResult,
  type RefundsFound,
  type Settlement,
  type StoredOperation,
} from './operation.ts';
import { unnamedItems } from './refund-names.ts';

/** The pace of searches: their back-off, the time after which they prove absence, and their end. */
type Pace = { first_ms: number; max_ms: number; absent_ms: number; give_up_ms: number };

/** A search that does not count. */
type Uncounted = { kind: Extract<RefundSearchResult, 'search_unanswered' | 'search_refused'> };

type NotAllFound = Extract<Match, { kind: 'absent' }>;

const DAY_MS = 86_400_000;

/** How long a refund that counts as not made is still searched for. */
const WATCH_MS = 30 * DAY_MS;

/**
 * Plans the first search for the outcome of a refund.
 * @returns the operation unchanged if no search can find the refund. A search can find an unknown refund that has a lookup, an answered
 *   one with the refunds known before it or with a refund_reference_id in its answer, and every refused one
 */
export function withFirstSearch(operation: StoredOperation, now: Date, { first_ms }: Pace): StoredOperation {
  const { name, state, created_at, lookup } = operation;
  if (name !== 'refund' || !canBeSettled(operation)) return operation;
  if (state.status === 'unknown' && !lookup) return operation;
  const isNamed = state.status === 'answered' && unnamedItems(operation).length === 0;
  if (state.status === 'answered' && !lookup?.before && !isNamed) return operation;
  const begun: RefundLookup = lookup ?? { asked_at: created_at, looks: 0 };
  return { ...operation, lookup: { ...begun, since: now.toISOString(), next_look_at: later(now, first_ms) } };
}

/**
 * Applies a search to a refund. The refund is settled if its refunds were found, or if enough searches over `absent_ms` did not show
 * them; a refused one is released then. Otherwise a later search is planned, or none after `give_up_ms`. A refund that counts as not
 * made is searched for thirty days more, ever more rarely, and is open again if a search shows a record that may be it.
 * @param begun when the search began
 * @param steady the time without jumps of the clock: by it searches end
 * @returns the operation at its next version
 */
export function afterRefundSearch(
  operation: StoredOperation,
  found: Match | Uncounted,
  begun: Moment,
  now: Date,
  pace: Pace,
  steady = now,
): StoredOperation {
  const { state, lookup } = operation;
  const version = operation.version + 1;
  if (!lookup || !(canBeSettled(operation) || isWatched(operation))) return { ...operation, version };
  const { next_look_at: _, clear: before, ahead: seen, ...known } = lookup;
  const since = isWatched(operation) ? watchedSince(operation) : unknownSince(lookup, state);
  const ahead = firstSeenInFuture([since], seen, now);
  const rest = ahead === undefined ? known : { ...known, ahead };
  const at = now.toISOString();
  const looks = lookup.looks + 1;
  if (found.kind === 'found') return settledAt(operation, at, found, { ...rest, looks });
  const searched: RefundLookup = { ...rest, looks, last_look: { at, found: found.kind } };
  if (isWatched(operation)) {
    const soon: RefundLookup = { ...searched, next_look_at: later(now, pace.max_ms) };
    if (showsMore(operation, found)) {
      return found.kind === 'absent' ? settledAt(operation, at, found, soon) : reopened(operation, at, soon);
    }
    return {
      ...operation,
      version,
      lookup: watched(searched, notInFuture(Date.parse(since), ahead, now), { now, steady }, pace),
    };
  }
  const clear =
    found.kind === 'absent' ? notShownAgain(before, found, begun, pace) : isCounted(found) ? undefined : before;
  if (found.kind === 'absent' && clear && mayBeAbsent(state) && isAbsenceProved(clear, pace.absent_ms)) {
    // These refunds distinguish a late refund of this operation.
    const earlier = lookup.before ?? found.others;
    const next: RefundLookup = {
      ...{ ...searched, next_look_at: later(now, pace.max_ms) },
      ...(earlier ? { before: earlier } : {}),
    };
    if (state.status !== 'refused' || found.refund_reference_ids.length > 0)
      return settledAt(operation, at, found, next);
    const released = { status: 'refused', evidence: state.evidence } as const;
    return { ...operation, version, settled_at: at, state: released, lookup: next };
  }
  const open = { ...searched, ...(clear ? { clear } : {}) };
  // An ambiguous result stays ambiguous after `absent_ms`, although other refunds become known.
  const giveUpMs = found.kind === 'ambiguous' && !lookup.before ? pace.absent_ms : pace.give_up_ms;
  const isOver = steady.getTime() - notInFuture(Date.parse(since), ahead, now) >= giveUpMs;
  const wait = Math.min(pace.max_ms, pace.first_ms * 2 ** Math.min(looks, 30));
  return { ...operation, version, lookup: isOver ? open : { ...open, next_look_at: later(now, wait) } };
}

/**
 * Counts a search that did not show all refunds. If a refund of the batch appears, the count restarts, because others
 * may follow.
 */
function notShownAgain(
  before: RefundLookup['clear'],
  { refund_reference_ids: { length: found } }: NotAllFound,
  begun: Moment,
  { absent_ms }: Pace,
): NonNullable<RefundLookup['clear']> {
  return { ...withClearQuery(before?.found === found ? before : noClearQueries, begun, absent_ms), found };
}

function isCounted({ kind }: Match | Uncounted): boolean {
  return kind !== 'search_unanswered' && kind !== 'search_refused';
}

/** False if the gateway's own signed answer is about a refund: then only a found refund or a person settles it. */
function mayBeAbsent(state: OperationState): boolean {
  return state.status === 'refused' || (state.status === 'unknown' && state.reason !== 'echo_mismatch');
}

/** Whether a search shows a refund that counted as not made, or a record that may belong to it and to no other operation. */
export function showsMore({ state }: StoredOperation, found: Match | Uncounted): boolean {
  if (found.kind === 'ambiguous') return !found.contested;
  if (found.kind !== 'found' && found.kind !== 'absent') return found.kind === 'undecided';
  const known = state.status === 'settled' && state.settlement.by === 'refund_search' ? state.settlement : undefined;
  return found.refund_reference_ids.length > (known?.refund_reference_ids.length ?? 0);
}

/** The refund settled by a search. Items that the search does not show count as failed. */
function settledAt(
  operation: StoredOperation,
  at: string,
  found: Extract<Match, { kind: 'found' | 'absent' }>,
  lookup: RefundLookup,
): StoredOperation {
  const { state } = operation;
  const absent = [...found.items.entries()].flatMap(([nth, item]) => (item === 'unknown' ? [nth] : []));
  const settlement: RefundsFound = {
    by: 'refund_search',
    items: found.items.map((item) => (item === 'unknown' ? 'failed' : item)),
    refund_reference_ids: found.refund_reference_ids,
    ...(absent.length === 0 ? {} : { absent }),
    ...(isWatched(operation) ? { late: true } : {}),
  };
  const settled = state.status === 'settled' ? { ...state, settlement } : settledBy(state, settlement);
  return { ...operation, version: operation.version + 1, settled_at: at, state: settled, lookup };
}

/**
 * Reopens a refund that counted as not made: it counts as refunded until its outcome is known or a person settles it.
 */
function reopened({ settled_at: _, ...operation }: StoredOperation, at: string, lookup: RefundLookup): StoredOperation {
  return {
    ...operation,
    version: operation.version + 1,
    state: openAgain(operation.state),
    lookup: { ...lookup, since: at, reopened_at: at },
  };
}

function openAgain(state: OperationState): OperationState {
  if (state.status !== 'refused' && state.status !== 'settled') return state;
  const { evidence = {} } = state;
  return state.status === 'settled' && state.reason !== undefined && state.since !== undefined
    ? { status: 'unknown', reason: state.reason, since: state.since, evidence }
    : { status: 'refused', evidence, reserved: true };
}

/**
 * The time since when a refund counts as not made; at the earliest its creation, because a clock may have been behind.
 */
function watchedSince({ created_at, settled_at = created_at }: StoredOperation): string {
  return settled_at > created_at ? settled_at : created_at;
}

/** Plans the next search for a refund that counts as not made. The pauses grow with time. */
function watched(
  lookup: RefundLookup,
  since: number,
  { now, steady }: { now: Date; steady: Date },
  { max_ms }: Pace,
): RefundLookup {
  if (steady.getTime() - since >= WATCH_MS) return lookup;
  const age = now.getTime() - since;
  return { ...lookup, next_look_at: later(now, Math.min(Math.max(age, max_ms), DAY_MS)) };
}

/** The state of an operation after its settlement; unchanged if the state cannot be settled. */
export function settledBy(state: OperationState, settlement: Settlement): OperationState {
  switch (state.status) {
    case 'answered':
    case 'unknown':
      return { ...state, status: 'settled', settlement };
    case 'refused':
      return { status: 'settled', evidence: state.evidence, settlement };
    case 'in_flight':
    case 'not_sent':
    case 'settled':
      return state;
  }
}

/** The time since when a refund is searched for: from its lookup, or before the first search from its state. */
export function unknownSince({ since, asked_at }: RefundLookup, state: OperationState): string {
  return since ?? (state.status === 'unknown' ? state.since : asked_at);
}

function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}

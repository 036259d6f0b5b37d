import { noClearQueries } from '../absence-clock.ts';
import { type Attempt, isAtIssuerPage, issuerAddressesOf, isUnsettled, returnedAt, wasSent } from '../attempt.ts';
import { type HoldReason, isPaid, type PaymentRules, type StoredOrder, sessionOf } from '../order.ts';
import { withNextQuery } from '../schedule.ts';
import { isWaiting, type Session, type SessionState } from '../session.ts';
import { type Decision, moveSession, startDecision, withAttempt, withOrder, withSession } from '../transitions.ts';
import { type Approval, holdReason, needsPersonAtOnce, type Undecided, undecidedOf } from './match.ts';
import { type BookRecord, seenOf } from './records.ts';
import { closePaid, hasUnsettled } from './release.ts';
import { newSearch } from './waiting.ts';

/**
 * Rule 7. Holds an unpaid order while records are undecided, and releases it otherwise. The attempts of the records become pending or
 * unknown, and so do their sessions.
 */
export function holdByRecords(
  before: Decision,
  records: readonly BookRecord[],
  approvals: readonly Extract<Approval, { kind: 'paid_before' | 'amount_differs' }>[],
  now: Date,
): Decision {
  const undecided = isPaid(before.order) ? [] : undecidedOf(before.order, records, approvals);
  const reason = holdReason(undecided);
  if (reason === undefined) return withoutHold(before);
  const since = before.order.undecided?.since ?? now.toISOString();
  const seen = undecided.map(({ record, attempt }) => ({
    ...seenOf(record),
    ...(attempt ? { attempt_id: attempt.id } : {}),
  }));
  let decision = withOrder(before, { undecided: { reason, since, records: seen } });
  decision = undecided.reduce((done, one) => holdAttempt(done, one, now), decision);
  decision = holdReturned(decision, reason, now);
  return holdSessions(decision, reason, undecided, now);
}

function withoutHold(decision: Decision): Decision {
  const { undecided: _, ...order } = decision.order;
  return decision.order.undecided ? withOrder({ ...decision, order }, {}) : decision;
}

/** Holds the attempt of an undecided record, unless its answer is awaited or its shopper is at the issuer's page. */
function holdAttempt(decision: Decision, { record, reason, attempt: found }: Undecided, now: Date): Decision {
  const attempt = decision.order.attempts.find(({ id }) => id === found?.id);
  if (!attempt || attempt.state.status === 'in_flight') return decision;
  if (isAtIssuerPage(attempt) && reason !== 'pending') return decision;
  const { settled_at: _, ...rest } = attempt;
  const { transaction_id } = record;
  const isNamed = attempt.transaction_id === undefined && transaction_id !== undefined;
  const named = isNamed ? ({ transaction_id, named_by: 'record' } as const) : {};
  return withAttempt(decision, { ...rest, ...named, clear: noClearQueries, state: heldState(attempt, reason, now) });
}

/** Makes returned attempts unknown, because another record of the order is undecided. */
function holdReturned(before: Decision, reason: HoldReason, now: Date): Decision {
  return before.order.attempts.reduce((decision, attempt) => {
    const { state } = attempt;
    if (!isUnsettled(attempt) || state.status === 'in_flight') return decision;
    const held = returnedAt(attempt) !== undefined || (state.status === 'redirected' && needsPersonAtOnce(reason));
    return withAttempt(decision, {
      ...attempt,
      clear: noClearQueries,
      ...(held
        ? { state: { status: 'unknown', reason: unknownReason(reason), evidence: {}, since: now.toISOString() } }
        : {}),
    });
  }, before);
}

function heldState({ state }: Attempt, reason: HoldReason, now: Date): Attempt['state'] {
  if (reason === 'pending') {
    return state.status === 'pending'
      ? state
      : { status: 'pending', since: now.toISOString(), ...issuerAddressesOf(state) };
  }
  if (state.status === 'unknown') return { ...state, reason: unknownReason(reason) };
  return { status: 'unknown', reason: unknownReason(reason), evidence: {}, since: now.toISOString() };
}

/** The reason for an attempt that is not pending itself: a pending record of another attempt says nothing about it. */
function unknownReason(reason: HoldReason): Exclude<HoldReason, 'pending'> {
  return reason === 'pending' ? 'codes_not_listed' : reason;
}

function holdSessions(before: Decision, reason: HoldReason, undecided: readonly Undecided[], now: Date): Decision {
  const awaited = before.order.attempts.find(({ id }) => undecided.some(({ attempt }) => attempt?.id === id));
  const reporting = reportingSession(before.order);
  return before.order.sessions.reduce((decision, session) => {
    const isHeld =
      isWaiting(session) ||
      (session.state.status === 'open' && (session.id === reporting || hasUnsettled(decision.order, session)));
    return isHeld ? holdSession(decision, session, reason, awaited, now) : decision;
  }, before);
}

/** The session that reports what holds the order if none waits: that of the latest attempt, else the latest open one. */
function reportingSession({ sessions, attempts }: StoredOrder): string | undefined {
  if (sessions.some(isWaiting)) return undefined;
  const open = sessions.filter(({ state }) => state.status === 'open');
  const latest = attempts.findLast(({ session_id }) => open.some(({ id }) => id === session_id))?.session_id;
  return latest ?? open.at(-1)?.id;
}

function holdSession(
  decision: Decision,
  session: Session,
  reason: HoldReason,
  awaited: Attempt | undefined,
  now: Date,
): Decision {
  const { state } = session;
  const { attempts } = decision.order;
  const own = attempts.filter((attempt) => attempt.session_id === session.id && isUnsettled(attempt));
  const attempt =
    own.find(({ state: { status } }) => status === 'unknown') ??
    own[0] ??
    awaited ??
    attempts.findLast(wasSent) ??
    attempts.at(-1);
  // The shopper is still at the issuer's page.
  if (!attempt || isSessionAtIssuer(decision.order, session) || attempt.state.status === 'redirected') return decision;
  const isPending =
    own.length > 0 ? attempt.state.status === 'pending' && !needsPersonAtOnce(reason) : reason === 'pending';
  if (isPending) {
    const next = pendingState(decision.order, session, attempt, now);
    if (state.status !== 'pending') return moveSession(decision, session.id, next, 'record_pending');
    return withSession(decision, { ...session, state: { ...next, search: state.search } });
  }
  const next = unknownState(session, attempt, reason, now);
  const isReported = state.status === 'unknown' && state.search.needs_attention === next.search.needs_attention;
  return isReported
    ? withSession(decision, { ...session, state: next })
    : moveSession(decision, session.id, next, 'record_undecided');
}

/** The state of a session that waits for a pending record, with the transaction of that record. */
function pendingState(
  { undecided }: StoredOrder,
  { state }: Session,
  attempt: Attempt,
  now: Date,
): Extract<SessionState, { status: 'pending' }> {
  const { since, looks } = 'search' in state ? state.search : newSearch(now);
  const records = undecided?.records ?? [];
  const record = records.find((one) => one.transaction_id === attempt.transaction_id) ?? records[0];
  const transaction_id = record?.transaction_id || attempt.transaction_id;
  return {
    status: 'pending',
    attempt_id: attempt.id,
    search: { since, looks, needs_attention: false },
    ...(transaction_id === undefined ? {} : { transaction_id }),
  };
}

/** The state of a session that waits for a record without a clear meaning. */
function unknownState(
  { state }: Session,
  attempt: Attempt,
  reason: HoldReason,
  now: Date,
): Extract<SessionState, { status: 'unknown' }> {
  const search = 'search' in state ? state.search : newSearch(now);
  const isForPerson = needsPersonAtOnce(reason);
  return {
    status: 'unknown',
    attempt_id: attempt.id,
    search: {
      ...search,
      reason: isForPerson || attempt.state.status !== 'unknown' ? unknownReason(reason) : attempt.state.reason,
      needs_attention: isForPerson || (state.status === 'unknown' && search.needs_attention),
    },
  };
}

function isSessionAtIssuer({ attempts }: StoredOrder, { state }: Session): boolean {
  if (state.status !== 'redirected') return false;
  return attempts.some(({ id, state: { status } }) => id === state.attempt_id && status === 'redirected');
}

/**
 * Ends the session that is about to be paid if its order is paid, and makes it wait if a record of any session of its order is undecided.
 * Undefined if neither applies, or if the session is not open.
 */
export function holdPayingSession(
  order: StoredOrder,
  sessionId: string,
  now: Date,
  rules: PaymentRules,
): Decision | undefined {
  const session = sessionOf(order, sessionId);
  if (session.state.status !== 'open') return undefined;
  if (order.hold === 'paid') return withNextQuery(closePaid(startDecision(order)), now, rules);
  if (!order.undecided) return undefined;
  return withNextQuery(holdByOrder(startDecision(order), session, now), now, rules);
}

/** Makes a session wait for the record that holds its order. Without such a record nothing changes. */
export function holdByOrder(decision: Decision, session: Session, now: Date): Decision {
  const { attempts, undecided } = decision.order;
  if (!undecided) return decision;
  const { reason, records } = undecided;
  const awaited =
    attempts.findLast(({ transaction_id }) => records.some((one) => one.transaction_id === transaction_id)) ??
    attempts.findLast(({ state }) => state.status === 'pending' || state.status === 'unknown');
  return holdSession(decision, session, reason, awaited, now);
}

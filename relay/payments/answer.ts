import type { Outcome } from '../gateway/outcome.ts';
import { isInFuture, noClearQueries } from './absence-clock.ts';
import { type Attempt, inFlightSince, isUnsettled } from './attempt.ts';
import { attemptOf, isPaid, type PaymentRules, type StoredOrder, sessionOf } from './order.ts';
import { withNextQuery } from './schedule.ts';
import type { Session, SessionState } from './session.ts';
import { followPayments } from './settlement/confirmation.ts';
import { creditPayment } from './settlement/credit.ts';
import { holdByOrder } from './settlement/hold.ts';
import { closePaid, releaseSessions, unpaidState } from './settlement/release.ts';
import { becomeUnknown, newSearch } from './settlement/waiting.ts';
import { type Cause, type Decision, moveSession, startDecision, withAttempt } from './transitions.ts';

/**
 * Moves an order on by the gateway's own answer to one attempt, whenever it comes: at once, or long after a query, a person
 * or another relay settled the attempt. What it proves counts in every state.
 */
export function applyAnswer(
  order: StoredOrder,
  attemptId: string,
  outcome: Outcome,
  now: Date,
  rules: PaymentRules,
): Decision {
  const attempt = attemptOf(order, attemptId);
  const decision = afterAnswer(startDecision(order), attempt, outcome, now, rules);
  const released = closePaid(releaseSessions(decision, now, rules));
  return withNextQuery(followPayments(released, undefined, now, rules), now, rules);
}

/** True for an attempt whose own answer can still change it, even if no session waits for it. */
export function isOpenToAnswer({ state }: Attempt): boolean {
  return state.status === 'in_flight' || state.status === 'unknown';
}

function afterAnswer(before: Decision, attempt: Attempt, outcome: Outcome, now: Date, rules: PaymentRules): Decision {
  if (outcome.kind === 'approved') {
    const { transaction_id, card, result, recurring_id, unsigned, details = {} } = outcome;
    const proof = {
      transaction_id,
      amount: attempt.amount,
      currency: attempt.currency,
      proof: 'answer',
      date: attempt.started_at,
      result,
      details,
      ...(unsigned ? { unsigned } : {}),
      ...(card ? { card } : {}),
      ...(recurring_id === undefined ? {} : { recurring_id }),
    } as const;
    return creditPayment(before, proof, attempt, now);
  }
  if (!isOpenToAnswer(attempt)) return withOther(before, attempt, outcome);
  switch (outcome.kind) {
    case 'declined': {
      const { result, advice, transaction_id, unsigned } = outcome;
      const signed = transaction_id && !unsigned ? { signed_id: transaction_id } : {};
      const named = transaction_id ? { transaction_id, ...signed } : {};
      const proof = unsigned ? {} : ({ proof: 'answer' } as const);
      const state = { status: 'declined', result, ...proof } as const;
      return endUnpaid(before, { ...attempt, ...named, state }, 'answer_declined', { result, advice }, now, rules);
    }
    case 'redirect':
      return applyRedirect(before, attempt, outcome, now);
    case 'pending':
      return applyPending(before, attempt, outcome, now);
    case 'refused': {
      const { result, evidence } = outcome;
      // The gateway may have refused because another attempt is not settled yet.
      if (before.order.attempts.some((other) => other.id !== attempt.id && isUnsettled(other))) {
        return attempt.state.status === 'unknown'
          ? before
          : applyUnknown(before, attempt, { reason: 'gateway_refused', evidence }, 'answer_refused', now);
      }
      const state = { status: 'refused', result, evidence } as const;
      return endUnpaid(
        before,
        { ...attempt, state },
        'answer_refused',
        { result, advice: 'check_details' },
        now,
        rules,
      );
    }
    case 'not_sent':
      return endUnpaid(before, { ...attempt, state: { status: 'not_sent' } }, 'not_sent', {}, now, rules);
    case 'unknown': {
      const { signed_approval, signed_id } = outcome;
      const named: Attempt = {
        ...attempt,
        ...(signed_approval ? { signed_approval } : {}),
        ...(signed_id === undefined ? {} : { signed_id, transaction_id: signed_id }),
      };
      if (attempt.state.status !== 'unknown') return applyUnknown(before, named, outcome, 'answer_unknown', now);
      return withAttempt(before, named);
    }
  }
}

/** An answer names another transaction than the record that approved its attempt. That transaction may be charged too. */
function withOther(before: Decision, attempt: Attempt, outcome: Outcome): Decision {
  const id = signedIdOf(outcome);
  const isPayment = before.order.payments.some(({ transaction_id }) => transaction_id === id);
  if (attempt.state.status !== 'approved' || id === undefined || isPayment) return before;
  return withAttempt(before, { ...attempt, signed_id: id, other_id: id });
}

function signedIdOf(outcome: Outcome): string | undefined {
  if (outcome.kind === 'unknown') return outcome.signed_id;
  const isNamed = (outcome.kind === 'declined' || outcome.kind === 'pending') && !outcome.unsigned;
  return isNamed ? outcome.transaction_id : undefined;
}

/** The session of an attempt that is over, if it waits for this attempt. */
function waitingSession({ order }: Decision, attempt: Attempt): Session | undefined {
  const session = sessionOf(order, attempt.session_id);
  const { state } = session;
  const waits = state.status === 'processing' || state.status === 'unknown';
  return waits && state.attempt_id === attempt.id ? session : undefined;
}

function endUnpaid(
  before: Decision,
  attempt: Attempt,
  cause: Extract<Cause, 'answer_declined' | 'answer_refused' | 'not_sent'>,
  declined: Pick<Extract<SessionState, { status: 'open' }>, 'advice' | 'result'>,
  now: Date,
  rules: PaymentRules,
): Decision {
  const decision = withAttempt(before, { ...attempt, settled_at: now.toISOString() });
  const session = waitingSession(decision, attempt);
  if (!session) return decision;
  if (isPaid(decision.order)) {
    const state = { status: 'failed', reason: 'order_already_paid' } as const;
    return moveSession(decision, session.id, state, 'order_paid', { reason: 'order_already_paid' });
  }
  // Undecided records hold the order, so they hold the session too.
  if (decision.order.undecided) return holdByOrder(decision, session, now);
  // A shop that received `unknown` learns that nothing was sent.
  const reason = cause !== 'not_sent' ? 'declined' : session.state.status === 'unknown' ? 'absent' : undefined;
  const shown = cause === 'not_sent' ? {} : ({ notice: 'declined', ...declined } as const);
  const state = unpaidState(decision.order, session, attempt, reason, now, rules, shown);
  return moveSession(decision, session.id, state, cause, reason === undefined ? {} : { reason });
}

function applyRedirect(
  before: Decision,
  attempt: Attempt,
  { transaction_id, issuer_url }: Extract<Outcome, { kind: 'redirect' }>,
  now: Date,
): Decision {
  if (attempt.state.status !== 'in_flight') return before;
  const named = { ...attempt, ...(transaction_id ? { transaction_id } : {}) };
  const session = sessionOf(before.order, attempt.session_id);
  if (isPaid(before.order) || session.state.status !== 'processing' || session.state.attempt_id !== attempt.id) {
    // The order was paid meanwhile. The shopper is not redirected, and the gateway is queried about this attempt.
    return applyUnknown(before, named, { reason: 'left_at_issuer', evidence: {} }, 'answer_unknown', now);
  }
  const decision = withAttempt(before, { ...named, state: { status: 'redirected', issuer_url } });
  return moveSession(decision, session.id, { status: 'redirected', attempt_id: attempt.id }, 'answer_redirect');
}

/** An earlier record about the attempt keeps its effect. */
function applyPending(
  before: Decision,
  attempt: Attempt,
  { transaction_id, unsigned }: Extract<Outcome, { kind: 'pending' }>,
  now: Date,
): Decision {
  const isHeld = attempt.state.status === 'unknown' && before.order.undecided !== undefined;
  const next: Attempt = {
    ...attempt,
    answered_pending: true,
    ...(transaction_id ? { transaction_id, ...(unsigned ? {} : { signed_id: transaction_id }) } : {}),
    ...(isHeld ? {} : { clear: noClearQueries, state: { status: 'pending', since: now.toISOString() } }),
  };
  const decision = withAttempt(before, next);
  const session = isHeld ? undefined : waitingSession(before, attempt);
  if (!session) return decision;
  if (decision.order.undecided) return holdByOrder(decision, session, now);
  const { search = newSearch(now) } = session.state.status === 'unknown' ? session.state : {};
  const state = {
    status: 'pending',
    attempt_id: attempt.id,
    search: { since: search.since, looks: search.looks, needs_attention: false },
    ...(transaction_id ? { transaction_id } : {}),
  } as const;
  return moveSession(decision, session.id, state, 'answer_pending');
}

function applyUnknown(
  before: Decision,
  attempt: Attempt,
  { reason, evidence }: Pick<Extract<Outcome, { kind: 'unknown' }>, 'reason' | 'evidence'>,
  cause: 'answer_unknown' | 'answer_refused' | 'orphaned',
  now: Date,
): Decision {
  if (waitingSession(before, attempt)) return becomeUnknown(before, attempt, { reason, cause, evidence }, now);
  const state = { status: 'unknown', reason, evidence, since: now.toISOString() } as const;
  return withAttempt(before, { ...attempt, state });
}

/** Marks an attempt as unknown if its relay stopped while it was sent. Undefined if there is no such attempt. */
export function orphanAttempt(order: StoredOrder, now: Date, rules: PaymentRules): Decision | undefined {
  const attempt = order.attempts.find(
    (one) => one.state.status === 'in_flight' && isOrphaned(inFlightSince(one), now, rules),
  );
  if (!attempt) return undefined;
  const stopped = { reason: 'relay_stopped', evidence: {} } as const;
  return withNextQuery(applyUnknown(startDecision(order), attempt, stopped, 'orphaned', now), now, rules);
}

function isOrphaned(since: string, now: Date, { orphanedMs }: PaymentRules): boolean {
  return now.getTime() - Date.parse(since) >= orphanedMs;
}

/**
 * The order of an attempt that is still being sent, with its next query. If the attempt's start is in the future, it counts as in flight
 * since now.
 */
export function stillInFlight(order: StoredOrder, now: Date, rules: PaymentRules): Decision {
  const seen_at = now.toISOString();
  const attempts = order.attempts.map((one): Attempt => {
    const isAhead = one.state.status === 'in_flight' && isInFuture(Date.parse(inFlightSince(one)), now);
    return isAhead ? { ...one, state: { status: 'in_flight', seen_at } } : one;
  });
  return withNextQuery(startDecision({ ...order, attempts }), now, rules);
}

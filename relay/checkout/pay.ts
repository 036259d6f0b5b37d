import type { PayAnswer } from '../../shared/checkout/pay.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import { type Context, newId } from '../context.ts';
import { ProblemError } from '../errors.ts';
import { type Outcome, readOutcome } from '../gateway/outcome.ts';
import { type CardSecrets, maskPan } from '../gateway/redact.ts';
import type { Account } from '../load-config.ts';
import { traced } from '../trace.ts';
import { afterAnswer } from './after-answer.ts';
import { commit } from './commit.ts';
import { checkOpen, notStarted, orderProblem } from './conflicts.ts';
import type { RequestFacts } from './device.ts';
import { lookAt } from './look.ts';
import { type PayBody, type PaymentMessage, paymentMessage } from './message.ts';
import { checkOffered } from './offered.ts';
import { payAnswer } from './pay-answer.ts';
import { quotasOf } from './quotas.ts';
import { type Attempt, type Session, wasLeft } from './session.ts';
import { attemptsMade, withState } from './transitions.ts';

/** One request of a shopper's browser to pay. */
export type PayRequest = {
  session: Session;
  account: Account;
  body: PayBody;
  facts: RequestFacts;
  /** The device's id from now on. */
  deviceId: string;
  /** Its `Idempotency-Key`: the same one again is the same request, repeated by the browser or the network. */
  key?: string | undefined;
};

/**
 * Pays an open session once. The attempt is durable before the gateway is called, and its outcome before this returns.
 * Throws ProblemError when nothing was sent: the session is not open, changed, its order is held or paid, the request is
 * a repetition, or the gateway cannot be reached.
 */
export async function pay(context: Context, request: PayRequest): Promise<PayAnswer> {
  const { account, body, facts, deviceId } = request;
  const now = context.now();
  const session = await payableSession(context, request, now);

  const publicUrl = context.config.public_url;
  const { operation, message } = paymentMessage({ session, account, publicUrl, body, facts, deviceId, now });
  const attempt = newAttempt(session, body, now, request.key);
  const processing = withState(session, { status: 'processing', attempt_id: attempt.id });
  const payer = { ...paidWith(body), shopper_ip: facts.shopper_ip };
  const started = await context.store.startAttempt(processing, attempt, quotasOf(context, account, payer));
  if (started.kind === 'changed') {
    throw new ProblemError('attempt_in_flight', 'A payment is under way. Look at the session.');
  }
  if (started.kind !== 'started') throw notStarted(context, started);

  return (await sendAttempt(context, { account, processing, attempt, operation, message, body })).answer;
}

/** The session as it may be paid now. Throws ProblemError when it may not. */
async function payableSession(context: Context, request: PayRequest, now: Date): Promise<Session> {
  const { session, account } = request;
  const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
  checkPayable(session, attempts, request, now);
  checkAttemptsLeft(context, session, attempts, now);
  if (!attempts.some(wasLeft)) return session;
  await checkLeftAttempts(context, account, attempts);
  // Asking took time, in which this very request may have been repeated and paid: everything is checked again.
  const asked = (await context.store.session(session.id)) ?? session;
  checkPayable(asked, await context.store.attemptsOfOrder(session.account, session.order_no), request, now);
  return asked;
}

function checkPayable(session: Session, attempts: readonly Attempt[], { body, key }: PayRequest, now: Date): void {
  checkOpen(session, now);
  if ((body.revision ?? 1) !== session.revision) {
    throw new ProblemError('session_changed', 'The order changed since it was shown. Show it again before it is paid.');
  }
  checkOffered(session, body);
  const isRepeated = (attempt: Attempt): boolean =>
    attempt.key === key && attempt.session_id === session.id && attempt.state.status !== 'not_sent';
  if (key !== undefined && attempts.some(isRepeated)) {
    throw new ProblemError('attempt_in_flight', 'This payment was sent before. Look at the session.');
  }
}

/** Its last attempt ends a session; this is for one that has used up its attempts by another setting. */
function checkAttemptsLeft(context: Context, session: Session, attempts: readonly Attempt[], now: Date): void {
  if (attemptsMade(session.id, attempts) < context.config.limits.attempts_per_session) return;
  context.metrics.limited('session');
  const seconds = Math.ceil((Date.parse(session.expires_at) - now.getTime()) / 1000);
  throw new ProblemError('too_many_attempts', 'This session takes no more attempts. The shop must make a new one.', {
    headers: { 'Retry-After': String(seconds) },
  });
}

/**
 * An attempt that the shopper left at the issuer's page may have been paid after all. Before the order is paid another
 * way, the gateway is asked, by a query that starts now. Throws ProblemError when it is paid, or when nobody can tell.
 */
export async function checkLeftAttempts(
  context: Context,
  account: Account,
  attempts: readonly Attempt[],
): Promise<void> {
  for (const id of new Set(attempts.filter(wasLeft).map((attempt) => attempt.session_id))) {
    const left = await context.store.session(id);
    if (!left) continue;
    const { counts, undecided } = await lookAt(context, account, [left], 'shopper_is_back');
    if ((await context.store.session(id))?.state.status === 'approved') throw orderProblem('order_already_paid');
    if (undecided) throw orderProblem('order_in_progress');
    if (!counts) {
      throw new ProblemError('gateway_unreachable', 'The gateway cannot be asked, so this was not sent. Try again.');
    }
  }
}

/** An attempt that is durable and ready to be sent. */
export type Sending = {
  account: Account;
  /** The session as it stands in the store. */
  processing: Session;
  attempt: Attempt;
  body: Cardholder;
} & PaymentMessage;

/** What the payer hears, and the session and attempt as they are written. */
export type Sent = { answer: PayAnswer; session: Session; attempt: Attempt };

/** Sends an attempt and writes what became of it. Throws ProblemError when nothing was sent. */
export async function sendAttempt(context: Context, sending: Sending): Promise<Sent> {
  const { account, processing, attempt, operation, message, body } = sending;
  const own = ownSecrets(body);
  const sent = { session: attempt.session_id, attempt: attempt.id };
  const called = await traced(sent, () => context.call(operation, account, message, own));
  const { merchant_id, account_id } = account;
  const { order_no, amount, currency } = attempt;
  const expected = { merchant_id, account_id, order_no, amount, currency };
  const outcome = readOutcome(called, expected, context.config.gateway.profile.codes, own);

  try {
    return await finish(context, account, processing, attempt, outcome);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    // The gateway may have charged: the resolver takes the session over, and nobody is told that it failed.
    const name = error instanceof Error ? error.name : 'unknown';
    context.log.error(
      { session: processing.id, attempt: attempt.id, outcome: outcome.kind, error: name },
      'outcome not stored',
    );
    return { answer: { status: 'unknown' }, session: processing, attempt };
  }
}

async function finish(
  context: Context,
  account: Account,
  processing: Session,
  attempt: Attempt,
  outcome: Outcome,
): Promise<Sent> {
  const attempts = await context.store.attemptsOfOrder(processing.account, processing.order_no);
  const { limits, resolve } = context.config;
  const change = afterAnswer(processing, attempt, outcome, { now: context.now(), attempts, limits, resolve });
  const written = await commit(context, processing, change, attempts);
  logOutcome(context, attempt, outcome, written);
  // Where somebody else settled it meanwhile (the resolver, after a very long call), the store knows better.
  if (!written) return { answer: { status: 'unknown' }, session: processing, attempt };
  return { ...change, answer: payAnswer(context, account, change, attempts) };
}

function logOutcome(context: Context, attempt: Attempt, outcome: Outcome, written: boolean): void {
  context.metrics.payment(operationOf(attempt), outcome.kind, outcome.kind === 'unknown' ? outcome.reason : undefined);
  const logged = { session: attempt.session_id, attempt: attempt.id, outcome: outcome.kind, written };
  switch (outcome.kind) {
    case 'refused':
      context.log.warn({ ...logged, evidence: outcome.evidence }, 'the gateway refused a payment message');
      return;
    case 'unknown':
      context.log.warn({ ...logged, reason: outcome.reason, evidence: outcome.evidence }, 'outcome unknown');
      return;
    default:
      context.log.info({ ...logged, ...transactionOf(outcome) }, 'payment answered');
  }
}

function operationOf({ method }: Attempt): OperationName {
  return method === 'card' || method === 'token' ? 'direct_payment' : 'apm_payment';
}

function transactionOf(outcome: Outcome): { transaction_id?: string } {
  return 'transaction_id' in outcome && outcome.transaction_id ? { transaction_id: outcome.transaction_id } : {};
}

/** The card data of a request, and what else tells how it is paid. */
export type Cardholder = {
  card?: string;
  token_id?: string;
  security_code?: string | undefined;
  payment_method?: string;
};

/** A new attempt to pay a session's order, frozen as it is sent. */
export function newAttempt(session: Session, body: Cardholder, now: Date, key?: string): Attempt {
  const { order } = session.terms;
  return {
    id: newId('at'),
    session_id: session.id,
    ...(key === undefined ? {} : { key }),
    account: session.account,
    order_no: session.order_no,
    method: body.payment_method ?? (body.card === undefined ? 'token' : 'card'),
    ...(body.card === undefined ? {} : { card: maskPan(body.card) }),
    amount: order.amount,
    currency: order.currency,
    started_at: now.toISOString(),
    state: { status: 'in_flight' },
  };
}

/** What attempts are counted by, of what a payment is made with. */
export function paidWith({ card, token_id }: Cardholder): { card?: string; token_id?: string } {
  return { ...(card === undefined ? {} : { card }), ...(token_id === undefined ? {} : { token_id }) };
}

function ownSecrets({ card, security_code }: Cardholder): CardSecrets {
  return { ...(card ? { card } : {}), ...(security_code ? { security_code } : {}) };
}

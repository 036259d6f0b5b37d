import type { PayAnswer } from '../../shared/checkout/pay.ts';
import { ProblemError } from '../base/errors.ts';
import { maskPan } from '../base/redact.ts';
import type { Account } from '../config/load.ts';
import { type Attempt, type Session, wasLeft } from '../payments/session.ts';
import { attemptsMade, withState } from '../payments/transitions.ts';
import { checkLeftAttempts } from '../reconciliation/left-attempts.ts';
import type { Context } from '../store/context.ts';
import { checkOpen, notStarted } from './conflicts.ts';
import { checkFields, writtenFields } from './fields/check-fields.ts';
import type { RequestFacts } from './fields/device.ts';
import { withFilled } from './fields/filled.ts';
import { checkOffered } from './fields/offered.ts';
import { type PayBody, paymentMessage } from './message.ts';
import { quotasOf } from './quotas.ts';
import { type Cardholder, sendAttempt } from './send-attempt.ts';

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
  const { session, attempts } = await payableSession(context, request);
  // The attempt begins now: the gateway may have been asked before, which takes its time.
  const now = context.now();
  const publicUrl = context.config.public_url;
  const written = writtenFields(context, session, body);
  const { operation, message } = paymentMessage({ session, account, publicUrl, body: written, facts, deviceId, now });
  const attempt = newAttempt(context, session, body, request.key);
  const terms = withFilled(session.terms, body);
  const processing = withState({ ...session, terms }, { status: 'processing', attempt_id: attempt.id });
  const payer = { ...paidWith(body), shopper_ip: facts.shopper_ip };
  const started = await context.store.startAttempt(processing, attempt, quotasOf(context, account, payer));
  if (started.kind === 'changed') return payChanged(context, request, session, attempts);
  if (started.kind !== 'started') throw notStarted(context, started);

  return (await sendAttempt(context, { account, processing, attempt, operation, message, body })).answer;
}

/**
 * Pays a session of which something was written meanwhile. Throws ProblemError where that was another payment, whatever
 * became of it: this request was made by somebody who did not know of that.
 */
async function payChanged(
  context: Context,
  request: PayRequest,
  before: Session,
  known: readonly Attempt[],
): Promise<PayAnswer> {
  const session = await context.store.session(before.id);
  checkNoOther(known, await context.store.attemptsOfOrder(before.account, before.order_no));
  if (session && session.version !== before.version) return pay(context, { ...request, session });
  throw anotherPayment();
}

function checkNoOther(known: readonly Attempt[], now: readonly Attempt[]): void {
  if (now.some(({ id }) => known.every((attempt) => attempt.id !== id))) throw anotherPayment();
}

function anotherPayment(): ProblemError {
  return new ProblemError('attempt_in_flight', 'This order is being paid by another request. Look at the session.');
}

/** A session that may be paid, and every attempt of its order so far. */
type Payable = { session: Session; attempts: readonly Attempt[] };

/** The session as it may be paid now. Throws ProblemError when it may not. */
async function payableSession(context: Context, request: PayRequest): Promise<Payable> {
  const { session, account } = request;
  const now = context.now();
  const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
  // The limit ended it, so it is the limit that refuses whoever goes on trying.
  if (session.state.status === 'failed' && !hasAttemptsLeft(context, session, attempts))
    context.metrics.limited('session');
  checkPayable(context, session, attempts, request);
  checkAttemptsLeft(context, session, attempts, now);
  if (!attempts.some(wasLeft)) return { session, attempts };
  await checkLeftAttempts(context, account, attempts);
  // Asking took time, in which this very request may have been repeated and paid: everything is checked again.
  const asked = (await context.store.session(session.id)) ?? session;
  const after = await context.store.attemptsOfOrder(session.account, session.order_no);
  checkPayable(context, asked, after, request);
  checkNoOther(attempts, after);
  return { session: asked, attempts: after };
}

function checkPayable(
  context: Context,
  session: Session,
  attempts: readonly Attempt[],
  { body, key }: PayRequest,
): void {
  checkOpen(session, context.now());
  if ((body.revision ?? 1) !== session.revision) {
    throw new ProblemError('session_changed', 'The order changed since it was shown. Show it again before it is paid.');
  }
  checkOffered(session, body);
  checkFields(context, session, body);
  const isRepeated = (attempt: Attempt): boolean =>
    attempt.key === key && attempt.session_id === session.id && attempt.state.status !== 'not_sent';
  if (key !== undefined && attempts.some(isRepeated)) {
    throw new ProblemError('attempt_in_flight', 'This payment was sent before. Look at the session.');
  }
}

/** Its last attempt ends a session; this is for one that has used up its attempts by another setting. */
function checkAttemptsLeft(context: Context, session: Session, attempts: readonly Attempt[], now: Date): void {
  if (hasAttemptsLeft(context, session, attempts)) return;
  context.metrics.limited('session');
  const seconds = Math.ceil((Date.parse(session.expires_at) - now.getTime()) / 1000);
  throw new ProblemError('too_many_attempts', 'This session takes no more attempts. The shop must make a new one.', {
    headers: { 'Retry-After': String(seconds) },
  });
}

function hasAttemptsLeft({ config }: Context, session: Session, attempts: readonly Attempt[]): boolean {
  return attemptsMade(session.id, attempts) < config.limits.attempts_per_session;
}

/** A new attempt to pay a session's order, frozen as it is sent. */
export function newAttempt(context: Context, session: Session, body: Cardholder, key?: string): Attempt {
  const { order } = session.terms;
  return {
    id: context.newId('at'),
    session_id: session.id,
    ...(key === undefined ? {} : { key }),
    account: session.account,
    order_no: session.order_no,
    method: body.payment_method ?? (body.card === undefined ? 'token' : 'card'),
    ...(body.card === undefined ? {} : { card: maskPan(body.card) }),
    amount: order.amount,
    currency: order.currency,
    started_at: context.now().toISOString(),
    state: { status: 'in_flight' },
  };
}

/** What attempts are counted by, of what a payment is made with. */
export function paidWith({ card, token_id }: Cardholder): { card?: string; token_id?: string } {
  return { ...(card === undefined ? {} : { card }), ...(token_id === undefined ? {} : { token_id }) };
}

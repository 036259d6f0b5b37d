import { maskPan } from '../../shared/card-data/mask.ts';
import type { PayAnswer } from '../../shared/checkout/pay.ts';
import { ProblemError } from '../base/errors.ts';
import { emailHash } from '../base/keys.ts';
import { commitOrder } from '../commit/commit.ts';
import type { Account } from '../config/load.ts';
import { rulesOf } from '../config/rules.ts';
import { type Context, checkNotPaused } from '../context/context.ts';
import { limitProblem } from '../http/limits.ts';
import { type Attempt, attemptsMade } from '../payments/attempt.ts';
import { needsQueryFirst, type StoredOrder, sessionOf } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { startAttempt } from '../payments/session-steps.ts';
import { MAX_WAIT_MS } from '../reconciliation/reconcile.ts';
import { writtenOrder } from '../store/order-changes.ts';
import { checkOpen, queryBeforePaying } from './conflicts.ts';
import { checkedFields, checkOffered } from './fields/check-fields.ts';
import type { RequestFacts } from './fields/device.ts';
import { withFilled } from './fields/filled.ts';
import { type PayBody, paymentMessage } from './message.ts';
import { paidWith, quotasOf } from './quotas.ts';
import { beginAttempt, type PaymentMeans, sendAttempt } from './send-attempt.ts';

/** One payment request of a shopper's browser. */
type PayRequest = {
  session: Session;
  /** The session's order, read together with the session. */
  order: StoredOrder;
  account: Account;
  body: PayBody;
  facts: RequestFacts;
  /** The id of the device, which may be new. */
  deviceId: string;
  /** The `Idempotency-Key`: a request with the same key is a repetition by the browser or the network. */
  key?: string;
  /** Other forms in which the key may be stored. */
  earlierKeys?: readonly string[];
  /** Whether the browser has disconnected. */
  hasHungUp: () => boolean;
  /** The time, by `Context.monotonic`, until which the request waits for queries. */
  deadline?: number;
};

/**
 * Pays an open session once. The attempt is durable before the gateway is called, and its outcome before this returns.
 * Throws ProblemError if nothing was sent: the session is not open or has changed, its order is held or paid, the
 * request is a repetition, a limit is reached, the relay is paused, or the gateway cannot be reached.
 */
export async function pay(context: Context, request: PayRequest): Promise<PayAnswer> {
  const { account, body, deadline = context.monotonic() + MAX_WAIT_MS } = request;
  const quotas = quotasOf(context, account, { ...paidWith(body), shopper_ip: request.facts.shopper_ip });
  const checked = checkPayable(context, request.order, request);
  // The form has a text for this code in every language.
  checkNotPaused(context, 'gateway_unreachable');
  const payable = await queryThenCheck(context, checked, { ...request, deadline }, quotas);
  const { sending, started } = await start(context, payable, request, quotas);
  switch (started.kind) {
    case 'written':
      if (sending.attempt.device_fingerprint) context.metrics.withoutFingerprint(account.id);
      return (await sendAttempt(context, sending)).answer;
    case 'limited':
      throw limitProblem(context, started);
    case 'changed':
    case 'key_lost':
      return payChanged(context, { ...request, deadline }, payable.order);
  }
}

/** An order that can be paid, and the body of the request with normalised values. */
type Payable = { order: StoredOrder; normalizedBody: PayBody };

/**
 * Returns the order if it can be paid now. If an earlier attempt may still be charged, it queries the gateway first. It
 * checks the limits before that, so that only shoppers who may pay cause queries.
 */
async function queryThenCheck(
  context: Context,
  payable: Payable,
  request: PayRequest,
  quotas: ReturnType<typeof quotasOf>,
): Promise<Payable> {
  const { order } = payable;
  if (order.hold === 'free') {
    if (!needsQueryFirst(order)) return payable;
    const limited = await context.store.quotas.check(quotas, context.now().toISOString());
    if (limited) throw limitProblem(context, limited);
  }
  const queried = await queryBeforePaying(context, order, request.session.id, request.deadline);
  // Everything is checked again, because a repetition of the request may have paid during the query.
  const again = checkPayable(context, queried, request);
  checkNoOther(order.attempts, queried.attempts);
  return again;
}

async function start(
  context: Context,
  { order, normalizedBody }: Payable,
  request: PayRequest,
  counted: ReturnType<typeof quotasOf>,
) {
  const { account, body, facts, deviceId, key, hasHungUp } = request;
  const session = sessionOf(order, request.session.id);
  // The attempt begins after the query, which takes time.
  const now = context.now();
  const publicUrl = context.config.public_url;
  const message = paymentMessage({ session, account, publicUrl, body: normalizedBody, facts, deviceId, now });
  const paying = { ...session, terms: withFilled(session.terms, body) };
  const attempt: Attempt = {
    ...newAttempt(context, account, paying, body, key),
    ...(body.device?.device_fingerprint ? {} : { device_fingerprint: 'missing' }),
  };
  const decision = startAttempt(order, paying, attempt, rulesOf(context.config));
  const quotas = { counted, at: attempt.started_at };
  const begun = { order: writtenOrder(order, decision.order), attempt, quotas: counted };
  const started = await beginAttempt(context, begun, () => commitOrder(context, order, decision, { quotas }));
  return { started, sending: { ...begun, account, body, hasHungUp, ...message } };
}

/**
 * Pays a session that another request wrote meanwhile. Throws ProblemError if that request was a payment: the shopper
 * did not know its outcome.
 */
async function payChanged(context: Context, request: PayRequest, before: StoredOrder): Promise<PayAnswer> {
  const order = await context.store.orders.get(before.account, before.order_no);
  checkNoOther(before.attempts, order.attempts);
  return pay(context, { ...request, order, session: sessionOf(order, request.session.id) });
}

/** Throws ProblemError if another payment was or may have been sent since the order was read. */
function checkNoOther(known: readonly Attempt[], now: readonly Attempt[]): void {
  if (hasOther(known, now)) {
    throw new ProblemError('attempt_in_flight', 'Another request pays this order. Get the session.');
  }
}

/** Whether another payment was or may have been sent since the order was read with the known attempts. */
export function hasOther(known: readonly Attempt[], now: readonly Attempt[]): boolean {
  return now.some(({ id, state }) => state.status !== 'not_sent' && known.every((attempt) => attempt.id !== id));
}

/** Returns the order and the body to send. Throws ProblemError if the session cannot be paid in its present state. */
function checkPayable(context: Context, order: StoredOrder, request: PayRequest): Payable {
  const { body, key, earlierKeys = [] } = request;
  const session = sessionOf(order, request.session.id);
  const { attempts } = order;
  const isUsedUp = attemptsMade(session.id, attempts) >= context.config.limits.attempts_per_session;
  // A limit ended the session, so the answer is that of the limit.
  if (session.state.status === 'failed' && isUsedUp) context.metrics.limited('session');
  checkOpen(session, context.now());
  if ((body.revision ?? 1) !== session.revision) {
    throw new ProblemError('session_changed', 'The order changed since it was shown. Show it again before it is paid.');
  }
  checkOffered(session, body);
  const normalizedBody = checkedFields(context, session, body);
  const isRepeated = (attempt: Attempt): boolean =>
    attempt.key !== undefined &&
    [key, ...earlierKeys].includes(attempt.key) &&
    attempt.session_id === session.id &&
    attempt.state.status !== 'not_sent';
  if (attempts.some(isRepeated)) {
    throw new ProblemError('attempt_in_flight', 'This payment was sent before. Get the session.');
  }
  if (isUsedUp) throw attemptsUsedUp(context, session);
  return { order, normalizedBody };
}

/** The session has used up its attempts under another setting than the present one. */
function attemptsUsedUp(context: Context, session: Session): ProblemError {
  context.metrics.limited('session');
  const seconds = Math.ceil((Date.parse(session.expires_at) - context.now().getTime()) / 1000);
  return new ProblemError('too_many_attempts', 'This session takes no more attempts. The shop must make a new one.', {
    headers: { 'Retry-After': String(seconds) },
  });
}

/** A new attempt to pay a session's order, frozen as sent. */
export function newAttempt(
  context: Context,
  account: Account,
  session: Session,
  body: PaymentMeans,
  key?: string,
): Attempt {
  const { order, filled } = session.terms;
  const typed = [filled?.shopper_email, filled?.['person.email']].flatMap((email) => email || []);
  const emails = typed.filter((email) => email !== order.shopper_email);
  return {
    id: context.newId('at'),
    session_id: session.id,
    ...(key === undefined ? {} : { key }),
    account: session.account,
    order_no: session.order_no,
    method: body.payment_method ?? (body.card === undefined ? 'token' : 'card'),
    ...(body.card === undefined ? {} : { card: maskPan(body.card) }),
    ...(emails.length > 0 ? { emails: emails.map((email) => emailHash(account, email)) } : {}),
    amount: order.amount,
    currency: order.currency,
    revision: session.revision,
    started_at: context.now().toISOString(),
    state: { status: 'in_flight' },
  };
}

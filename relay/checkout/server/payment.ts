import {
  type CreatePayment,
  meansOfPayment,
  type PaymentAnswer,
  paymentByApm,
  paymentByCard,
  paymentByToken,
} from '../../../shared/api/payment.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import { type Order, order as orderSchema } from '../../../shared/checkout/session.ts';
import { apmPaymentRequest } from '../../../shared/gateway/apm-payment.ts';
import { directPaymentRequest } from '../../../shared/gateway/direct-payment.ts';
import { encodeItems } from '../../../shared/gateway/items.ts';
import { ProblemError } from '../../base/errors.ts';
import { notificationToken } from '../../base/keys.ts';
import { commitOrder } from '../../commit/commit.ts';
import { metadataOf } from '../../commit/session-answer.ts';
import type { Account } from '../../config/load.ts';
import { rulesOf } from '../../config/rules.ts';
import { type Context, checkNotPaused } from '../../context/context.ts';
import { whyUnsignable } from '../../gateway/signing/signing-setting.ts';
import { inProgress, jsonReply, keepReply, type Reply, type Use } from '../../http/idempotency/idempotency.ts';
import { limitProblem } from '../../http/limits.ts';
import { type BodyRules, parseShopBody } from '../../http/parse.ts';
import type { Quota } from '../../payments/attempt.ts';
import { needsQueryFirst, type StoredOrder } from '../../payments/order.ts';
import type { Session } from '../../payments/session.ts';
import { startAttempt } from '../../payments/session-steps.ts';
import { MAX_WAIT_MS } from '../../reconciliation/reconcile.ts';
import { writtenOrder } from '../../store/order-changes.ts';
import { checkFree, holderOf, queryBeforePaying } from '../conflicts.ts';
import { checkOwnCardAlone, withoutCards, withoutCardsIn } from '../fields/card-in-text.ts';
import type { PaymentMessage } from '../message.ts';
import { hasOther, newAttempt } from '../pay.ts';
import { payAnswer } from '../pay-answer.ts';
import { paidWith, quotasOf } from '../quotas.ts';
import { beginAttempt, ownSecrets, type SentAttempt, sendAttempt } from '../send-attempt.ts';
import { checkOrder, openSession } from './session.ts';

/** The connection of the shop's server. */
type Connection = { hasHungUp?: () => boolean; deadline?: number };

/**
 * `POST /v1/payments`: pays an order once with a card, token or method that the shop has, under the rules of a session.
 * Throws ProblemError if nothing was sent.
 * @param connection whether the shop's server has disconnected, and the time by `Context.monotonic` until which it waits
 *   for queries
 */
export async function payFromServer(
  context: Context,
  body: CreatePayment,
  use: Use,
  { hasHungUp = () => false, deadline = context.monotonic() + MAX_WAIT_MS }: Connection = {},
): Promise<Reply> {
  checkNotPaused(context);
  const { account, key, audit } = use;
  const terms = orderOf(context, account, body);
  // The shopper's address counts if the shop's server sends it. The address of the server is the same for all shoppers.
  const counted = quotasOf(context, account, { ...paidWith(body), shopper_ip: body.shopper_ip || undefined });
  const order = await payableOrder(context, account, terms, counted, deadline);
  const session = newPaymentSession(context, account, terms, body);
  const payment = messageOf(context, account, session, body, context.now());
  const why = whyUnsignable(context.config.gateway.profile.signing, payment.operation);
  if (why !== undefined) throw new ProblemError('operation_not_configured', why);
  const attempt = newAttempt(context, account, session, body);
  const decision = startAttempt(order, session, attempt, rulesOf(context.config));
  const extras = {
    quotas: { counted, at: attempt.started_at },
    ...(key ? { lead: { key, subject: session.id } } : {}),
    audit: audit.entry({ action: 'payment', subject: session.id, orders: [order.order_no] }),
  };
  const begun = { order: writtenOrder(order, decision.order), attempt, quotas: counted };
  const started = await beginAttempt(context, begun, () => commitOrder(context, order, decision, extras));
  switch (started.kind) {
    case 'limited':
      throw limitProblem(context, started);
    case 'key_lost':
      throw inProgress();
    case 'changed':
      return payFromServer(context, body, use, { hasHungUp, deadline });
    case 'written': {
      audit.written();
      const sent = await sendAttempt(context, { ...begun, account, body, hasHungUp, ...payment });
      const reply = jsonReply(200, paymentAnswer(session, sent));
      if (sent.answer.status !== 'unknown' && sent.answer.status !== 'pending') await keepReply(context, use, reply);
      return reply;
    }
  }
}

async function payableOrder(
  context: Context,
  account: Account,
  terms: Order,
  counted: readonly Quota[],
  deadline: number,
): Promise<StoredOrder> {
  const order = await context.store.orders.get(account.id, terms.order_no);
  checkFree(order, holderOf(order));
  if (!needsQueryFirst(order)) return order;
  const limited = await context.store.quotas.check(counted, context.now().toISOString());
  if (limited) throw limitProblem(context, limited);
  const queried = await queryBeforePaying(context, order, undefined, deadline);
  // Another payment began and ended meanwhile. A query that begins after its answer is needed.
  return hasOther(order.attempts, queried.attempts)
    ? payableOrder(context, account, terms, counted, deadline)
    : queried;
}

/** The answer to a repetition of a payment's request whose key has no stored answer. Throws ProblemError. */
export async function paymentAgain(context: Context, account: Account, sessionId: string): Promise<Reply | 'again'> {
  const found = await context.store.sessions.get(sessionId);
  const order = found && (await context.store.orders.get(found.account, found.order_no));
  const session = order?.sessions.find(({ id }) => id === sessionId);
  const attempt = order?.attempts.find((one) => one.session_id === sessionId);
  if (!order || !session || !attempt) throw inProgress(sessionId);
  if (attempt.state.status === 'not_sent') return 'again';
  if (session.state.status === 'processing') throw inProgress(sessionId);
  const written = { order, session, attempt };
  const answer = payAnswer(context, account, written);
  if (answer.status !== 'unknown' && answer.status !== 'pending') {
    return jsonReply(200, paymentAnswer(session, { answer, written }));
  }
  throw new ProblemError(
    'outcome_unknown',
    `The gateway may have charged. Do not pay again: GET /v1/sessions/${sessionId} shows when it is known.`,
    { operation_id: sessionId },
  );
}

function paymentAnswer(session: Session, { answer, written }: SentAttempt): PaymentAnswer {
  const { id, order_no } = session;
  const ids = { id, order_no, ...metadataOf(session) };
  switch (answer.status) {
    case 'approved': {
      const state = written?.session.state;
      if (state?.status !== 'approved') return { ...answer, ...ids };
      const { recurring_id, details } = state;
      return { ...answer, ...ids, ...(recurring_id ? { recurring_id } : {}), ...details };
    }
    case 'declined': {
      const { status, result, advice } = answer;
      const transaction_id = written?.attempt.transaction_id;
      return { ...ids, status, result, advice, ...(transaction_id ? { transaction_id } : {}) };
    }
    case 'redirect':
    case 'pending':
    case 'unknown':
      return { ...ids, ...answer };
  }
}

/** The order in its stored form. Throws ProblemError. */
function orderOf(context: Context, account: Account, body: CreatePayment): Order {
  const order = orderSchema.strip().parse(body);
  checkOrder(context, account, order, { return_url: returnUrlOf(body), under: '' });
  return withoutCards(order, ownSecrets(body));
}

function returnUrlOf(body: CreatePayment): string | undefined {
  return 'return_url' in body ? body.return_url : undefined;
}

function newPaymentSession(context: Context, account: Account, order: Order, body: CreatePayment): Session {
  const return_url = returnUrlOf(body);
  const { metadata } = body;
  return openSession(context, account, {
    order,
    methods:
      'payment_method' in body
        ? [{ type: 'apm', payment_method: body.payment_method, label: body.payment_method }]
        : [{ type: 'card' }],
    installment_options: [],
    saved_cards: [],
    collect: [],
    ...(return_url === undefined ? {} : { return_url }),
    ...(metadata === undefined ? {} : { metadata: withoutCardsIn(metadata, ownSecrets(body)) }),
    single: true,
  });
}

/** The message of §2.1 or §2.3: the shop's values and the relay's addresses. */
function messageOf(
  context: Context,
  account: Account,
  session: Session,
  { items, ...given }: CreatePayment,
  now: Date,
): PaymentMessage {
  const { public_url } = context.config;
  const fields = {
    checkout_time: Math.floor(now.getTime() / 1000),
    ...given,
    ...(items === undefined ? {} : { items: encodeItems(items) }),
    merchant_id: account.merchant_id,
    account_id: account.account_id,
    notify_url: `${public_url}/notify/payment/${session.id}/${notificationToken(account, 'payment', session.id)}`,
  };
  if (!('payment_method' in given)) {
    return { operation: 'direct_payment', message: directPaymentRequest.strip().parse(fields) };
  }
  const message = apmPaymentRequest.strip().parse({ ...fields, return_url: `${public_url}/return/${session.id}` });
  return { operation: 'apm_payment', message };
}

/** Reads the body of a payment. Throws ProblemError, also for card data outside of the card's fields. */
export function readPayment(body: unknown, rules?: BodyRules): CreatePayment {
  const payment = parsedPayment(body, rules);
  checkOwnCardAlone(payment);
  return payment;
}

/**
 * Reads a payment by the schema that it seems to follow, so that its mistakes are reported against the right schema.
 */
function parsedPayment(body: unknown, rules?: BodyRules): CreatePayment {
  const given = withoutEmptyFields(body);
  const has = (name: string): boolean => isObject(given) && Object.hasOwn(given, name);
  if (has('payment_method')) return parseShopBody(paymentByApm, given, rules);
  if (has('token_id') && !has('card')) return parseShopBody(paymentByToken, given, rules);
  return parseShopBody(paymentByCard, given, rules);
}

/** The body without fields that are `""` or `null`. They count as absent, so they do not select a schema. */
function withoutEmptyFields(body: unknown): unknown {
  if (!isObject(body) || Array.isArray(body)) return body;
  const isEmpty = ([name, value]: [string, unknown]): boolean =>
    meansOfPayment.some((means) => means === name) && (value === '' || value === null);
  return Object.fromEntries(Object.entries(body).filter((entry) => !isEmpty(entry)));
}

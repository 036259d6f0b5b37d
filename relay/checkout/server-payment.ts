import type { CreatePayment, PaymentAnswer } from '../../shared/api/payment.ts';
import { type Order, order as orderSchema } from '../../shared/checkout/session.ts';
import { apmPaymentRequest } from '../../shared/gateway/apm-payment.ts';
import { directPaymentRequest } from '../../shared/gateway/direct-payment.ts';
import { encodeItems } from '../../shared/gateway/items.ts';
import { ProblemError } from '../base/errors.ts';
import { notificationToken } from '../config/derived-secrets.ts';
import type { Account } from '../config/load.ts';
import { whyUnsignable } from '../gateway/signing/signing-setting.ts';
import { inProgress, jsonReply, keepReply, type Reply, sameContent, type Use } from '../http/idempotency.ts';
import { type Session, wasLeft } from '../payments/session.ts';
import { checkLeftAttempts } from '../reconciliation/left-attempts.ts';
import type { Context } from '../store/context.ts';
import { notStarted } from './conflicts.ts';
import { checkOrder, DEFAULT_LIFE_SECONDS } from './create.ts';
import type { PaymentMessage } from './message.ts';
import { newAttempt, paidWith } from './pay.ts';
import { payAnswer } from './pay-answer.ts';
import { quotasOf } from './quotas.ts';
import { type Sent, sendAttempt } from './send-attempt.ts';

/**
 * `POST /v1/payments`: pays an order once, with what the shop holds, under the same rules as a session (design 4.1, 5).
 * Throws ProblemError when nothing was sent.
 */
export async function payFromServer(context: Context, body: CreatePayment, use: Use): Promise<Reply> {
  const { account, key } = use;
  const order = orderOf(context, account, body);
  const left = await context.store.attemptsOfOrder(account.id, order.order_no);
  if (left.some(wasLeft)) await checkLeftAttempts(context, account, left);
  // The attempt begins now: the gateway may have been asked before, which takes its time.
  const now = context.now();
  const session = newPaymentSession(context, account, order, body);
  const payment = messageOf(context, account, session, body, now);
  const why = whyUnsignable(context.config.gateway.profile.signing, payment.operation);
  if (why !== undefined) throw new ProblemError('operation_not_configured', why);
  const attempt = newAttempt(context, session, body);
  const processing: Session = { ...session, state: { status: 'processing', attempt_id: attempt.id } };
  // Where the shop's server says who pays, that counts; its own address is everybody's.
  const quotas = quotasOf(context, account, { ...paidWith(body), shopper_ip: body.shopper_ip });
  const started = await context.store.startPayment(processing, attempt, quotas, key);
  if (started.kind === 'key_lost') throw inProgress();
  if (started.kind !== 'created') throw notStarted(context, started);
  const sent = await sendAttempt(context, { account, processing, attempt, body, ...payment });
  const reply = jsonReply(200, paymentAnswer(sent));
  if (sent.answer.status !== 'unknown') await keepReply(context, use, reply);
  return reply;
}

/** What a repetition of a payment's request is told while no answer is kept under its key. Throws ProblemError. */
export async function paymentAgain(context: Context, account: Account, sessionId: string): Promise<Reply | 'again'> {
  const session = await context.store.session(sessionId);
  const attempts = session ? await context.store.attemptsOfOrder(session.account, session.order_no) : [];
  const attempt = attempts.find((one) => one.session_id === sessionId);
  if (!session || !attempt) throw inProgress(sessionId);
  if (attempt.state.status === 'not_sent') return 'again';
  if (session.state.status === 'processing') throw inProgress(sessionId);
  const answer = payAnswer(context, account, { session, attempt, hold: 'unchanged' }, attempts);
  if (answer.status !== 'unknown') return jsonReply(200, paymentAnswer({ answer, session, attempt }));
  throw new ProblemError(
    'outcome_unknown',
    `The gateway may have charged. Do not pay again: look at GET /v1/sessions/${sessionId}, which tells when it is known.`,
    { operation_id: sessionId },
  );
}

/** True when this body asked for the payment of this session. */
export async function isPaymentOf(context: Context, sessionId: string, body: CreatePayment): Promise<boolean> {
  const session = await context.store.session(sessionId);
  return !session || sameContent(session.terms.order, orderSchema.strip().parse(body));
}

function paymentAnswer({ answer, session, attempt }: Sent): PaymentAnswer {
  const told = { id: session.id, order_no: session.order_no };
  switch (answer.status) {
    case 'approved': {
      const { state } = session;
      const recurring = state.status === 'approved' && state.recurring_id ? { recurring_id: state.recurring_id } : {};
      return { ...answer, ...told, ...recurring };
    }
    case 'declined': {
      const { status, result, advice } = answer;
      const { transaction_id } = attempt;
      return { ...told, status, result, advice, ...(transaction_id ? { transaction_id } : {}) };
    }
    case 'redirect':
    case 'unknown':
      return { ...told, ...answer };
    case 'pending':
      return { ...told, status: 'unknown' };
  }
}

/** The order that is paid. Throws ProblemError. */
function orderOf(context: Context, account: Account, body: CreatePayment): Order {
  const order = orderSchema.strip().parse(body);
  checkOrder(context, account, order, { return_url: returnUrlOf(body), under: '' });
  return order;
}

function returnUrlOf(body: CreatePayment): string | undefined {
  return 'return_url' in body ? body.return_url : undefined;
}

function newPaymentSession(context: Context, account: Account, order: Order, body: CreatePayment): Session {
  const now = context.now();
  const return_url = returnUrlOf(body);
  return {
    id: context.newId('cs'),
    account: account.id,
    order_no: order.order_no,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + DEFAULT_LIFE_SECONDS * 1000).toISOString(),
    revision: 1,
    version: 1,
    terms: {
      order,
      methods:
        'payment_method' in body
          ? [{ type: 'apm', payment_method: body.payment_method, label: body.payment_method }]
          : [{ type: 'card' }],
      installment_options: [],
      saved_cards: [],
      collect: [],
      ...(return_url === undefined ? {} : { return_url }),
      single: true,
    },
    state: { status: 'open' },
  };
}

/** The message of §2.1 or §2.3: what the shop gave, and the relay's own addresses. */
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

import type { z } from 'zod';
import { createPayment, type PaymentAnswer, paymentAnswer } from '../../shared/api/payment.ts';
import { sessionId, transactionId } from '../../shared/samples/ids.ts';
import {
  BIRTH_DATE_RULE,
  CONTRACT_DATES_RULE,
  CURRENCY_RULE,
  DECIMALS_RULE,
  type Example,
  json,
  key,
  RETURN_URL_RULE,
  type Routes,
  ZERO_RULE,
} from './route.ts';

type Body = z.input<typeof createPayment>;

const order = { order_no: 'A-2001', currency: 'BRL', amount: '129.90' };

const card: Body = {
  ...order,
  // A published test card.
  card: '4111 1111 1111 1111',
  expiration_month: '12',
  expiration_year: '2030',
  security_code: '737',
  first_name: 'Ada',
  last_name: 'Byron',
  shopper_email: 'ada@example.com',
  shopper_ip: '203.0.113.7',
};
const token: Body = { ...order, token_id: 'tok_8f3b2c', shopper_ip: '203.0.113.7' };
const apm: Body = {
  ...order,
  payment_method: 'PIX',
  first_name: 'Ada',
  last_name: 'Byron',
  person: { email: 'ada@example.com' },
};

const createPaymentExamples: Example[] = [
  { name: 'card', summary: 'With a card that you hold', value: card },
  { name: 'token', summary: 'With a token', value: token },
  { name: 'apm', summary: 'By an alternative method', value: apm },
];

const ids = { id: sessionId, order_no: 'A-2001' };

const answers: Record<PaymentAnswer['status'], PaymentAnswer> = {
  approved: {
    ...ids,
    status: 'approved',
    transaction_id: transactionId,
    card: '411111******1111',
    result: { code: '0000', message: 'Success' },
  },
  declined: {
    ...ids,
    status: 'declined',
    result: { code: '2001', message: 'Insufficient funds' },
    advice: 'contact_bank',
  },
  redirect: {
    ...ids,
    status: 'redirect',
    redirect_url: `https://pay.example/checkout/${sessionId}/issuer?ticket=1806488100000.Jx7TqLk2Vn9wRb4Z`,
  },
  pending: { ...ids, status: 'pending' },
  unknown: { ...ids, status: 'unknown' },
};

const paymentAnswerExamples: Example[] = [
  { name: 'approved', summary: 'Paid', value: answers.approved },
  { name: 'declined', summary: 'Declined', value: answers.declined },
  { name: 'redirect', summary: 'The shopper must go to the issuer', value: answers.redirect },
  { name: 'pending', summary: 'The payment is pending', value: answers.pending },
  { name: 'unknown', summary: 'The outcome is unknown; the relay queries the gateway', value: answers.unknown },
];

/** Payments that a shop's server makes. */
export const paymentRoutes = {
  createPayment: {
    method: 'post',
    path: '/v1/payments',
    summary: 'Make a payment',
    description: `Pays an order with a card or a token that you hold, or by an alternative method. A payment is a session with one attempt: it has the same statuses, and an order is paid once. The answer’s \`id\` is that of the session.

\`redirect\`: send the shopper to \`redirect_url\`. \`unknown\`: the gateway may have charged; do not pay again, but read the session until the outcome is known. \`pending\`: a payment that takes long is in progress; read the session too.

The card number and the security code are allowed in \`card\` and \`security_code\` only. In any other field they are refused, with its path.

Problems about a payment contain the id of its session as \`operation_id\`, for \`GET /v1/sessions/{id}\`, which a key with the scope \`payments\` may read too.`,
    access: key('payments'),
    repeatable: 'kept_answer',
    audit: 'payment',
    body: { kind: 'json', schema: createPayment, examples: createPaymentExamples, withFile: true },
    rules: [RETURN_URL_RULE, BIRTH_DATE_RULE, CONTRACT_DATES_RULE, CURRENCY_RULE, DECIMALS_RULE, ZERO_RULE],
    answers: [json(200, 'The outcome of the payment.', paymentAnswer, paymentAnswerExamples)],
    problems: [
      'operation_not_configured',
      'order_in_progress',
      'order_already_paid',
      'outcome_unknown',
      'too_many_attempts',
      'gateway_unreachable',
      'relay_paused',
      'store_unavailable',
    ],
  },
} as const satisfies Routes;

import type { z } from 'zod';
import { createPayment, type PaymentAnswer, paymentAnswer } from '../../shared/api/payment.ts';
import type { ProblemCode } from '../../shared/checkout/problem.ts';
import { type Operation, type OperationName, operationNames, operations } from '../../shared/gateway/operations.ts';
import { sessionId, transactionId } from '../../shared/samples/ids.ts';
import { samples } from './examples/operations.ts';
import { limitText, operationTexts } from './operation-texts.ts';
import {
  BIRTH_DATE_RULE,
  CONTRACT_DATES_RULE,
  DECIMALS_RULE,
  type Example,
  RETURN_URL_RULE,
  type RouteDoc,
  ZERO_RULE,
} from './route.ts';

type Routed = keyof typeof samples;

const READS = 'It changes nothing at the gateway, so the relay repeats it by itself if the gateway’s answer is lost.';

const EFFECTS: Record<NonNullable<Operation['settledBy']>, string> = {
  refund_search:
    'If the gateway’s answer is lost, the relay answers `outcome_unknown`, and never sends the refund again. It searches for it until the outcome is known, for a day (`resolve.give_up_ms`); after that, a person must settle it. Before the relay sends a refund, it queries the existing refunds of the payment; if the gateway does not answer within `resolve.search_ms`, the relay cannot search for the new one. A refused refund counts as refunded until searches show no new refund. Where an earlier refund of the payment was refused, or counts as not made, another one is sent only if the gateway tells that the earlier one is not there.',
  manual:
    'If the gateway’s answer is lost, the relay answers `outcome_unknown`, and never sends the request again. The gateway has no query for it: a person must settle it.',
  query: '',
};

const common: ProblemCode[] = [
  'gateway_refused',
  'operation_not_configured',
  'gateway_unreachable',
  'store_unavailable',
];
const tooLarge: ProblemCode[] = ['batch_too_large'];
const referenced: ProblemCode[] = ['reference_used'];

const REFERENCES_RULE = '`references` must have one entry for each item, and no card number';

/** One route for every operation of the table that has one. */
export const operationRoutes: readonly RouteDoc[] = operationNames.flatMap((name) =>
  isRouted(name) ? [operationRoute(name)] : [],
);

function isRouted(name: OperationName): name is Routed {
  return Object.hasOwn(samples, name);
}

function operationRoute(name: Routed): RouteDoc {
  const operation: Operation = operations[name];
  const { route } = operation;
  if (!route) throw new TypeError(`${name} has an example and no route`);
  const { summary, description } = operationTexts[name];
  const { request, answer } = samples[name];
  const reads = operation.settledBy === undefined;
  return {
    method: 'post',
    path: route.path,
    id: name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    tag: 'Operations',
    summary,
    description: [description, limitText(operation), reads ? READS : EFFECTS[operation.settledBy ?? 'manual']]
      .filter(Boolean)
      .join('\n\n'),
    access: { kind: 'api_key', scopes: [route.scope] },
    repeatable: 'kept_answer',
    body: {
      kind: 'json',
      schema: route.body,
      examples: [{ name: 'example', summary: 'Example', value: request }],
    },
    rules: [...rulesFor(name), ...(operation.batch ? [REFERENCES_RULE] : [])],
    answers: [
      {
        status: 200,
        description: 'The gateway’s answer, with the result of each item.',
        content: {
          kind: 'json',
          schema: operation.answer,
          examples: [{ name: 'example', summary: 'Example', value: answer }],
        },
        ...(reads ? {} : { headers: ['X-Operation-Id'] }),
      },
    ],
    problems: [
      ...common,
      ...(Object.keys(operation.lists).length > 0 ? tooLarge : []),
      ...(operation.batch ? referenced : []),
      ...problemsFor(name, reads),
    ],
  };
}

function rulesFor(name: Routed): readonly string[] {
  switch (name) {
    case 'query':
      return ['`query_end` must not be before `query_start`'];
    case 'refund':
      return [
        'each `refund_amount` must be at most its `amount`',
        '`currency` must be that of the payment',
        DECIMALS_RULE,
      ];
    case 'review':
    case 'capture':
    case 'cancel':
    case 'payout':
      return [DECIMALS_RULE];
    default:
      return [];
  }
}

function problemsFor(name: Routed, reads: boolean): ProblemCode[] {
  if (reads) return ['gateway_answer_unusable', 'gateway_timeout'];
  const effects: ProblemCode[] = ['outcome_unknown', 'operation_settled', 'relay_paused'];
  switch (name) {
    case 'refund':
      return [...effects, 'transaction_id_form', 'refund_exceeds_payment'];
    case 'review':
    case 'capture':
    case 'cancel':
      return [...effects, 'transaction_id_form'];
    case 'payout':
      return [...effects, 'request_id_used'];
    default:
      return effects;
  }
}

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
export const paymentRoutes: readonly RouteDoc[] = [
  {
    method: 'post',
    path: '/v1/payments',
    id: 'createPayment',
    tag: 'Payments',
    summary: 'Make a payment',
    description: `Pays an order with a card or a token that you hold, or by an alternative method. A payment is a session with one attempt: it has the same statuses, and an order is paid once. The answer’s \`id\` is that of the session.

\`redirect\`: send the shopper to \`redirect_url\`. \`unknown\`: the gateway may have charged; do not pay again, but read the session until the outcome is known. \`pending\`: a payment that takes long is in progress; read the session too.

The card number and the security code are allowed in \`card\` and \`security_code\` only. In any other field they are refused, with its path.

Problems about a payment contain the id of its session as \`operation_id\`, for \`GET /v1/sessions/{id}\`, which a key with the scope \`payments\` may read too.`,
    access: { kind: 'api_key', scopes: ['payments'] },
    repeatable: 'kept_answer',
    body: { kind: 'json', schema: createPayment, examples: createPaymentExamples },
    rules: [RETURN_URL_RULE, BIRTH_DATE_RULE, CONTRACT_DATES_RULE, DECIMALS_RULE, ZERO_RULE],
    answers: [
      {
        status: 200,
        description: 'The outcome of the payment.',
        content: { kind: 'json', schema: paymentAnswer, examples: paymentAnswerExamples },
      },
    ],
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
];

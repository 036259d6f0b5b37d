import { createPaymentExamples, paymentAnswerExamples } from '../examples/payments.ts';
import type { RouteDoc } from '../route.ts';
import { BIRTH_DATE_RULE, CONTRACT_DATES_RULE, DECIMALS_RULE, RETURN_URL_RULE, ZERO_RULE } from '../rules.ts';

/** Payments that a shop's server makes. */
export const paymentRoutes: readonly RouteDoc[] = [
  {
    method: 'post',
    path: '/v1/payments',
    id: 'createPayment',
    tag: 'Payments',
    summary: 'Make a payment',
    description: `Pays an order with a card or a token that you hold, or by an alternative method. It is a session with one attempt: the same states and the same one-charge rule. The answer’s \`id\` is the session’s.

With \`redirect\`, send the shopper to \`redirect_url\`. With \`unknown\`, the gateway may have charged: do not pay again, read the session until it is known. With \`pending\`, a payment is under way that takes long: read the session, too.

The card number and the security code belong in \`card\` and \`security_code\` alone: in any other field they are refused, with its path.

Problems that are about a payment of yours carry its session’s id as \`operation_id\`, for \`GET /v1/sessions/{id}\`, which a key with the scope \`payments\` may read too.`,
    access: { kind: 'api_key', scopes: ['payments'] },
    repeatable: 'kept_answer',
    body: { kind: 'json', schema: 'CreatePayment', examples: createPaymentExamples },
    rules: [RETURN_URL_RULE, BIRTH_DATE_RULE, CONTRACT_DATES_RULE, DECIMALS_RULE, ZERO_RULE],
    answers: [
      {
        status: 200,
        description: 'What became of the payment.',
        content: { kind: 'json', schema: 'PaymentAnswer', examples: paymentAnswerExamples },
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

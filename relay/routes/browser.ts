import { emptyBody } from '../../shared/api/fields.ts';
import { payAnswer, payByApm, payByCard, payByToken } from '../../shared/checkout/pay.ts';
import { checkoutView } from '../../shared/checkout/view.ts';
import {
  abandonedExamples,
  payAnswerExamples,
  payExamples,
  returnedExamples,
  viewExamples,
} from './examples/browser.ts';
import { emptyExamples } from './examples/events.ts';
import { BIRTH_DATE_RULE, type RouteDoc } from './route.ts';

/** What the form's script asks for. */
export const browserRoutes: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/checkout/api/session',
    id: 'getCheckout',
    tag: 'Browser',
    summary: 'Read the form’s data',
    description:
      'Returns the session as its shopper may see it. The form repeats this request until the outcome of a payment is known.',
    access: { kind: 'client_secret' },
    answers: [
      {
        status: 200,
        description: 'The session.',
        content: { kind: 'json', schema: checkoutView, examples: viewExamples },
      },
    ],
    problems: ['store_unavailable'],
  },
  {
    method: 'post',
    path: '/checkout/api/pay',
    id: 'pay',
    tag: 'Browser',
    summary: 'Pay a session',
    description: `Makes one attempt to pay an open session. The card is sent to the gateway, and is not stored. The amount is that of the session’s order; a body with an amount is refused.

After a lost answer the form reads the session, and never sends a second payment. With an \`Idempotency-Key\`, a repeated request is the same attempt.`,
    access: { kind: 'client_secret' },
    repeatable: 'same_attempt',
    body: { kind: 'json', schema: [payByCard, payByToken, payByApm], examples: payExamples },
    rules: [
      '`card`, `token_id` or `payment_method` must be one that the session offers',
      'a value that the session asks for must follow the rules of its country, if that is known, unless the order has the same value; only the card’s own field may contain a card number',
      '`token_id` must be one of its saved cards, `installments` with `installments_id` one of its plans, `bank_code` one of the method’s banks',
      'in addition, only the fields that the session asks for are allowed: those of `collect` and the method’s own `fields`',
      BIRTH_DATE_RULE,
    ],
    answers: [
      {
        status: 200,
        description: 'The outcome of the attempt.',
        content: { kind: 'json', schema: payAnswer, examples: payAnswerExamples },
        headers: ['Set-Cookie'],
      },
    ],
    problems: [
      'attempt_in_flight',
      'session_final',
      'session_changed',
      'order_in_progress',
      'order_already_paid',
      'too_many_attempts',
      'gateway_unreachable',
      'store_unavailable',
    ],
  },
  {
    method: 'post',
    path: '/checkout/api/returned',
    id: 'returned',
    tag: 'Browser',
    summary: 'Return from the issuer in the form',
    description:
      'The shopper says that they paid at the issuer’s page. From now on the relay queries the gateway, up to `resolve.return_ms`, as after `/return/{session_id}`. In any other state the request changes nothing. It can be repeated.',
    access: { kind: 'client_secret' },
    body: { kind: 'json', schema: emptyBody, examples: emptyExamples, isOptional: true },
    answers: [
      {
        status: 200,
        description: 'The session as its shopper sees it now.',
        content: { kind: 'json', schema: checkoutView, examples: returnedExamples },
      },
    ],
    problems: ['store_unavailable'],
  },
  {
    method: 'post',
    path: '/checkout/api/abandon',
    id: 'abandon',
    tag: 'Browser',
    summary: 'Abandon a payment',
    description: `The shopper abandons a payment that is pending, such as a voucher, or that was to be made at the issuer’s page, and chooses another way to pay. Every such payment of the order by an alternative method is abandoned. If one of them is paid later, it pays the order.

Before a payment at the issuer’s page is abandoned, the relay queries the gateway, and a record of the payment decides. A pending card payment completes without the shopper, and cannot be abandoned. The request can be repeated.`,
    access: { kind: 'client_secret' },
    body: { kind: 'json', schema: emptyBody, examples: emptyExamples, isOptional: true },
    answers: [
      {
        status: 200,
        description: 'The session as its shopper sees it now, usually `open`.',
        content: { kind: 'json', schema: checkoutView, examples: abandonedExamples },
      },
    ],
    problems: ['cannot_abandon', 'gateway_unreachable', 'store_unavailable'],
  },
];

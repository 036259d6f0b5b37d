import { abandonedExamples, payAnswerExamples, payExamples, viewExamples } from '../examples/browser.ts';
import { emptyExamples } from '../examples/events.ts';
import { BIRTH_DATE_RULE, type RouteDoc } from '../route.ts';

/** What the form's script asks for. */
export const browserRoutes: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/checkout/api/session',
    id: 'getCheckout',
    tag: 'Browser',
    summary: 'What the form shows',
    description:
      'The session as its shopper may see it. The form asks again until it is known what became of a payment.',
    access: { kind: 'client_secret' },
    answers: [
      {
        status: 200,
        description: 'The session.',
        content: { kind: 'json', schema: 'CheckoutView', examples: viewExamples },
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
    description: `One attempt to pay an open session. The card goes to the gateway and is kept nowhere. What is paid is the session’s order; a body with another amount is refused.

After a lost answer the form reads the session and never sends a second request. An \`Idempotency-Key\` makes sure: the same key is the same attempt, and never a second one.`,
    access: { kind: 'client_secret' },
    repeatable: 'same_attempt',
    body: { kind: 'json', schema: ['PayByCard', 'PayByToken', 'PayByApm'], examples: payExamples },
    rules: [
      '`card`, `token_id` or `payment_method` must be one that the session offers',
      'a value that the session asks for must pass the rules of its country, as far as one is known, unless the order has it too; none but the card’s may be a card number',
      '`token_id` must be one of its saved cards, `installments` with `installments_id` one of its plans, `bank_code` one of the method’s banks',
      'beside these, only the fields that it has the shopper asked for may be there: those of `collect` and the method’s own `fields`',
      BIRTH_DATE_RULE,
    ],
    answers: [
      {
        status: 200,
        description: 'What became of the attempt.',
        content: { kind: 'json', schema: 'PayAnswer', examples: payAnswerExamples },
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
    path: '/checkout/api/abandon',
    id: 'abandon',
    tag: 'Browser',
    summary: 'Abandon what is pending',
    description: `The shopper gives up a payment that is pending, a voucher perhaps, and chooses another way. Every pending payment of the order by an alternative method is abandoned; should one of them be paid after all, the order is paid by it.

A card payment that is pending completes without the shopper and cannot be abandoned. The same request may be sent again.`,
    access: { kind: 'client_secret' },
    body: { kind: 'json', schema: 'EmptyBody', examples: emptyExamples, isOptional: true },
    answers: [
      {
        status: 200,
        description: 'The session as its shopper sees it now, as a rule `open`.',
        content: { kind: 'json', schema: 'CheckoutView', examples: abandonedExamples },
      },
    ],
    problems: ['cannot_abandon', 'store_unavailable'],
  },
];

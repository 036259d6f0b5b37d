import type { z } from 'zod';
import { type PayAnswer, payAnswer, payByApm, payByCard, payByToken, removeCard } from '../../shared/checkout/pay.ts';
import { type CheckoutView, checkoutView } from '../../shared/checkout/view.ts';
import { sessionId, transactionId } from '../../shared/samples/ids.ts';
import { BIRTH_DATE_RULE, type Example, json, noBody, type Routes } from './route.ts';

const view: CheckoutView = {
  session_id: sessionId,
  status: 'open',
  order_no: 'A-1001',
  currency: 'BRL',
  amount: '129.90',
  revision: 1,
  merchant_name: 'Demo Shop',
  methods: [{ type: 'card' }],
  installment_options: [],
  collect: ['email'],
  attempts_left: 5,
  returns: true,
  prefill: { shopper_email: 'ada@example.com' },
  saved_cards: [],
};

const methods: CheckoutView['methods'] = [{ type: 'card' }, { type: 'apm', payment_method: 'BOLETO', label: 'Boleto' }];

const continue_url = `https://pay.example/checkout/${sessionId}/issuer?ticket=1806488100000.Jx7TqLk2Vn9wRb4Z`;

const pending: CheckoutView = {
  ...view,
  methods,
  status: 'pending',
  pending: { payment_method: 'BOLETO', can_abandon: true, continue_url },
};

const redirected = (returned: boolean): CheckoutView => ({
  ...view,
  methods,
  status: 'redirected',
  redirected: {
    payment_method: 'BOLETO',
    can_abandon: true,
    returned,
    continue_url,
  },
});

const returnedExamples: Example[] = [
  { name: 'returned', summary: 'The relay queries the gateway', value: redirected(true) },
];

const viewExamples: Example[] = [
  { name: 'open', summary: 'Waiting for the shopper', value: view },
  { name: 'redirected', summary: 'The shopper is at the issuer’s page', value: redirected(false) },
  { name: 'pending', summary: 'A voucher is pending', value: pending },
];

const abandoned: CheckoutView = {
  ...{ ...view, methods, attempts_left: 4, notice: 'not_paid', last_method: 'BOLETO' },
  watched: { payment_method: 'BOLETO' },
};

const abandonedExamples: Example[] = [
  { name: 'open', summary: 'The session is open for another way to pay', value: abandoned },
];

const device = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  browser_lang: 'pt-BR',
  time_zone: 'America/Sao_Paulo',
  resolution: '1920x1080',
  color_depth: '24',
};

const byCard: z.input<typeof payByCard> = {
  // A published test card.
  card: '4111111111111111',
  expiration_month: '12',
  expiration_year: '2030',
  security_code: '737',
  first_name: 'Ada',
  last_name: 'Byron',
  revision: 1,
  device,
};
const byToken: z.input<typeof payByToken> = { token_id: 'tok_8f3b2c', security_code: '737', device };
const byApm: z.input<typeof payByApm> = { payment_method: 'PIX', person: { document_number: '12345678909' }, device };

const payExamples: Example[] = [
  { name: 'card', summary: 'With a card', value: byCard },
  { name: 'token', summary: 'With a saved card', value: byToken },
  { name: 'apm', summary: 'By an alternative method', value: byApm },
];

const answers: PayAnswer[] = [
  {
    status: 'approved',
    order_no: 'A-1001',
    transaction_id: transactionId,
    card: '411111******1111',
    result: { code: '0000', message: 'Success' },
  },
  {
    status: 'declined',
    result: { code: '2001', message: 'Insufficient funds' },
    advice: 'contact_bank',
    attempts_left: 4,
  },
  {
    status: 'redirect',
    redirect_url: continue_url,
  },
  { status: 'pending' },
  { status: 'unknown' },
];

const summaries: Record<PayAnswer['status'], string> = {
  approved: 'Paid',
  declined: 'Declined, with advice',
  redirect: 'The shopper must go to the issuer',
  pending: 'A payment that takes long is in progress, such as a voucher',
  unknown: 'The outcome is unknown',
};

const payAnswerExamples: Example[] = answers.map((value) => ({
  name: value.status,
  summary: summaries[value.status],
  value,
}));

/** The routes for the form's script. */
export const browserRoutes = {
  getCheckout: {
    method: 'get',
    path: '/checkout/api/session',
    summary: 'Read the form’s data',
    description:
      'Returns the session as its shopper may see it. The form repeats this request until the outcome of a payment is known.',
    access: { kind: 'client_secret' },
    answers: [json(200, 'The session.', checkoutView, viewExamples)],
    problems: ['store_unavailable'],
  },
  pay: {
    method: 'post',
    path: '/checkout/api/pay',
    summary: 'Pay a session',
    description: `Makes one attempt to pay an open session. The card is sent to the gateway, and is not stored. The amount is that of the session’s order; a body with an amount is refused.

After a lost answer the form reads the session, and never sends a second payment. With an \`Idempotency-Key\`, a repeated request is the same attempt.`,
    access: { kind: 'client_secret' },
    repeatable: 'same_attempt',
    body: { kind: 'json', schema: [payByCard, payByToken, payByApm], examples: payExamples, withFile: true },
    rules: [
      '`card`, `token_id` or `payment_method` must be one that the session offers',
      'a value that the session asks for must follow the rules of its country, if that is known, unless the order has the same value; only the card’s own field may contain a card number',
      '`token_id` must be one of its saved cards, `installments` with `installments_id` one of its plans, `bank_code` one of the method’s banks',
      'in addition, only the fields that the session asks for are allowed: those of `collect` and the method’s own `fields`',
      BIRTH_DATE_RULE,
    ],
    answers: [json(200, 'The outcome of the attempt.', payAnswer, payAnswerExamples, { headers: ['Set-Cookie'] })],
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
  returned: {
    method: 'post',
    path: '/checkout/api/returned',
    summary: 'Return from the issuer in the form',
    description:
      'The shopper says that they paid at the issuer’s page. From now on the relay queries the gateway, up to `resolve.return_ms`, as after `/return/{session_id}`. In any other state the request changes nothing. It can be repeated.',
    access: { kind: 'client_secret' },
    body: noBody,
    answers: [json(200, 'The session as its shopper sees it now.', checkoutView, returnedExamples)],
    problems: ['store_unavailable'],
  },
  removeCard: {
    method: 'post',
    path: '/checkout/api/remove-card',
    summary: 'Remove a saved card',
    description:
      'The shopper removes a saved card: the session offers it no more, and the shop gets `saved_card.removed`. A card that the session does not offer changes nothing, so the request can be repeated.',
    access: { kind: 'client_secret' },
    body: {
      kind: 'json',
      schema: removeCard,
      examples: [{ name: 'card', summary: 'A saved card', value: { token_id: 'tok_8f3b2c' } }],
    },
    answers: [json(200, 'The session as its shopper sees it now.', checkoutView, viewExamples.slice(0, 1))],
    problems: ['attempt_in_flight', 'session_final', 'store_unavailable'],
  },
  abandon: {
    method: 'post',
    path: '/checkout/api/abandon',
    summary: 'Abandon a payment',
    description: `The shopper abandons a payment that is pending, such as a voucher, or that was to be made at the issuer’s page, and chooses another way to pay. Every such payment of the order by an alternative method is abandoned. If one of them is paid later, it pays the order.

Before a payment at the issuer’s page is abandoned, the relay queries the gateway, and a record of the payment decides. A pending card payment completes without the shopper, and cannot be abandoned. The request can be repeated.`,
    access: { kind: 'client_secret' },
    body: noBody,
    answers: [json(200, 'The session as its shopper sees it now, usually `open`.', checkoutView, abandonedExamples)],
    problems: ['cannot_abandon', 'gateway_unreachable', 'store_unavailable'],
  },
} as const satisfies Routes;

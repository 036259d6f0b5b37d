import type { z } from 'zod';
import type { PayAnswer, payByApm, payByCard, payByToken } from '../../../shared/checkout/pay.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import { sessionId, transactionId } from '../../../shared/samples/ids.ts';
import type { Example } from '../route.ts';

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

const pending: CheckoutView = {
  ...view,
  methods,
  status: 'pending',
  pending: { payment_method: 'BOLETO', can_abandon: true },
};

const redirected = (returned: boolean): CheckoutView => ({
  ...view,
  methods,
  status: 'redirected',
  redirected: {
    payment_method: 'BOLETO',
    can_abandon: true,
    returned,
    continue_url: `https://pay.example/checkout/${sessionId}/issuer?ticket=1806488100000.Jx7TqLk2Vn9wRb4Z`,
  },
});

export const returnedExamples: Example[] = [
  { name: 'returned', summary: 'The relay queries the gateway', value: redirected(true) },
];

export const viewExamples: Example[] = [
  { name: 'open', summary: 'Waiting for the shopper', value: view },
  { name: 'redirected', summary: 'The shopper is at the issuer’s page', value: redirected(false) },
  { name: 'pending', summary: 'A voucher is pending', value: pending },
];

const abandoned: CheckoutView = {
  ...{ ...view, methods, attempts_left: 4, notice: 'not_paid', last_method: 'BOLETO' },
  watched: { payment_method: 'BOLETO' },
};

export const abandonedExamples: Example[] = [
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

export const payExamples: Example[] = [
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
    redirect_url: `https://pay.example/checkout/${sessionId}/issuer?ticket=1806488100000.Jx7TqLk2Vn9wRb4Z`,
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

export const payAnswerExamples: Example[] = answers.map((value) => ({
  name: value.status,
  summary: summaries[value.status],
  value,
}));

const embedding = {
  script:
    '<script src="https://pay.example/turnpike-0123456789abcdef.js" integrity="sha384-…" crossorigin="anonymous" async></script>',
  csp: ['script-src https://pay.example', 'frame-src https://pay.example'],
  scripts: [
    {
      url: 'https://pay.example/turnpike-0123456789abcdef.js',
      integrity: 'sha384-…',
      runs_in: 'page',
      purpose: 'puts the checkout’s frame into the shop’s page',
    },
    {
      integrity: 'sha256-…',
      runs_in: 'frame',
      purpose: 'tells the shop’s page how high the form stands',
    },
  ],
};

export const embeddingExamples: Example[] = [{ name: 'inventory', summary: 'The inventory', value: embedding }];

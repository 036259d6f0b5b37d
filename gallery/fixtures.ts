import type { PaymentMethod, SavedCard } from '../shared/checkout/session.ts';
import type { CheckoutView } from '../shared/checkout/view.ts';

/** What the gallery's sessions hold, made up. The card numbers are the published ones for tests. */

export const TODAY = new Date(2028, 5, 15);

const open: CheckoutView = {
  session_id: 'cs_gallery',
  order_no: 'A-1001',
  status: 'open',
  currency: 'BRL',
  amount: '129.90',
  revision: 1,
  merchant_name: 'Folha',
  methods: [{ type: 'card' }],
  installment_options: [],
  collect: [],
  attempts_left: 5,
  returns: true,
  prefill: {},
  saved_cards: [],
};

/** A session that is open for a card, but for what is given. */
export function session(differs: Partial<CheckoutView> = {}): CheckoutView {
  return { ...open, ...differs };
}

export const card: PaymentMethod = { type: 'card' };
export const pix: PaymentMethod = { type: 'apm', payment_method: 'PIX', label: 'Pix' };
export const boleto: PaymentMethod = {
  type: 'apm',
  payment_method: 'BOLETO',
  label: 'Boleto',
  fields: ['person.document_type', 'person.document_number', 'person.social_name', 'person.email'],
};
export const transfer: PaymentMethod = {
  type: 'apm',
  payment_method: 'PSE',
  label: 'PSE',
  banks: [
    { code: '1007', name: 'Bancolombia' },
    { code: '1051', name: 'Davivienda' },
  ],
  fields: ['person.document_number', 'person.net_monthly_average_income'],
};
export const home: PaymentMethod = {
  type: 'apm',
  payment_method: 'OXXO',
  label: 'OXXO Pay',
  fields: [
    'person.phone_country_code',
    'person.phone_area_code',
    'person.phone_number',
    'person.address_street',
    'person.address_number',
    'person.address_complement',
  ],
};
export const longest: PaymentMethod = {
  type: 'apm',
  payment_method: 'LONG',
  label: 'Transferência bancária instantânea do Banco Interamericano de Desenvolvimento Regional',
};

export const savedCards: SavedCard[] = [
  { token_id: 't1', brand: 'Visa', last4: '4242', expiration_month: '12', expiration_year: '2030' },
  { token_id: 't2', brand: 'Mastercard', last4: '4444', expiration_month: '07', expiration_year: '2029' },
];

export const filled = { card: '4111111111111111', expiry: '12 / 30', security_code: '737', name: 'Ada Byron' };
export const declined = { ...filled, security_code: '' };

/** A number for each brand that has a mark. */
export const brandNumbers: Readonly<Record<string, string>> = {
  visa: '4111111111111111',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  diners: '30569309025904',
  discover: '6011111111111117',
  jcb: '3530111333300000',
  unionpay: '6200000000000005',
  maestro: '6759649826438453',
  elo: '6362970000457013',
  hipercard: '6062826786276634',
  mir: '2200000000000053',
  troy: '9792030394440796',
};

/** A shop's own looks: what docs/appearance.md shows as its example. */
export const brandTheme: Readonly<Record<string, string>> = {
  '--turnpike-color-accent': '#0f5c4d',
  '--turnpike-color-on-accent': '#fff',
  '--turnpike-color-text': '#1f2a24',
  '--turnpike-color-muted': '#5b665f',
  '--turnpike-color-border': '#8a8470',
  '--turnpike-color-line': '#e2dcc9',
  '--turnpike-color-field': '#fffdf7',
  '--turnpike-radius': '999px',
  '--turnpike-font': 'Georgia, "Liberation Serif", serif',
  '--turnpike-font-size': '17px',
};

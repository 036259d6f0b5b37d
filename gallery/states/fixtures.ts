import { pixIcon } from '../../sandbox/shop/tea.ts';
import type { PaymentMethod, SavedCard } from '../../shared/checkout/session.ts';
import type { CheckoutView, OrderParts } from '../../shared/checkout/view.ts';
import { open } from '../../widget/form/view-testing.ts';

// Made-up sessions for the gallery. The card numbers are the published test numbers.

export const TODAY = new Date(2028, 5, 15);

/** An open session for a card, with the given changes. */
export function session(differs: Partial<CheckoutView> = {}): CheckoutView {
  return { ...open, session_id: 'cs_gallery', order_no: 'A-1001', merchant_name: 'Folha', ...differs };
}

export const card: PaymentMethod = { type: 'card', brands: ['visa', 'mastercard', 'amex', 'elo'] };
export const pix: PaymentMethod = { type: 'apm', payment_method: 'PIX', label: 'Pix', icon: pixIcon };
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
export const identity: PaymentMethod = {
  type: 'apm',
  payment_method: 'IDENTITY',
  label: 'Instalment loan',
  fields: [
    'first_name',
    'last_name',
    'person.social_name',
    'person.phone_country_code',
    'person.phone_area_code',
    'person.phone_number',
    'person.fiscal_country',
    'person.net_monthly_average_income',
    'shopper_id',
    'shopper_level',
    'delivery_country',
    'delivery_street_name',
    'delivery_district_name',
  ],
};
export const documents: PaymentMethod = {
  type: 'apm',
  payment_method: 'DOCUMENTS',
  label: 'Transfer with a document',
  fields: ['person.documents.file_data'],
};
export const bankAccount: PaymentMethod = {
  type: 'apm',
  payment_method: 'ACCOUNT',
  label: 'Bank transfer',
  fields: ['person.documents.file_type', 'person.documents.file_url', 'person.documents.labels'],
};
export const longest: PaymentMethod = {
  type: 'apm',
  payment_method: 'LONG',
  label: 'Transferência bancária instantânea do Banco Interamericano de Desenvolvimento Regional',
};

/** More methods than fit side by side. */
export const manyMethods: PaymentMethod[] = [
  card,
  ...[
    'Pix',
    'Boleto',
    'Mercado Pago',
    'PayPal',
    'PSE',
    'OXXO Pay',
    'SPEI',
    'Efecty',
    'PagoEfectivo',
    'Webpay Plus',
    'Khipu',
    'Rapipago',
    'iDEAL',
    'Bancontact',
    'BLIK',
    'Przelewy24',
    'Klarna',
    'SEPA-Lastschrift',
    'MB WAY',
    'Multibanco',
    'Satispay',
    'Alipay',
    'WeChat Pay',
    'UPI',
    'Konbini',
    'PayPay',
    'GrabPay',
    'GCash',
    'M-Pesa',
  ].map((label): PaymentMethod => ({ type: 'apm', payment_method: label.toUpperCase(), label })),
];

/** A method with more banks than a plain select has. */
export const manyBanks = {
  type: 'apm',
  payment_method: 'TEF',
  label: 'Transferência',
  banks: [
    ['001', 'Banco do Brasil S.A.'],
    ['003', 'Banco da Amazônia S.A.'],
    ['004', 'Banco do Nordeste do Brasil S.A.'],
    ['021', 'Banestes S.A.'],
    ['025', 'Banco Alfa S.A.'],
    ['033', 'Banco Santander (Brasil) S.A.'],
    ['037', 'Banco do Estado do Pará S.A.'],
    ['041', 'Banrisul S.A.'],
    ['047', 'Banco do Estado de Sergipe S.A.'],
    ['065', 'Banco AndBank (Brasil) S.A.'],
    ['069', 'Banco Crefisa S.A.'],
    ['070', 'BRB – Banco de Brasília S.A.'],
    ['074', 'Banco J. Safra S.A.'],
    ['077', 'Banco Inter S.A.'],
    ['082', 'Banco Topázio S.A.'],
    ['085', 'Ailos'],
    ['091', 'Unicred Central RS'],
    ['094', 'Banco Finaxis S.A.'],
    ['095', 'Travelex Banco de Câmbio S.A.'],
    ['097', 'Credisis'],
    ['099', 'Uniprime Central'],
    ['104', 'Caixa Econômica Federal'],
    ['121', 'Banco Agibank S.A.'],
    ['136', 'Unicred do Brasil'],
    ['208', 'Banco BTG Pactual S.A.'],
    ['212', 'Banco Original S.A.'],
    ['213', 'Banco Arbi S.A.'],
    ['218', 'Banco BS2 S.A.'],
    ['222', 'Banco Crédit Agricole Brasil S.A.'],
    ['224', 'Banco Fibra S.A.'],
    ['233', 'Banco Cifra S.A.'],
    ['237', 'Banco Bradesco S.A.'],
    ['246', 'Banco ABC Brasil S.A.'],
    ['260', 'Nu Pagamentos S.A. (Nubank)'],
    ['265', 'Banco Fator S.A.'],
    ['290', 'PagSeguro Internet S.A.'],
    ['318', 'Banco BMG S.A.'],
    ['320', 'China Construction Bank (Brasil) S.A.'],
    ['323', 'Mercado Pago'],
    ['335', 'Banco Digio S.A.'],
    ['336', 'Banco C6 S.A.'],
    ['341', 'Itaú Unibanco S.A.'],
    ['380', 'PicPay'],
    ['389', 'Banco Mercantil do Brasil S.A.'],
    ['422', 'Banco Safra S.A.'],
    ['604', 'Banco Industrial do Brasil S.A.'],
    ['612', 'Banco Guanabara S.A.'],
    ['623', 'Banco Pan S.A.'],
    ['633', 'Banco Rendimento S.A.'],
    ['637', 'Banco Sofisa S.A.'],
    ['643', 'Banco Pine S.A.'],
    ['655', 'Banco Votorantim S.A.'],
    ['707', 'Banco Daycoval S.A.'],
    ['743', 'Banco Semear S.A.'],
    ['745', 'Banco Citibank S.A.'],
    ['748', 'Sicredi'],
    ['752', 'BNP Paribas Brasil S.A.'],
    ['756', 'Banco Sicoob S.A.'],
  ].map(([code = '', name = '']) => ({ code, name })),
} as const satisfies PaymentMethod;

export const savedCards: SavedCard[] = [
  { token_id: 't1', brand: 'Visa', last4: '4242', expiration_month: '12', expiration_year: '2030' },
  { token_id: 't2', brand: 'mastercard', last4: '4444', expiration_month: '07', expiration_year: '2029' },
  { token_id: 't3', brand: 'American Express', last4: '0005', expiration_month: '02', expiration_year: '28' },
];

export const filled = { card: '4111 1111 1111 1111', expiry: '12 / 30', security_code: '737', name: 'Ada Byron' };
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

/** The contents of an order with all parts. */
export const orderOfAll: OrderParts = {
  items: [
    { name: 'Serra Verde, loose-leaf green tea, 100 g tin', quantity: 2, price: '44.95', total: '89.90' },
    { name: 'Tea strainer', quantity: 1, price: '30.00', total: '30.00' },
    {
      name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
      quantity: 1000000,
      price: '123456.79',
      total: '123456789000.00',
    },
  ],
  further: 1204,
  sums: [
    { name: 'item_total', amount: '123456789119.90' },
    { name: 'discount', amount: '10.00' },
    { name: 'shipping', amount: '15.00' },
    { name: 'shipping_discount', amount: '5.00' },
    { name: 'handling', amount: '2.00' },
    { name: 'insurance', amount: '3.00' },
    { name: 'tax_total', amount: '5.00' },
  ],
};

/** A shop's logo: a text and a leaf. */
export const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 112 36" width="112" height="36"><path d="M4 30C4 12 14 4 30 4c0 18-10 26-26 26Zm0 0L20 14" fill="#2f7d5b" stroke="#fff" stroke-width="1.5"/><text x="40" y="26" font-family="Georgia,serif" font-size="24" fill="#2f7d5b">Folha</text></svg>',
)}`;

/** A shop's own appearance: the example in docs/appearance.md. */
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

/** One method of each kind. */
export const allMethods = [card, pix, boleto, transfer, home];

import { createClient, RelayRefused } from '../../client/index.ts';
import { testCards } from '../../shared/card-data/test-cards.ts';
import type { Person } from '../harness/person.ts';

type Client = ReturnType<typeof createClient>;
type Order = { order_no: string; currency: string; amount: string };
/** Makes one order of a kind. */
type MakeOrder = (client: Client, order: Order, person?: Person) => Promise<unknown>;

/** The only e-mail that searches find; other copies have random ones. */
export const EMAIL = 'ada.byron@example.com';

/** The number, in the template, of the order with the longest history. */
export const LONG_ORDER = 'C00000199';

const AT_ONCE = 10;

const card = (number: string) => ({
  card: number,
  ...{ expiration_month: '12', expiration_year: '2040', security_code: '737' },
  ...{ first_name: 'Ada', last_name: 'Byron', shopper_email: EMAIL, shopper_phone: '+5511912345678' },
  ...{ billing_country: 'BR', billing_state: 'SP', billing_city: 'São Paulo', billing_postal_code: '01310-200' },
  items: [{ name: 'Green tea, first harvest, 100 g', code: 'TEA-0017', price: '59.95', quantity: 2 }],
});

const pay = (client: Client, order: Order, number: string = testCards.approved.number) =>
  client.payments.create({ ...order, ...card(number) });

/** Pays with one card after the other. */
const payBy =
  (...numbers: string[]): MakeOrder =>
  async (client, order) => {
    for (const number of numbers) await pay(client, order, number);
  };

/** Pays an order, and then does something with the payment. */
const paid =
  (next: (client: Client, payment: Order & { transaction_id: string }, person?: Person) => unknown): MakeOrder =>
  async (client, order, person) => {
    const payment = await pay(client, order);
    if (payment.status !== 'approved') throw new TypeError(`not approved: ${payment.status}`);
    await next(client, { ...order, transaction_id: payment.transaction_id }, person);
  };

const refund = (refund_amount: string) =>
  paid((client, payment) => client.refund({ refund_orders: [{ ...payment, refund_amount }] }));

const opened: MakeOrder = (client, order) => client.sessions.create({ order: { ...order, shopper_email: EMAIL } });

const withdrawn: MakeOrder = async (client, order) => {
  const { id } = await client.sessions.create({ order });
  await client.sessions.expire(id);
};

const subscribed: MakeOrder = (client, order) =>
  client.payments.create({
    ...{ ...order, ...card(testCards.approved.number) },
    subscription: { contract_name: 'Tea club', interval: 'month' },
  });

const unsubscribed: MakeOrder = async (client, order) => {
  const payment = await client.payments.create({
    ...{ ...order, ...card(testCards.approved.number) },
    subscription: { contract_name: 'Tea club', interval: 'month' },
  });
  if (payment.status === 'approved') await client.subscriptionCancel({ recurring_id: payment.recurring_id ?? '' });
};

const payout: MakeOrder = (client, { currency, amount }) =>
  client.payout({
    request_id: crypto.randomUUID(),
    ...{ source_amount: amount, source_currency: currency, beneficiary_id: 'ben_1' },
  });

const byPix: MakeOrder = (client, order) => client.payments.create({ ...order, payment_method: 'PIX' });

/** A hundred completed orders: how many of each kind. */
const usual: readonly (readonly [times: number, make: MakeOrder])[] = [
  [36, payBy(testCards.approved.number)],
  [14, payBy('5555555555554444')],
  [6, payBy('378282246310005')],
  [8, payBy(testCards.declined.number)],
  [4, payBy(testCards.poor.number)],
  [3, payBy(testCards.wrongCode.number)],
  [5, payBy(testCards.poor.number, testCards.approved.number)],
  [5, refund('20.00')],
  [3, refund('10.00')],
  [
    2,
    paid((_client, payment, person) =>
      person?.post('/v1/refund', { refund_orders: [{ ...payment, refund_amount: '5.00' }] }),
    ),
  ],
  [3, paid((client, payment) => client.capture({ capture_orders: [payment] }))],
  [2, paid((client, payment) => client.cancel({ cancel_orders: [payment] }))],
  [2, subscribed],
  [1, unsubscribed],
  [4, withdrawn],
  [2, payout],
];

const unanswered: MakeOrder = (client, order) =>
  pay(client, { ...order, order_no: `${order.order_no}-fault:reset-fault:query.server_error` });

const unansweredRefund: MakeOrder = async (client, order) => {
  const order_no = `${order.order_no}-fault:refund.reset-fault:refund_search.server_error`;
  try {
    await refund('20.00')(client, { ...order, order_no });
  } catch (error) {
    if (!(error instanceof RelayRefused && error.code === 'outcome_unknown')) throw error;
  }
};

/** Orders that wait for something: how many of each kind. */
const waiting: readonly (readonly [times: number, make: MakeOrder])[] = [
  [4, unanswered],
  [3, payBy(testCards.wrongAmount.number)],
  [4, byPix],
  [6, opened],
  [2, unansweredRefund],
  [2, payBy(testCards.held.number)],
  [8, payBy(testCards.approved.number)],
];

/** One order with forty declined payments, one approved payment and twenty refunds. */
const long: MakeOrder = async (client, order) => {
  for (let tries = 0; tries < 40; tries++) await pay(client, order, testCards.poor.number);
  await paid(async (_client, payment) => {
    for (let refunds = 0; refunds < 20; refunds++) {
      await client.refund({ refund_orders: [{ ...payment, refund_amount: '1.00' }] });
    }
  })(client, order);
};

/** Makes the hundred completed orders at a relay. */
export async function makeUsual(url: string, person: Person): Promise<void> {
  await make(url, usual, 0, person);
}

/** Makes the orders that wait for something, and the one with a long history. */
export async function makeWaiting(url: string): Promise<void> {
  await make(url, waiting, 100);
  await long(clientOf(url), { order_no: LONG_ORDER, currency: 'BRL', amount: '129.90' });
}

const clientOf = (url: string): Client => createClient({ url, apiKey: 'bench' });

/** Makes orders of all kinds, mixed, with numbers from `first`. */
async function make(url: string, kinds: typeof usual, first: number, person?: Person): Promise<void> {
  const client = clientOf(url);
  const all = kinds.flatMap(([times, one]) => Array.from({ length: times }, () => one));
  // Mixes the kinds evenly: 37 has no common factor with the number of orders.
  const mixed = all.map((_, at) => all[(at * 37) % all.length]);
  const left = mixed.entries();
  const worker = async (): Promise<void> => {
    for (const [at, one] of left) await one?.(client, orderAt(first + at), person);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** The number, currency and amount of the `at`th order of the template. */
function orderAt(at: number): Order {
  const amount = `${32 + ((at * 37) % 480)}.${at % 2 === 0 ? '90' : '00'}`;
  return { order_no: `C${String(at).padStart(8, '0')}`, currency: at % 10 === 9 ? 'USD' : 'BRL', amount };
}

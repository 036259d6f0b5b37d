import { createClient } from '../client/index.ts';
import { cards, failing } from './gateway/test-cards.ts';

/** Where the orders are made, and until when. */
type Relay = { url: string; apiKey: string; signal: AbortSignal };
type Client = ReturnType<typeof createClient>;

const ORDERS = 300;

/** How one kind of order is made; `amount` is what it costs. */
type Make = (client: Client, order: Order) => Promise<unknown>;
type Order = ReturnType<typeof orderAt>;

const payBy =
  (number: string): Make =>
  (client, order) =>
    client.payments.create({
      ...order,
      card: number,
      expiration_month: '12',
      expiration_year: '2040',
      security_code: '737',
    });

const refundOf =
  (share: number, number: string = cards.approved.number): Make =>
  async (client, order) => {
    const payment = await client.payments.create({
      ...{ ...order, card: number, expiration_month: '12', expiration_year: '2040', security_code: '737' },
    });
    if (payment.status !== 'approved') return;
    const { transaction_id } = payment;
    const { order_no, currency, amount } = order;
    const refund_amount = (Number(amount) * share).toFixed(2);
    await client.refund({ refund_orders: [{ transaction_id, order_no, currency, amount, refund_amount }] });
  };

const abandoned: Make = (client, { order_no, currency, amount }) =>
  client.sessions.create({ order: { order_no, currency, amount } });

const withdrawn: Make = async (client, { order_no, currency, amount }) => {
  const { id } = await client.sessions.create({ order: { order_no, currency, amount } });
  await client.sessions.expire(id);
};

const byPix: Make = (client, order) => client.payments.create({ ...order, payment_method: 'PIX' });

/** How often each kind comes: what every day brings first, what needs a person last. */
const kinds: readonly (readonly [times: number, make: Make])[] = [
  [60, payBy(cards.approved.number)],
  [50, payBy('5555555555554444')],
  [40, payBy('378282246310005')],
  [26, payBy(cards.declined.number)],
  [24, payBy(cards.poor.number)],
  [12, payBy(cards.wrongCode.number)],
  [24, refundOf(1)],
  [20, refundOf(0.25)],
  [3, refundOf(0.5, cards.refundPending.number)],
  [12, payBy(cards.held.number)],
  [8, byPix],
  [9, abandoned],
  [5, withdrawn],
  [4, payBy(cards.reset.number)],
  [2, payBy(failing.number)],
  [1, payBy(cards.wrongAmount.number)],
];

const people = [
  ...[
    ['Ana', 'Souza'],
    ['Bruno', 'Lima'],
    ['Carla', 'Dias'],
    ['Davi', 'Rocha'],
    ['Elisa', 'Nunes'],
    ['Fábio', 'Melo'],
  ],
  ...[
    ['Gabi', 'Alves'],
    ['Heitor', 'Cruz'],
    ['Iara', 'Pinto'],
    ['João', 'Prado'],
    ['Katia', 'Reis'],
    ['Lucas', 'Matos'],
  ],
] as const;

/**
 * Fills a relay that knows of no order yet with a few hundred of every kind, one after the other, so that whoever pays meanwhile hardly
 * waits. Ends early at the signal. Rejects with what the client rejects with.
 */
export async function fillOrders({ url, apiKey, signal }: Relay): Promise<void> {
  const client = createClient({ url, apiKey });
  const known = await client.orders.list({ limit: 1 });
  if (known.orders.length > 0) return;
  const all = kinds.flatMap(([times, make]) => Array.from({ length: times }, () => make));
  for (let at = 0; at < ORDERS && !signal.aborted; at++) {
    // 7 and the number of orders have no factor in common: each kind is spread over all of them.
    const make = all[(at * 7) % ORDERS];
    await make?.(client, orderAt(at));
  }
}

function orderAt(at: number) {
  const [first_name = '', last_name = ''] = people[at % people.length] ?? [];
  const shopper_email = `${first_name}.${last_name}${at % 40}@example.com`
    .normalize('NFD')
    .replace(/[^\w.@]/g, '')
    .toLowerCase();
  const amount = `${12 + ((at * 37) % 480)}.${at % 2 === 0 ? '90' : '00'}`;
  const order_no = `DEMO-${1001 + at}`;
  return { order_no, currency: at % 10 === 9 ? 'USD' : 'BRL', amount, first_name, last_name, shopper_email };
}

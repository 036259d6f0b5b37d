import { type Client, RelayRefused } from '../../client/index.ts';
import { testCards } from '../../shared/card-data/test-cards.ts';
import { inPortal, invoice, paidTwice, voucher } from './lives.ts';
import { expiry, type Make, type Order, paidThen, payBy, shareOf } from './make.ts';
import { portalOf } from './portal.ts';

const ORDERS = 300;
const ORDERS_A_DAY = 10;

const refundOf = (hundredths: number, reason: string, number?: string): Make =>
  paidThen((client, paid) => {
    const refund = { ...paid, refund_amount: shareOf(paid.amount, hundredths), refund_reason: reason };
    return client.refund({ refund_orders: [refund] });
  }, number);

const captured = (hundredths: number): Make =>
  paidThen((client, paid) =>
    client.capture({ capture_orders: [{ ...paid, amount: shareOf(paid.amount, hundredths) }] }),
  );

const cancelled = paidThen((client, paid) => client.cancel({ cancel_orders: [paid] }));
const reviewed = (review_flag: 'ACCEPT' | 'REJECT', number?: string): Make =>
  paidThen((client, paid) => client.review({ review_orders: [{ ...paid, review_flag }] }), number);

const abandoned: Make = (client, { order_no, currency, amount }) =>
  client.sessions.create({ order: { order_no, currency, amount } });

const withdrawn: Make = async (client, { order_no, currency, amount }) => {
  const { id } = await client.sessions.create({ order: { order_no, currency, amount } });
  await client.sessions.expire(id);
};

const byPix: Make = (client, order) => client.payments.create({ ...order, payment_method: 'PIX' });

const subscribed =
  (interval: 'week' | 'month', isEnded: boolean, number: string = testCards.approved.number): Make =>
  async (client, order) => {
    const terms = { contract_name: 'Tea club', contract_amount: order.amount, interval, interval_count: '1' };
    const payment = await client.payments.create({
      ...{ ...order, card: number, ...expiry },
      subscription: { ...terms, billing_cycle: 12 },
    });
    if (isEnded && payment.status === 'approved' && payment.recurring_id) {
      await client.subscriptionCancel({ recurring_id: payment.recurring_id });
    }
  };

/** A payment, and on the same day a payout to the grower of the tea; `reference` decides how that ends. */
const paidOut =
  (reference: string): Make =>
  async (client, order, elsewhere) => {
    await payBy(testCards.approved.number)(client, order, elsewhere);
    await client.payout({
      request_id: crypto.randomUUID(),
      ...{ payment_amount: `${order.amount.split('.')[0]}0.00`, payment_currency: 'BRL', reason: 'Goods', reference },
      beneficiary: {
        ...{ entity_type: 'COMPANY', company_name: 'Jardins de Chá Ltda' },
        bank_details: { account_name: 'Jardins de Chá Ltda', account_number: '000123456', bank_country_code: 'BR' },
      },
    });
  };

/** An order for which the gateway's answers with these faults are lost repeatedly. */
const faulty =
  (faults: readonly string[], make: Make): Make =>
  (client, order, elsewhere) => {
    const order_no = [order.order_no, ...faults.map((fault) => `fault:${fault}`)].join('-');
    return make(client, { ...order, order_no }, elsewhere).catch((error: unknown) => {
      if (!(error instanceof RelayRefused)) throw error;
    });
  };

/** How often each kind occurs: first the daily ones, last those that need a person. */
const kinds: readonly (readonly [times: number, make: Make])[] = [
  [41, payBy(testCards.approved.number)],
  [37, payBy('5555555555554444')],
  [18, payBy('378282246310005')],
  [24, payBy(testCards.declined.number)],
  [22, payBy(testCards.poor.number)],
  [9, payBy(testCards.wrongCode.number)],
  [18, refundOf(100, 'Sent back')],
  [16, refundOf(25, 'One cup was broken')],
  [3, refundOf(50, 'Came late', testCards.refundPending.number)],
  [8, captured(100)],
  [4, captured(60)],
  [5, cancelled],
  [4, reviewed('ACCEPT', testCards.held.number)],
  [3, reviewed('REJECT', testCards.held.number)],
  [2, inPortal('void')],
  [2, inPortal('capture', 'refund_half')],
  [3, inPortal('capture', 'charge_back')],
  [1, inPortal('capture', 'charge_back', 'reverse')],
  [10, byPix],
  [5, invoice()],
  [3, invoice(40, 20)],
  [4, invoice(30, 'rest')],
  [3, voucher()],
  [4, voucher('pay')],
  [2, voucher('lapse')],
  [2, paidTwice],
  [9, abandoned],
  [5, withdrawn],
  [5, subscribed('month', false)],
  [3, subscribed('week', false)],
  [3, subscribed('week', false, testCards.renewalsFail.number)],
  [2, subscribed('month', true)],
  [3, paidOut('Harvest')],
  [1, paidOut('sandbox:fail')],
  [1, paidOut('sandbox:pending')],
  [6, payBy(testCards.held.number)],
  [3, payBy(testCards.reset.number)],
  [2, payBy(testCards.failing.number)],
  [1, payBy(testCards.wrongAmount.number)],
  [1, faulty(['capture.reset'], captured(100))],
  [1, faulty(['refund.reset', 'refund_search.error_before'], refundOf(30, 'Too much tea'))],
  [1, faulty(['direct_payment.reset', 'query.error_before'], payBy(testCards.approved.number))],
];

const people = [
  ...['Ana Souza', 'Bruno Lima', 'Carla Dias', 'Davi Rocha', 'Elisa Nunes', 'Fábio Melo'],
  ...['Gabi Alves', 'Heitor Cruz', 'Iara Pinto', 'João Prado', 'Katia Reis', 'Lucas Matos'],
];

/**
 * Makes a few hundred orders of every kind one after another, at a relay and in its gateway's portal. `begin` is called
 * before each, with its number and the total. Rejects with the client's errors.
 */
export async function makeOrders(
  { client, relayUrl, gatewayUrl }: { client: Client; relayUrl: string; gatewayUrl: string },
  begin: (at: number, of: number) => Promise<void>,
): Promise<void> {
  const later = new Later();
  const elsewhere = { portal: portalOf(gatewayUrl), relayUrl, later: later.add };
  const all = kinds.flatMap(([times, make]) => Array.from({ length: times }, () => make));
  for (let at = 0; at < ORDERS; at++) {
    await begin(at, ORDERS);
    await later.next();
    // 187 and the number of orders have no common factor, so each kind is spread over all orders.
    const make = all[(at * 187) % ORDERS];
    await make?.(client, orderAt(at), elsewhere);
  }
  await later.end();
}

/** Steps about a day later: after `ORDERS_A_DAY` orders. */
class Later {
  readonly #waits: (() => Promise<unknown>)[][] = Array.from({ length: ORDERS_A_DAY }, () => []);

  readonly add = (step: () => Promise<unknown>): void => {
    this.#waits.at(-1)?.push(step);
  };

  /** Does the steps that waited for this order. */
  async next(): Promise<void> {
    this.#waits.push([]);
    for (const step of this.#waits.shift() ?? []) await step();
  }

  /** Does all waiting steps, and the steps that they add. */
  async end(): Promise<void> {
    while (this.#waits.some((steps) => steps.length > 0)) await this.next();
  }
}

function orderAt(at: number): Order {
  const [first_name = '', last_name = ''] = people[at % people.length]?.split(' ') ?? [];
  const shopper_email = `${first_name}.${last_name}${at % 40}@example.com`
    .normalize('NFD')
    .replace(/[^\w.@]/g, '')
    .toLowerCase();
  const amount = `${12 + ((at * 37) % 480)}.${at % 2 === 0 ? '90' : '00'}`;
  const order_no = `DEMO-${1001 + at}`;
  return { order_no, currency: at % 10 === 9 ? 'USD' : 'BRL', amount, first_name, last_name, shopper_email };
}

import { describe, expect, it } from 'vitest';
import { type SearchAnswer, searchAnswer } from '../../../shared/api/search.ts';
import { approval, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  patient,
  paymentAnswers,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey, card, otherAccountKey, queryOnlyKey } from '../../support/relays/relay.ts';

const DAY_MS = 86_400_000;

/** The names of all hits, each with the fields that match. */
function hitsIn(answer: SearchAnswer): string[] {
  const label = (kind: string, id: string, matched: readonly string[]): string => `${kind} ${id}: ${matched.join(' ')}`;
  return [
    ...answer.orders.hits.map((one) => label('order', one.order_no, one.matched)),
    ...answer.payments.hits.map((one) => label('payment', one.transaction_id, one.matched)),
    ...answer.sessions.hits.map((one) => label('session', one.id, one.matched)),
    ...answer.operations.hits.map((one) => label('operation', one.id, one.matched)),
    ...answer.subscriptions.hits.map((one) => label('subscription', one.recurring_id, one.matched)),
  ];
}

describe.each(stores)('the search, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp() {
    let ahead = 0;
    const parts = await setUpSettlement(newStore, { resolve: patient, now: () => new Date(Date.now() + ahead) });
    const { relay, scripts, session, byCard } = parts;
    const reference = documented();
    const ask = async (q: string, key = apiKey) => {
      const answer = await relay.get(`/v1/search?${new URLSearchParams({ q })}`, key);
      reference.check('get', '/v1/search', answer);
      return answer;
    };
    const search = async (q: string, key = apiKey) => searchAnswer.parse((await ask(q, key)).body);
    return {
      ...parts,
      ask,
      search,
      found: async (q: string, key = apiKey) => hitsIn(await search(q, key)),
      pass: (ms: number) => {
        ahead += ms;
      },
      /** An order paid by card. */
      async paid(order_no: string, transaction_id: string, more: object = {}) {
        const one = await session({ order: { order_no, ...more } });
        scripts.pay = approvedAs(transaction_id);
        expect((await byCard(one.secret)).body).toMatchObject({ status: 'approved' });
        return one;
      },
    };
  }

  it('finds an order by number in any case, beginning and end', async () => {
    const { session, found, search } = await setUp();
    for (const order_no of ['Web-1300', 'web-2300', 'APP-13', '😀-Ünï-9']) await session({ order: { order_no } });
    expect(await found('WEB-1300')).toEqual(['order Web-1300: order_no']);
    expect(await found('1300')).toEqual(['order Web-1300: order_no_end']);
    expect(await found('300')).toEqual(['order web-2300: order_no_end', 'order Web-1300: order_no_end']);
    expect(await found('wEB-')).toEqual(['order web-2300: order_no_start', 'order Web-1300: order_no_start']);
    expect(await found('-13')).toEqual(['order APP-13: order_no_end']);
    expect(await found('ünï-9')).toEqual(['order 😀-Ünï-9: order_no_end']);
    expect(await found('9')).toEqual([]);
    expect((await search('1300')).searched).toEqual([
      ...['order_no', 'transaction_id', 'recurring_id'].map((as) => ({ as, value: '1300' })),
      { as: 'last4', value: '1300', from: expect.any(String) },
      { as: 'amount', value: '1300.00', currencies: ['BRL'] },
    ]);
  });

  it('finds payments, and attempts that paid nothing, by id', async () => {
    const { session, byCard, scripts, paid, search, found } = await setUp();
    await paid('A-1', '20270331101501000042', { amount: '478.90' });
    const declined = await session({ order: { order_no: 'A-2' } });
    scripts.pay = paymentAnswers.declined;
    await byCard(declined.secret);
    const { payments, orders } = await search('20270331101501000042');
    expect(payments.hits).toEqual([
      {
        ...{ transaction_id: '20270331101501000042', order_no: 'A-1', amount: '478.90', currency: 'BRL' },
        ...{ status: 'paid', paid_at: expect.any(String), method: 'card', matched: ['transaction_id'] },
      },
    ]);
    expect(orders.hits).toEqual([]);
    expect(await found('20270331')).toEqual(['payment 20270331101501000042: transaction_id_start']);
    expect(await found('T1')).toEqual(['order A-2: transaction_id']);
  });

  it('finds amounts as they are pasted, in every currency', async () => {
    const { session, search } = await setUp();
    await session({ order: { order_no: 'A-1', amount: '478.90' } });
    await session({ order: { order_no: 'A-2', amount: '478.90', currency: 'USD' } });
    await session({ order: { order_no: 'A-3', amount: '1000.00', currency: 'USD' } });
    await session({ order: { order_no: 'A-4', amount: '1.00', currency: 'USD' } });
    const numbers = async (q: string) => (await search(q)).orders.hits.map(({ order_no }) => order_no);
    for (const q of ['478,90', '478.90', '478.9']) expect(await numbers(q), q).toEqual(['A-2', 'A-1']);
    for (const q of ['R$478,90', 'R$\u00a0478.90', 'BRL 478.90', '478,90 brl']) {
      expect(await numbers(q), q).toEqual(['A-1']);
    }
    for (const q of ['US$478.90', '$ 478,90']) expect(await numbers(q), q).toEqual(['A-2']);
    expect(await numbers('1.000')).toEqual(['A-4', 'A-3']);
    expect(await numbers('€478.90')).toEqual([]);
    expect((await search('1.000')).searched.slice(3)).toEqual(
      ['1.000', '1000.00'].map((value) => ({ as: 'amount', value, currencies: ['BRL', 'USD'] })),
    );
  });

  it('finds a session, an operation, a contract and a shopper', async () => {
    const { relay, session, byCard, scripts, found, search } = await setUp();
    const one = await session({
      payment_methods: [{ type: 'card' }],
      order: { order_no: 'A-1', shopper_email: 'ada@example.com', subscription: { interval: 'month' } },
    });
    scripts.pay = (received, res) =>
      sendXml(res, signedXml({ ...approval(received), recurring_id: 'R-77', transaction_id: 'T-77' }));
    await byCard(one.secret);
    const item = { order_no: 'A-1', currency: 'BRL', amount: '129.90', refund_amount: '29.90', transaction_id: 'T-77' };
    const refund = await relay.post('/v1/refund', apiKey, { refund_orders: [item] });
    const operation = refund.headers.get('x-operation-id') ?? '';
    expect((await search(operation)).operations.hits).toEqual([
      {
        ...{ id: operation, operation: 'refund', status: expect.any(String), created_at: expect.any(String) },
        ...{ by: expect.any(String), order_no: 'A-1', amount: '29.90', currency: 'BRL', matched: ['operation_id'] },
      },
    ]);
    expect(await found(one.id)).toEqual([`session ${one.id}: session_id`]);
    expect(await found(one.secret)).toEqual([`session ${one.id}: session_id`]);
    expect(await found('R-77')).toEqual(['subscription R-77: recurring_id']);
    expect(await found('ADA@example.com')).toEqual(['order A-1: email', 'subscription R-77: email']);
    for (const q of ['A-1', one.id, operation, 'R-77', 'T-77', 'ada@example.com', '129.90']) {
      expect(await found(q, otherAccountKey), q).toEqual([]);
    }
  });

  it('searches for a card’s last four digits in 90 days of orders', async () => {
    const { paid, found, search, pass, ask } = await setUp();
    await paid('A-1', 'T-1');
    expect(await found('1111')).toEqual(['order A-1: last4']);
    for (const q of [card.card, '4111 1111 1111 1111', '•••• 1111', '411111******1111']) {
      expect((await ask(q)).text, q).not.toContain(card.card);
      const { searched, orders } = await search(q);
      expect(searched).toEqual([{ as: 'last4', value: '1111', from: expect.any(String) }]);
      expect(orders.hits).toMatchObject([{ order_no: 'A-1' }]);
    }
    pass(91 * DAY_MS);
    expect(await found('1111')).toEqual([]);
  });

  it('lists the most likely hits first', async () => {
    const { session, found } = await setUp();
    await session({ order: { order_no: 'web-1300' } });
    await session({ order: { order_no: '1300' } });
    await session({ order: { order_no: '1300-a' } });
    await session({ order: { order_no: 'b', amount: '1300.00' } });
    expect(await found('1300')).toEqual([
      ...['order 1300: order_no', 'order web-1300: order_no_end'],
      ...['order b: amount', 'order 1300-a: order_no_start'],
    ]);
  });

  it('returns the newest ten of a kind, and says if more exist', async () => {
    const { session, search } = await setUp();
    for (let n = 10; n < 22; n++) await session({ order: { order_no: `A-${n}-x` } });
    const { orders } = await search('-X');
    expect(orders.more).toBe(true);
    const expected = Array.from({ length: 10 }, (_, n) => `A-${21 - n}-x`);
    expect(orders.hits.map(({ order_no }) => order_no)).toEqual(expected);
  });

  it('refuses invalid searches, and needs the scope', async () => {
    const { relay, ask } = await setUp();
    for (const q of ['', '  ', 'x'.repeat(321)]) {
      expect(await ask(q), q).toMatchObject({ status: 400, body: { errors: [{ path: 'q' }] } });
    }
    expect(await relay.get('/v1/search', apiKey)).toMatchObject({ status: 400 });
    expect(await ask('A-1', queryOnlyKey)).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
    for (const q of ['\0', 'a\nb', '\ud83d', "'; --", '%_']) expect((await ask(q)).status, q).toBe(200);
  });
});

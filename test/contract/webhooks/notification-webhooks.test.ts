import { describe, expect, it } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { notifyPath } from '../../support/gateways/notified.ts';
import {
  approval,
  drop,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { oneStore, patient, quick, storesOf } from '../../support/gateways/settlement.ts';
import { namesIn, setUpPaid, signedBody } from '../../support/relays/paid-order.ts';
import { account, card, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const { merchant_id, account_id } = account;
const HOUR_MS = 3_600_000;

describe.each(oneStore)('a notification about a paid order, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('reaches the shop with the query’s result: a renewal’s order_no', async () => {
    const { paid, books, gateway, notify, waitForWebhooks } = await setUpPaid(newStore);
    const renewal = `${paid.orderNo}-R2`;
    books.write(renewal, 'T2', '3000', { subscription_result: { recurring_id: 'R1' } });
    const fields = { order_no: renewal, transaction_id: 'T2', recurring_id: 'R1', payment_status: '3000' };
    await notify(signedBody(fields));
    const [first] = await waitForWebhooks(1);
    expect(first).toMatchObject({ kind: 'payment', session_id: paid.id, verified: true, fields });
    expect(first?.fields).not.toHaveProperty('encryption_data');
    expect(first?.records).toMatchObject([{ order_no: renewal, transaction_id: 'T2', amount: '129.90' }]);
    expect(gateway.queried().map(({ message }) => message.orders ?? message.trades)).toEqual([paid.orderNo, renewal]);
  });

  it('reaches the shop although its identifiers resemble card numbers', async () => {
    const { books, notify, waitForWebhooks } = await setUpPaid(newStore);
    const fields = { order_no: '4539578763621486', transaction_id: '6011000990139424' };
    books.write(fields.order_no, fields.transaction_id, '3000');
    await notify(signedBody(fields));
    expect(await waitForWebhooks(1)).toMatchObject([{ verified: true, fields, records: [fields] }]);
  });

  it('reaches the shop with only a transaction_id or without a signature', async () => {
    const { paid, books, notify, waitForWebhooks } = await setUpPaid(newStore);
    books.write('elsewhere', 'T9', '4100');
    await notify('transaction_id=T9&status=CHARGEBACK');
    expect(await waitForWebhooks(1)).toMatchObject([
      {
        session_id: paid.id,
        verified: false,
        fields: { transaction_id: 'T9', status: 'CHARGEBACK' },
        records: [{ order_no: 'elsewhere', transaction_id: 'T9', payment_status: '4100' }],
      },
    ]);
  });

  it('is reported once for each body', async () => {
    const { books, notify, waitForWebhooks, idle, forwarded } = await setUpPaid(newStore);
    for (const n of [1, 2]) books.write('other', `T${n}0`, '3000');
    for (const n of [1, 1, 2, 1]) await notify(signedBody({ order_no: 'other', transaction_id: `T${n}0` }));
    await waitForWebhooks(2);
    await idle();
    expect(forwarded()).toHaveLength(2);
  });

  it('is not reported when it repeats the outcome within an hour', async () => {
    const { paid, notify, idle, forwarded, waitForQueries } = await setUpPaid(newStore, { ageMs: HOUR_MS - 60_000 });
    const queried = waitForQueries(paid.orderNo, 0);
    await notify(signedBody({ order_no: paid.orderNo, transaction_id: 'T1', payment_status: '3000' }));
    await queried;
    await idle();
    expect(forwarded()).toEqual([]);
  });

  it.each<[string, { ageMs: number; status: string; more?: object }]>([
    ['an hour later', { ageMs: HOUR_MS + 60_000, status: '3000' }],
    ['when it names a refund', { ageMs: 60_000, status: '3000', more: { refund_reference_id: 'T1-01' } }],
  ])('that names only the payment is reported %s', async (_, { ageMs, status, more }) => {
    const { paid, books, notify, waitForWebhooks } = await setUpPaid(newStore, { ageMs });
    books.write(paid.orderNo, 'T1', status);
    await notify(signedBody({ order_no: paid.orderNo, transaction_id: 'T1', ...more }));
    expect(await waitForWebhooks(1)).toMatchObject([
      { verified: true, fields: { transaction_id: 'T1' }, records: [{ transaction_id: 'T1', payment_status: status }] },
    ]);
  });

  it('is not reported when a payment event already reports its query', async () => {
    const { paid, books, notify, idle, shop, forwarded } = await setUpPaid(newStore, { ageMs: 60_000 });
    books.write(paid.orderNo, 'T1', '4100');
    await notify(signedBody({ order_no: paid.orderNo, transaction_id: 'T1' }));
    expect((await shop.one('payment.reversed')).data).toMatchObject({ order_no: paid.orderNo });
    await idle();
    expect(forwarded()).toEqual([]);
  });

  it('is not reported when its query led to the outcome', async () => {
    const { scripts, books, relay, session, byCard, becomes, forwarded, shop } = await setUpPaid(newStore);
    scripts.pay = drop;
    const unknown = await session();
    await byCard(unknown.secret);
    books.write(unknown.orderNo, 'T7', '3000');
    const body = signedBody({ order_no: unknown.orderNo, transaction_id: 'T7' });
    await relay.send(notifyPath(relay, unknown.id), { method: 'POST', body });
    await becomes(unknown.id, { status: 'approved', transaction_id: 'T7' });
    await until(
      'both webhooks arrive',
      () => shop.received.filter(({ type }) => type === 'session.approved').length === 2,
    );
    expect(forwarded()).toEqual([]);
  });

  it('is accepted by GET, too', async () => {
    const { relay, path, books, waitForWebhooks } = await setUpPaid(newStore);
    books.write('renewal', 'T3', '3000');
    const message = { merchant_id, account_id, order_no: 'renewal', transaction_id: 'T3', note: 'a b' };
    const query = new URLSearchParams({ ...message, encryption_data: sign(message, account.signingSecret) });
    expect(await relay.get(`${path}?${query}`)).toMatchObject({ status: 200, text: 'OK' });
    expect(await waitForWebhooks(1)).toMatchObject([
      { verified: true, fields: { order_no: 'renewal', note: 'a b' }, records: [{ transaction_id: 'T3' }] },
    ]);
  });

  it('is reported with a query’s result once the gateway answers again', async () => {
    const { scripts, books, notify, waitForWebhooks, forwarded } = await setUpPaid(newStore, { resolve: quick });
    const answerQuery = scripts.query;
    let failed = 0;
    scripts.query = (received, res, req) => {
      if (!namesIn(received, 'orders').includes('renewal')) return answerQuery(received, res, req);
      failed += 1;
      res.writeHead(503).end();
    };
    books.write('renewal', 'T4', '3000');
    await notify(signedBody({ order_no: 'renewal', transaction_id: 'T4' }));
    await until('it was queried', () => failed > 0);
    expect(forwarded()).toEqual([]);
    scripts.query = answerQuery;
    expect(await waitForWebhooks(1)).toMatchObject([{ records: [{ transaction_id: 'T4' }] }]);
  });

  it('is reported at most sixty times an hour, the rest counted', async () => {
    const { clock, books, gateway, notify, waitForWebhooks, idle, relay } = await setUpPaid(newStore, {
      behindMs: HOUR_MS + 1000,
    });
    for (const n of [...Array(70).keys(), 'later']) {
      books.write('other', n === 'later' ? 'T-later' : `T${n}-x`, '3000');
    }
    for (let n = 0; n < 70; n++) await notify(signedBody({ order_no: 'other', transaction_id: `T${n}-x` }));
    await idle();
    expect(gateway.queried().length).toBeLessThan(40);
    const metrics = await relay.context.metrics.registry.metrics();
    for (const count of ['{result="told"} 60', '{result="limited"} 10']) {
      expect(metrics).toContain(`turnpike_notifications_told_total${count}`);
    }
    clock.behindMs = 0;
    await notify(signedBody({ order_no: 'other', transaction_id: 'T-later' }));
    await waitForWebhooks(61);
  });

  it('is reported although unsigned ones have reached their limit', async () => {
    const { books, notify, waitForWebhooks, idle, forwarded } = await setUpPaid(newStore);
    for (let n = 0; n < 65; n++) books.write('junk', `J${n}`, '3000');
    for (let n = 0; n < 65; n++) await notify(`order_no=junk&transaction_id=J${n}`);
    await waitForWebhooks(60);
    await idle();
    expect(forwarded()).toHaveLength(60);
    books.write('renewal', 'T6', '3000');
    await notify(signedBody({ order_no: 'renewal', transaction_id: 'T6' }));
    const all = await waitForWebhooks(61);
    expect(all.at(-1)).toMatchObject({ verified: true, records: [{ transaction_id: 'T6' }] });
  });

  it('causes no query when the limit prevents its report', async () => {
    const { clock, gateway, notify, waitForWebhooks, idle } = await setUpPaid(newStore, { behindMs: HOUR_MS + 1000 });
    const body = (n: number) =>
      JSON.stringify({ list: Array.from({ length: 20 }, (_, at) => ({ order_no: `N${n}-${at}` })) });
    for (let n = 0; n < 200; n++) await notify(body(n));
    clock.behindMs = 0;
    await waitForWebhooks(60);
    await idle();
    const named = gateway.queried().flatMap((received) => namesIn(received, 'orders'));
    expect(new Set(named.filter((name) => name.startsWith('N'))).size).toBe(60 * 20);
  });

  it('contains no card data in the webhook or the store', async () => {
    const { notify, forwarded, waitForWebhooks, shop } = await setUpPaid(newStore);
    // The gateway signs the card that paid; another card is in an unsigned notification, which anyone may have
    // written.
    const own = card.card;
    const other = '4539578763621486';
    for (const [number, write] of [
      [own, signedBody],
      [other, JSON.stringify],
    ] as const) {
      const spaced = number.replace(/.{4}(?=.)/g, '$& ');
      const fields = { order_no: number, transaction_id: spaced, note: `card ${spaced}`, list: [{ [number]: number }] };
      const codes = { security_code: '947', cvv: '947', csc: '947' };
      await notify(write({ ...fields, ...codes, payment: { ...codes, cvn2: 947, deep: [codes] } }));
    }
    await waitForWebhooks(2);
    const written = [...forwarded(), ...shop.received].map(({ raw }) => raw).join('\n');
    for (const secret of [own, other]) expect(written.replace(/[ -]/g, '').includes(secret), secret).toBe(false);
    expect(written).not.toMatch(/[:"]947[",}]/);
  });

  it('reaches the shop when the payment is no longer stored', async () => {
    const { relay, books, waitForWebhooks } = await setUpPaid(newStore);
    books.write('renewal', 'T5', '3000');
    const body = signedBody({ order_no: 'renewal', transaction_id: 'T5' });
    const path = notifyPath(relay, 'cs_long_forgotten');
    expect((await relay.send(path, { method: 'POST', body })).status).toBe(200);
    expect(await waitForWebhooks(1)).toMatchObject([
      { session_id: 'cs_long_forgotten', records: [{ transaction_id: 'T5' }] },
    ]);
  });

  it('settles another order of the relay that it names', async () => {
    const { scripts, books, session, byCard, becomes, notify } = await setUpPaid(newStore);
    scripts.pay = drop;
    const unknown = await session();
    await byCard(unknown.secret);
    books.write(unknown.orderNo, 'T8', '3000');
    await notify(signedBody({ order_no: unknown.orderNo, transaction_id: 'T8' }));
    await becomes(unknown.id, { status: 'approved', transaction_id: 'T8' });
  });
});

it('named identifiers are stored for an account without a webhook', async () => {
  const gateway = await scriptedGateway((received, res) => {
    if (received.path === '/v1/authorise') return sendXml(res, signedXml(approval(received)));
    const paid = { transaction_id: 'T9', payment_status: '3000', amount: '129.90', currency: 'BRL' };
    sendRecords(
      res,
      namesIn(received, 'orders').map((order_no) => ({ ...paid, order_no })),
    );
  });
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { resolve: patient } });
  const session = await relay.session();
  await relay.pay(session.secret, card);
  await relay.send(notifyPath(relay, session.id), { method: 'POST', body: 'order_no=other' });
  const filter = { account: 'demo', type: 'notification.received', limit: 10 } as const;
  await until('it is kept', async () => (await relay.context.store.outbox.list(filter)).length > 0);
  expect(gateway.queried().map(({ message }) => message.orders)).toContain('other');
  const [event, ...more] = await relay.context.store.outbox.list(filter);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ subject: session.id, delivery: { status: 'kept' }, deliveries: [] });
});

import { expect, test } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { demoMerchant } from '../../demo.ts';
import { cardPayment, elements, startGateway } from '../testing.ts';

/** Three payments a day apart: A-1 approved on the web, A-2 declined on the web, A-3 approved in the app. */
async function withPayments() {
  let now = new Date('2026-11-20T12:00:00Z');
  const gateway = await startGateway({ now: () => now });
  const made: Record<string, string>[] = [];
  for (const [order_no, card, platform_source] of [
    ['A-1', '4111111111111111', 'web'],
    ['A-2', '4000000000000002', 'web'],
    ['A-3', '4111111111111111', 'app'],
  ] as const) {
    made.push(await elements(await gateway.authorise(cardPayment({ order_no, card, platform_source }))));
    now = new Date(now.getTime() + 86_400_000);
  }
  const found = async (filters: Record<string, string>) => {
    const { orders_list } = await gateway.query(filters);
    return orders_list.map(({ order_no }) => order_no);
  };
  return { ...gateway, made, found };
}

test('each filter narrows what is found, and all of them must hold', async () => {
  const { found, made } = await withPayments();
  const all = { query_start: '2026-01-01 00:00:00', query_end: '2026-12-31 23:59:59' };
  expect(await found(all)).toEqual(['A-1', 'A-2', 'A-3']);
  expect(await found({ orders: 'A-3,A-1,missing' })).toEqual(['A-1', 'A-3']);
  expect(await found({ trades: made[1]?.transaction_id ?? '' })).toEqual(['A-2']);
  expect(await found({ ...all, order_status: '1' })).toEqual(['A-1', 'A-3']);
  expect(await found({ ...all, order_status: '0' })).toEqual(['A-2']);
  expect(await found({ ...all, platform_source: 'web' })).toEqual(['A-1', 'A-2']);
  expect(await found({ ...all, platform_source: 'web', order_status: '1' })).toEqual(['A-1']);
  expect(await found({ orders: 'A-1', trades: made[1]?.transaction_id ?? '' })).toEqual([]);
});

test('the time range is UTC and holds both its ends', async () => {
  const { found } = await withPayments();
  expect(await found({ query_start: '2026-11-20 12:00:00', query_end: '2026-11-21 12:00:00' })).toEqual(['A-1', 'A-2']);
  expect(await found({ query_start: '2026-11-20 12:00:01', query_end: '2026-11-21 11:59:59' })).toEqual([]);
});

test('an empty filter is no filter', async () => {
  const { found } = await withPayments();
  expect(await found({ orders: 'A-1', trades: '', order_status: '', query_start: '', query_end: '' })).toEqual(['A-1']);
});

test('a record has every field that the gateway stores', async () => {
  const { authorise, query } = await startGateway({ now: () => new Date('2026-11-21T01:02:03Z') });
  const known = {
    service: 'web',
    platform_source: 'shop',
    shopper_email: 'ada@example.com',
    shopper_phone: '5511999990000',
  };
  const delivery = {
    delivery_address: 'Rua 1',
    delivery_city: 'São Paulo',
    delivery_country: 'BR',
    delivery_firstname: 'Ada',
    delivery_lastname: 'Byron',
    delivery_postal_code: '01000-000',
    delivery_state: 'SP',
  };
  const { transaction_id } = await elements(await authorise(cardPayment({ ...known, ...delivery })));
  const answer = await query({ orders: 'A-1' });
  expect(answer).toEqual({
    merchant_id: '100001',
    account_id: '200001',
    return_status: '1',
    return_message: 'OK',
    encryption_data: sign(answer, demoMerchant.signing_secret),
    orders_list: [
      {
        ...known,
        amount: '129.90',
        currency: 'BRL',
        order_no: 'A-1',
        decline_reason: '',
        delivery_information: delivery,
        antifraud_provider: 'sandbox',
        fraud_check_result: [{ check_items: 'sandbox rules', status: 'ACCEPT' }],
        is3ds: '0',
        payment_status: '3000',
        query_result: '1',
        reference_no: transaction_id?.slice(-10),
        transaction_id,
        transaction_date: '20261121010203',
      },
    ],
  });
});

const tooWide: Record<string, string>[] = [
  {},
  { order_status: '1' },
  { query_start: '2026-01-01 00:00:00' },
  { query_end: '2026-01-01 00:00:00' },
];

test.each(tooWide)('the filters %j ask for too much', async (filters) => {
  const { query } = await withPayments();
  const answer = await query(filters);
  expect(answer).toMatchObject({ return_status: '0', orders_list: [] });
  expect(answer.return_message).toMatch(/Give orders, trades/);
});

test.each(['orders', 'trades'])('a hundred %s may be asked for, and not one more', async (filter) => {
  const { query } = await startGateway();
  const list = (length: number) => Array.from({ length }, (_, at) => `A-${at}`).join(',');
  expect(await query({ [filter]: list(100) })).toMatchObject({ return_status: '1' });
  expect(await query({ [filter]: list(101) })).toMatchObject({
    return_status: '0',
    return_message: `At most 100 ${filter} in one query`,
  });
});

test('orders and trades count together', async () => {
  const { query } = await startGateway();
  const list = (length: number) => Array.from({ length }, (_, at) => `A-${at}`).join(',');
  expect(await query({ orders: list(60), trades: list(40) })).toMatchObject({ return_status: '1' });
  expect(await query({ orders: list(60), trades: list(41) })).toMatchObject({
    return_status: '0',
    return_message: 'At most 100 orders and trades in one query',
  });
});

test('an account sees only its own payments', async () => {
  const other = { merchant_id: '7', account_id: '8', signing_secret: 'other' };
  const { authorise, post } = await startGateway({ merchants: [demoMerchant, other] });
  await authorise(cardPayment());
  const asked = { merchant_id: '7', account_id: '8', orders: 'A-1' };
  const body = new URLSearchParams({ ...asked, encryption_data: sign(asked, 'other') }).toString();
  expect(await (await post('/v1/retrievalTrans', body)).json()).toMatchObject({ return_status: '1', orders_list: [] });
});

test('a query with a wrong signature is refused', async () => {
  const { post } = await startGateway();
  const { merchant_id, account_id } = demoMerchant;
  const body = new URLSearchParams({ merchant_id, account_id, orders: 'A-1', encryption_data: '0'.repeat(64) });
  expect((await post('/v1/retrievalTrans', body.toString())).status).toBe(400);
});

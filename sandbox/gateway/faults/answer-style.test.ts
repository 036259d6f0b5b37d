import { expect, test } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { demoMerchant } from '../../demo.ts';
import { cardPayment, startGateway } from '../testing.ts';
import { answerEncodings, declarations, MAX_PERIOD_RECORDS } from './answer-style.ts';

const styles = answerEncodings.flatMap((encoding) => declarations.map((declared) => [encoding, declared] as const));

test.each(styles)('an answer is written in %s and declared by the %s', async (encoding, declared) => {
  const { admin, authorise, query } = await startGateway();
  expect((await admin('PUT', 'answers', { encoding, declared })).status).toBe(200);
  const response = await authorise(cardPayment({ order_no: 'Café-茶' }));
  const type = response.headers.get('content-type') ?? '';
  expect(type).toBe(declared === 'header' ? `application/xml; charset=${encoding}` : 'application/xml');
  const text = new TextDecoder(encoding, { fatal: true }).decode(await response.arrayBuffer());
  expect(text).toContain(`encoding="${declared === 'header' ? 'UTF-8' : encoding}"`);
  const isNarrow = encoding === 'ISO-8859-1' || encoding === 'windows-1252';
  expect(text).toContain(`<order_no>Café-${isNarrow ? '&#33590;' : '茶'}</order_no>`);
  if (encoding === 'UTF-8') expect((await query({ orders: 'Café-茶' })).orders_list).toHaveLength(1);
});

test('only a query over a period returns the extra signed payments', async () => {
  const { admin, query } = await startGateway();
  await admin('PUT', 'answers', { period_records: 3 });
  const period = { query_start: '2026-01-01 00:00:00', query_end: '2026-01-03 00:00:00' };
  const { orders_list } = await query(period);
  expect(orders_list.map(({ order_no, transaction_date }) => [order_no, transaction_date])).toEqual([
    ['PERIOD-1', '20260101000000'],
    ['PERIOD-2', '20260102000000'],
    ['PERIOD-3', '20260103000000'],
  ]);
  expect((await query({ ...period, order_status: '1' })).orders_list).toEqual([]);
  expect((await query({ orders: 'PERIOD-1' })).orders_list).toEqual([]);
});

test('codes are numbers where that is chosen, and signed so', async () => {
  const { admin, pay, send } = await startGateway();
  const payment = await pay();
  await admin('PUT', 'answers', { number_codes: true });
  const answer = await (await send('capture', { capture_orders: [payment] })).json();
  expect(answer).toMatchObject({ return_status: 1, capture_orders: [{ capture_status: 1, amount: '129.90' }] });
  expect(answer.encryption_data).toBe(sign(answer, demoMerchant.signing_secret));
});

test.each(['401', '403', '429'])('every message is refused with %s, and nothing happens', async (refuse_with) => {
  const { admin, authorise, payments } = await startGateway();
  await admin('PUT', 'answers', { refuse_with });
  expect((await authorise(cardPayment())).status).toBe(Number(refuse_with));
  expect(payments.list()).toEqual([]);
});

test.each([{ encoding: 'EBCDIC' }, { period_records: MAX_PERIOD_RECORDS + 1 }, { refuse_with: '500' }, { more: 1 }])(
  'answers are not written as %j',
  async (style) => {
    const { admin } = await startGateway();
    expect((await admin('PUT', 'answers', style)).status).toBe(400);
    expect((await admin('GET', 'answers')).body).toMatchObject({ encoding: 'UTF-8', period_records: 0 });
  },
);

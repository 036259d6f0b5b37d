import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { demoMerchant } from '../../demo.ts';
import { cardPayment, elements, manualTimers, pixPayment, startGateway } from '../testing.ts';

test('an approved payment is answered with every element of the table, signed', async () => {
  const { authorise } = await startGateway();
  const response = await authorise(cardPayment({ order_no: 'A <1> & "co"' }));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch('application/xml');
  const answer = await elements(response);
  expect(answer).toEqual({
    merchant_id: '100001',
    account_id: '200001',
    order_no: 'A <1> & "co"',
    amount: '129.90',
    currency: 'BRL',
    transaction_id: expect.stringMatching(/^\d{20}$/),
    card: '411111******1111',
    order_status: '1',
    result_info: '0000:Success',
    contract_name: '',
    recurring_id: '',
    recurring_deduction_period: '',
    recurring_deduction_time: '',
    encryption_data: sign(answer, demoMerchant.signing_secret),
    note: '',
    connector: 'sandbox',
  });
});

test.each([
  ['4111111111111111', '1', '0000:Success'],
  ['5555555555554444', '1', '0000:Success'],
  ['4000000000000002', '0', '2001:Do not honour'],
  ['4000000000009995', '0', '2002:Insufficient funds'],
  ['4000000000000127', '0', '2003:Security code does not match'],
  ['4111111111111112', '0', '2004:Invalid card number'],
])('card %s has order_status %s and the result %s', async (card, order_status, result_info) => {
  const { authorise, query } = await startGateway();
  const answer = await elements(await authorise(cardPayment({ card })));
  expect(answer).toMatchObject({ order_status, result_info });
  const { orders_list } = await query({ orders: 'A-1' });
  expect(orders_list).toMatchObject([
    {
      transaction_id: answer.transaction_id,
      payment_status: order_status === '1' ? '3000' : '4100',
      decline_reason: order_status === '1' ? '' : result_info.slice(5),
    },
  ]);
});

test.each([
  ['10', '2026'],
  ['12', '25'],
  ['1', '2000'],
  ['13', '2030'],
  ['00', '2030'],
  ['xx', '2030'],
  ['12', '203'],
  ['12', ''],
  ['', '2030'],
  [undefined, '2030'],
])(
  'the expiry %s/%s is over or unreadable: declined, and no fault strikes',
  async (expiration_month, expiration_year) => {
    const { authorise, query } = await startGateway({ now: () => new Date('2026-11-21T10:20:30Z') });
    const card = '4000000000000341';
    const answer = await elements(await authorise(cardPayment({ card, expiration_month, expiration_year })));
    expect(answer).toMatchObject({ order_status: '0', result_info: '2005:Expired card' });
    expect((await query({ orders: 'A-1' })).orders_list).toMatchObject([{ decline_reason: 'Expired card' }]);
  },
);

test.each([
  ['11', '2026'],
  ['11', '26'],
  ['1', '27'],
  [undefined, undefined],
  ['', ''],
])('the expiry %s/%s is good', async (expiration_month, expiration_year) => {
  const { authorise } = await startGateway({ now: () => new Date('2026-11-30T23:59:59Z') });
  const answer = await elements(await authorise(cardPayment({ expiration_month, expiration_year })));
  expect(answer).toMatchObject({ order_status: '1' });
});

test("a card expires when the gateway's clock is moved past its month", async () => {
  const { authorise, clock } = await startGateway({ now: () => new Date('2026-11-30T23:59:59Z') });
  clock.advance(1000);
  const answer = await elements(await authorise(cardPayment({ expiration_month: '11', expiration_year: '2026' })));
  expect(answer).toMatchObject({ result_info: '2005:Expired card' });
});

test('a token pays instead of a card', async () => {
  const { authorise } = await startGateway();
  const answer = await elements(await authorise(cardPayment({ card: undefined, token_id: 'tok_1' })));
  expect(answer).toMatchObject({ order_status: '1', card: '411111******1111' });
});

test.each([
  ['Pen#,#P-1#,#12.50#,#2', 200],
  ['Pen, blue; thin#,##,#12#,#1#;#Ink#,#I-1#,#3.10#,#1', 200],
  ['', 200],
  ['Pen', 400],
  ['a#,#b', 400],
  ['Pen#,#P-1#,#12.50#,#2#;#', 400],
  ['Pen#,#P-1#,#12,50#,#2', 400],
  ['Pen#,#P-1#,#12.50#,#0.5', 400],
  ['Pen#,#P-1#,#12.50#,#2#,#more', 400],
])('the items %j are answered with %i', async (items, status) => {
  const { authorise, payments } = await startGateway();
  const answers = [await authorise(cardPayment({ items })), await authorise(pixPayment({ items }))];
  expect(answers.map((answer) => answer.status)).toEqual([status, status]);
  if (status === 400) expect(await answers[0]?.text()).toMatch(/Invalid input: items: /);
  expect(payments.list()).toHaveLength(status === 200 ? 2 : 0);
});

test('a payment with neither card nor token is invalid input', async () => {
  const { authorise, payments } = await startGateway();
  expect((await authorise(cardPayment({ card: undefined }))).status).toBe(400);
  expect(payments.list()).toEqual([]);
});

test('the late card is charged at once and answered late', async () => {
  const timers = manualTimers();
  const { authorise, query } = await startGateway({ lateMs: 600, after: timers.after });
  const answering = authorise(cardPayment({ card: '4000000000000119' }));
  await expect.poll(timers.waiting).toEqual([600]);
  expect((await query({ orders: 'A-1' })).orders_list).toHaveLength(1);
  timers.pass(600);
  expect(await elements(await answering)).toMatchObject({ order_status: '1' });
});

test('the silent card is charged, and its connection stays open without answer', async () => {
  const { authorise, query, messages } = await startGateway({ lateMs: 10 });
  const given = new AbortController();
  const answering = authorise(cardPayment({ card: '4000000000000341' }), given.signal).then(
    () => 'answered',
    () => 'hung up',
  );
  expect(await Promise.race([answering, after(200, 'open')])).toBe('open');
  expect((await query({ orders: 'A-1' })).orders_list).toMatchObject([{ payment_status: '3000' }]);
  given.abort();
  expect(await answering).toBe('hung up');
  await expect.poll(() => messages.list().at(-1)?.answer).toEqual({ state: 'gone' });
});

test('a subscription gets a recurring_id under its contract_name', async () => {
  const { authorise, query } = await startGateway({ now: () => new Date('2026-11-21T10:20:30Z') });
  const payment = cardPayment({ subscription: { contract_name: 'Tea club', interval: 'month' } });
  const answer = await elements(await authorise(payment));
  expect(answer).toMatchObject({
    contract_name: 'Tea club',
    recurring_id: expect.stringMatching(/^R\w{12}$/),
    recurring_deduction_period: 'month',
    recurring_deduction_time: '2026-11-21 10:20:30',
  });
  const { orders_list } = await query({ orders: 'A-1' });
  expect(orders_list[0]?.subscription_result).toEqual({
    contract_name: 'Tea club',
    recurring_deduction_period: 'month',
    recurring_deduction_time: '2026-11-21',
    recurring_id: answer.recurring_id,
    recurring_status: '1',
  });
});

test('a declined subscription gets no recurring_id', async () => {
  const { authorise } = await startGateway();
  const payment = cardPayment({ card: '4000000000000002', subscription: { contract_name: 'Tea club' } });
  expect(await elements(await authorise(payment))).toMatchObject({ contract_name: 'Tea club', recurring_id: '' });
});

import { request } from 'node:http';
import { expect, test } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { type Message, sign } from '../../../shared/gateway/signature.ts';
import { demoMerchant } from '../../demo.ts';
import { cardPayment, elements, manualTimers, signed, startGateway } from '../testing.ts';
import { canApplyTo, faultNames, faults } from './faults.ts';
import { behaviourOf } from './test-cards.ts';

const { signing_secret } = demoMerchant;
type Running = Awaited<ReturnType<typeof startGateway>>;

/** What stands on the wire: how the connection ended, and what came before that. */
type OnTheWire = { status?: number; promised?: number; body: string; end: string };

/** Sends a message over a socket of its own, and looks at all that comes back. */
function onTheWire({ url }: Running, path: string, message: Message): Promise<OnTheWire> {
  return new Promise((resolve) => {
    const got: OnTheWire = { body: '', end: 'open' };
    const end = (how: string) => resolve({ ...got, end: how });
    const sending = request(`${url}${path}`, { method: 'POST', agent: false }, (response) => {
      got.status = response.statusCode ?? 0;
      got.promised = Number(response.headers['content-length']);
      response.setEncoding('utf8').on('data', (chunk) => {
        got.body += chunk;
      });
      response.on('end', () => end('whole'));
      response.on('error', (error) => end(error.message));
    });
    sending.on('error', (error) => end(error.message));
    sending.end(JSON.stringify(signed(message)));
  });
}

const paid = async ({ query }: Running, order_no: string) => (await query({ orders: order_no })).orders_list;

test('reset: the payment is made, and the connection resets without an answer', async () => {
  const gateway = await startGateway();
  const got = await onTheWire(gateway, '/v1/authorise', cardPayment({ order_no: 'A-1-fault:reset' }));
  expect(got).toEqual({ body: '', end: 'read ECONNRESET' });
  expect(await paid(gateway, 'A-1-fault:reset')).toMatchObject([{ payment_status: '3000' }]);
  expect(gateway.messages.list().at(-1)).toMatchObject({ faults: ['reset'], answer: { state: 'reset' } });
});

test('truncated: the payment is made, and half of the promised answer comes', async () => {
  const gateway = await startGateway();
  const got = await onTheWire(gateway, '/v1/authorise', cardPayment({ order_no: 'A-1-fault:truncated' }));
  expect(got).toMatchObject({ status: 200, end: 'aborted' });
  expect(got.body).toHaveLength(Math.floor((got.promised ?? 0) / 2));
  expect(got.body).toMatch(/^<\?xml/);
  expect(await paid(gateway, 'A-1-fault:truncated')).toHaveLength(1);
  expect(gateway.messages.list().at(-1)?.answer).toMatchObject({ state: 'cut' });
});

test('late: the answer comes when its time has passed, and not before', async () => {
  const timers = manualTimers();
  const gateway = await startGateway({ lateMs: 700, after: timers.after });
  const answering = gateway.authorise(cardPayment({ order_no: 'A-1-fault:late' }));
  await expect.poll(timers.waiting).toEqual([700]);
  expect(await paid(gateway, 'A-1-fault:late')).toHaveLength(1);
  timers.pass(700);
  expect(await elements(await answering)).toMatchObject({ order_status: '1' });
});

test('never: the payment is made, and no timer will ever answer it', async () => {
  const timers = manualTimers();
  const gateway = await startGateway({ after: timers.after });
  const given = new AbortController();
  const answering = gateway
    .authorise(cardPayment({ order_no: 'A-1-fault:never' }), given.signal)
    .catch(() => 'hung up');
  await expect.poll(() => paid(gateway, 'A-1-fault:never')).toHaveLength(1);
  expect(timers.waiting()).toEqual([]);
  given.abort();
  expect(await answering).toBe('hung up');
});

test('wrong_signature: the answer is whole but another secret signed it', async () => {
  const { authorise } = await startGateway();
  const answer = await elements(await authorise(cardPayment({ order_no: 'A-1-fault:wrong_signature' })));
  expect(answer.encryption_data).toMatch(/^[0-9a-f]{64}$/);
  expect(answer.encryption_data).not.toBe(sign(answer, signing_secret));
  expect(answer).toMatchObject({ order_no: 'A-1-fault:wrong_signature', order_status: '1' });
});

test('missing_signature: the answer has no encryption_data', async () => {
  const { authorise } = await startGateway();
  const answer = await elements(await authorise(cardPayment({ order_no: 'A-1-fault:missing_signature' })));
  expect(answer).not.toHaveProperty('encryption_data');
  expect(answer).toMatchObject({ order_status: '1' });
});

test.each([
  ['wrong_order', { order_no: 'A-1-fault:wrong_order-of-another', amount: '129.90' }],
  ['wrong_amount', { order_no: 'A-1-fault:wrong_amount', amount: '9129.90' }],
])('%s: the answer is rightly signed for another payment', async (fault, echo) => {
  const gateway = await startGateway();
  const answer = await elements(await gateway.authorise(cardPayment({ order_no: `A-1-fault:${fault}` })));
  expect(answer).toMatchObject({ ...echo, encryption_data: sign(answer, signing_secret) });
  expect(await paid(gateway, `A-1-fault:${fault}`)).toMatchObject([{ amount: '129.90' }]);
});

test.each([
  ['server_error', 500, 'text/plain', 1],
  ['html', 200, 'text/html', 1],
  ['error_before', 500, 'text/plain', 0],
])('%s: answers %i %s, and there are %i payments', async (fault, status, type, payments) => {
  const gateway = await startGateway();
  const response = await gateway.authorise(cardPayment({ order_no: `A-1-fault:${fault}` }));
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toContain(type);
  expect(await response.text()).not.toContain('respon>');
  expect(gateway.payments.list()).toHaveLength(payments);
  expect(gateway.messages.list()[0]?.faults).toEqual([fault]);
});

test.each([
  ['wrong_currency', 'BRL', { currency: 'USD' }],
  ['wrong_currency', 'USD', { currency: 'EUR' }],
  ['wrong_account', 'BRL', { account_id: '200001-of-another' }],
  ['long_name', 'BRL', { transaction_id: expect.stringMatching(/^\d+-+$/), recurring_id: '' }],
])('%s: the answer to a payment in %s is signed but differs', async (fault, currency, echo) => {
  const gateway = await startGateway();
  const order_no = `A-1-fault:${fault}`;
  const answer = await elements(await gateway.authorise(cardPayment({ order_no, currency })));
  expect(answer).toMatchObject({ order_no, ...echo, encryption_data: sign(answer, signing_secret) });
  expect(await paid(gateway, order_no)).toMatchObject([{ currency }]);
});

test('card_in_texts prints card data in texts, and the issuer’s address', async () => {
  const gateway = await startGateway();
  const order_no = 'A-1-fault:card_in_texts';
  const printed = 'card 4111 1111 1111 1111 cvv 737';
  const answer = await elements(await gateway.authorise(cardPayment({ order_no })));
  expect(answer).toMatchObject({ note: printed, result_info: `0000:Success ${printed}` });
  expect(answer.encryption_data).toBe(sign(answer, signing_secret));
  const asked = 'A-2-fault:query.card_in_texts';
  await gateway.pay({ order_no: asked });
  expect(await paid(gateway, asked)).toMatchObject([{ order_no: asked, decline_reason: printed }]);
  expect(JSON.stringify(gateway.messages.list())).not.toContain('4111 1111 1111 1111');
});

test('wrong_order names another transaction in each result of a batch', async () => {
  const gateway = await startGateway();
  const payment = await gateway.pay({ order_no: 'A-1-fault:capture.wrong_order' });
  const response = await gateway.send('capture', { capture_orders: [payment] });
  expect(await response.json()).toMatchObject({
    capture_orders: [
      { transaction_id: `${payment.transaction_id}-of-another`, order_no: `${payment.order_no}-of-another` },
    ],
  });
});

test('every fault has a card that shows it', () => {
  const shown = Object.values(testCards).flatMap(({ number }) => behaviourOf(number).fault ?? []);
  expect(shown.toSorted()).toEqual(faultNames.toSorted());
});

const withoutAnswer: unknown[] = ['error_before', 'late', 'never'];
const faultyCards = Object.values(testCards).flatMap(({ number, title }) => {
  const { fault } = behaviourOf(number);
  if (!fault || withoutAnswer.includes(fault) || !canApplyTo(fault, 'direct_payment')) return [];
  return faults[fault].target === 'message' ? [[title, number, fault] as const] : [];
});
test.each(faultyCards)('the card "%s" (%s) is charged with the fault %s', async (_title, card, fault) => {
  const gateway = await startGateway();
  await onTheWire(gateway, '/v1/authorise', cardPayment({ card }));
  expect(await paid(gateway, 'A-1')).toMatchObject([{ payment_status: '3000' }]);
  expect(gateway.messages.list().at(-1)?.faults).toEqual([fault]);
});

test('the failing card is answered with 500, and nothing is charged', async () => {
  const gateway = await startGateway();
  expect((await gateway.authorise(cardPayment({ card: testCards.failing.number }))).status).toBe(500);
  expect(gateway.payments.list()).toEqual([]);
  expect(gateway.messages.list()[0]?.faults).toEqual(['error_before']);
});

test('refunds of the card that says so are accepted but not processed', async () => {
  const gateway = await startGateway();
  const { order_no: _, ...payment } = await gateway.pay({ card: testCards.refundPending.number });
  await gateway.ask('refund', { refund_orders: [{ ...payment, refund_amount: '10.00' }] });
  const { refund_orders } = await gateway.ask('refund_search', { refund_orders: payment.transaction_id });
  expect(refund_orders).toMatchObject([{ refund_status: '1', refund_processing_date: '' }]);
});

test('the published test cards keep their numbers', () => {
  const { approved, declined, silent } = testCards;
  expect([approved, declined, silent].map(({ number }) => number)).toEqual([
    '4111111111111111',
    '4000000000000002',
    '4000000000000341',
  ]);
});

test('every fault name can be part of an order number', () => {
  for (const name of faultNames) expect(name).toMatch(/^[a-z_]+$/);
});

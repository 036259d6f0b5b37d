import { expect, test } from 'vitest';
import { cardPayment, elements, pixPayment, startGateway, startListener } from '../testing.ts';

async function setUp() {
  const gateway = await startGateway({ now: () => new Date('2026-01-31T12:00:00Z') });
  /** Sends a form as a browser without JavaScript does, and follows where it leads. */
  const submit = async (path: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams(fields);
    const response = await fetch(`${gateway.url}/admin/forms/${path}`, { method: 'POST', body, redirect: 'manual' });
    if (response.status !== 303) return { status: response.status, page: await response.text() };
    const next = await fetch(new URL(response.headers.get('location') ?? '', gateway.url));
    return { status: response.status, page: await next.text() };
  };
  const page = async () => (await fetch(`${gateway.url}/admin`)).text();
  return { ...gateway, submit, page };
}

const isText = (value: unknown) => typeof value === 'string';

test.each([
  ['minute', '2026-01-31T12:01:00.000Z'],
  ['hour', '2026-01-31T13:00:00.000Z'],
  ['day', '2026-02-01T12:00:00.000Z'],
  ['month', '2026-02-28T12:00:00.000Z'],
])('the clock goes a %s forward', async (move, now) => {
  const { submit, clock } = await setUp();
  expect(await submit('clock', { move })).toMatchObject({ status: 303, page: expect.stringContaining(now) });
  expect(clock.now().toISOString()).toBe(now);
});

test('addresses are registered one per line, and an invalid one is refused', async () => {
  const { submit, registeredAddresses } = await setUp();
  expect((await submit('addresses', { addresses: '10.0.0.0/8\r\n\r\n ::1 ' })).status).toBe(303);
  expect(registeredAddresses.list()).toEqual(['10.0.0.0/8', '::1']);
  const refused = await submit('addresses', { addresses: 'localhost' });
  expect(refused).toMatchObject({ status: 400, page: expect.stringContaining('must be an IP address') });
  expect(registeredAddresses.list()).toEqual(['10.0.0.0/8', '::1']);
});

test('a fault is armed, shown while it waits, and disarmed', async () => {
  const { submit, armed } = await setUp();
  const { page } = await submit('faults', { operation: 'refund', fault: 'never', times: '3' });
  expect(page).toContain('<code>never</code> for the next 3 messages of refund');
  expect(armed.list()).toEqual([{ operation: 'refund', fault: 'never', times: 3 }]);
  expect((await submit('faults/clear')).status).toBe(303);
  expect(armed.list()).toEqual([]);
});

test.each<Record<string, string>>([
  { operation: 'refund', fault: 'nevr', times: '1' },
  { operation: '*', fault: 'never', times: 'x' },
  { operation: '*', fault: 'never' },
])('%j arms no fault', async (fields) => {
  const { submit, armed } = await setUp();
  expect(await submit('faults', fields)).toMatchObject({ status: 400, page: expect.stringContaining('role="alert"') });
  expect(armed.list()).toEqual([]);
});

test('the style of answers is chosen, and shown as chosen', async () => {
  const { submit, styles } = await setUp();
  const fields = {
    ...{ encoding: 'GBK', declared: 'content', refuse_with: 'none', payment_codes: 'each_state' },
    period_records: '50000',
  };
  const { page } = await submit('answers', { ...fields, number_codes: 'on' });
  expect(page).toContain('<option value="GBK" selected>');
  expect(page).toContain('value="50000"');
  expect(page).toContain('checkbox" checked');
  expect(styles.current).toEqual({ ...fields, number_codes: true, period_records: 50_000 });
  expect((await submit('answers', { ...fields, period_records: '50001' })).status).toBe(400);
  expect((await submit('answers', { ...fields, encoding: 'EBCDIC' })).status).toBe(400);
  expect(styles.current.encoding).toBe('GBK');
});

test('the shape of notifications is chosen, and shown as chosen', async () => {
  const { submit, notifier } = await setUp();
  expect((await submit('shape', { shape: 'xml' })).page).toContain('<option value="xml" selected>');
  expect(notifier.shape).toBe('xml');
  expect((await submit('shape', { shape: 'csv' })).status).toBe(400);
});

test('a payment at the issuer is approved by hand and notified once', async () => {
  const listener = await startListener();
  const { authorise, payments, submit, page } = await setUp();
  await authorise(pixPayment({ notify_url: listener.url }));
  const path = /action="\/admin\/forms\/(payments\/\d+)"/.exec(await page())?.[1] ?? '';
  expect((await submit(path, { choice: 'approve' })).page).toContain('The payment is decided.');
  expect(payments.list()).toMatchObject([{ state: { status: 'approved' } }]);
  await expect.poll(() => listener.got).toHaveLength(1);
  expect(await submit(path, { choice: 'refuse' })).toMatchObject({ status: 400 });
  expect(payments.list()).toMatchObject([{ state: { status: 'approved' } }]);
});

test.each([
  ['accept', { review: 'accepted', state: { status: 'approved' } }],
  ['reject', { review: 'rejected', state: { status: 'cancelled' } }],
])('a payment held for review: %s', async (choice, outcome) => {
  const { pay, payments, submit } = await setUp();
  const { transaction_id } = await pay({ card: '4000000000009235' });
  expect((await submit(`payments/${transaction_id}`, { choice: 'approve' })).status).toBe(400);
  expect((await submit(`payments/${transaction_id}`, { choice })).status).toBe(303);
  expect(payments.list()).toMatchObject([outcome]);
});

test('an unprocessed refund is processed by hand, and notified again', async () => {
  const listener = await startListener();
  const { pay, ask, clock, submit, page } = await setUp();
  const payment = await pay({ order_no: 'A-1-fault:refund_pending', notify_url: listener.url });
  await ask('refund', { refund_orders: [{ ...payment, refund_amount: '10.00' }] });
  clock.advance(3_600_000);
  const path = /action="\/admin\/forms\/(refunds\/[\d-]+\/process)"/.exec(await page())?.[1] ?? '';
  expect((await submit(path)).page).toContain('The refund is processed.');
  const { refund_orders } = await ask('refund_search', { refund_orders: payment.transaction_id });
  expect(refund_orders).toMatchObject([{ refund_processing_date: '20260131130000' }]);
  const dates = () => listener.got.map(({ body }) => JSON.parse(body).refund_processing_date).filter(isText);
  await expect.poll(dates).toEqual(['', '20260131130000']);
  expect((await submit(path)).status).toBe(400);
});

test('a running period is cancelled by hand, and then not charged', async () => {
  const { authorise, payments, page, submit, clock } = await setUp();
  const subscription = { contract_name: 'Tea club', interval: 'month', contract_amount: '10.00' };
  await elements(await authorise(cardPayment({ subscription })));
  const path = /action="\/admin\/forms\/(contracts\/\w+\/periods\/cancel)"/.exec(await page())?.[1] ?? '';
  expect((await submit(path)).status).toBe(303);
  clock.advance(40 * 24 * 3_600_000);
  expect(payments.list()).toHaveLength(1);
});

test('a contract with an unknown interval is shown as never charged automatically', async () => {
  const { authorise, page } = await setUp();
  await authorise(cardPayment({ subscription: { contract_name: 'Tea club', interval: 'fortnight' } }));
  expect(await page()).toContain('never charged by itself');
});

test('a card in the reason of a refund is not shown', async () => {
  const { pay, ask, admin, page } = await setUp();
  const card = '5555555555554444';
  const payment = await pay({ order_no: `for ${card}` });
  await ask('refund', { refund_orders: [{ ...payment, refund_amount: '1.00', refund_reason: `back to ${card}` }] });
  expect(JSON.stringify((await admin('GET', 'books')).body)).not.toContain(card);
  expect(await page()).not.toContain(card);
});

test('forms from other sites are refused, and stored text is escaped', async () => {
  const { authorise, page, url, clock } = await setUp();
  await authorise(cardPayment({ order_no: '<img src=x>' }));
  expect(await page()).not.toContain('<img');
  const headers = { 'Sec-Fetch-Site': 'cross-site' };
  const body = new URLSearchParams({ move: 'day' });
  expect((await fetch(`${url}/admin/forms/clock`, { method: 'POST', headers, body })).status).toBe(403);
  expect(clock.now().toISOString()).toBe('2026-01-31T12:00:00.000Z');
});

test('a payment that is charged back is notified as declined, once', async () => {
  const { submit, authorise, page } = await setUp();
  const listener = await startListener();
  const { transaction_id } = await elements(await authorise(cardPayment({ notify_url: listener.url })));
  await expect.poll(() => listener.got).toHaveLength(1);
  const path = `payments/${transaction_id}`;
  expect(await page()).toContain(`/admin/forms/${path}`);
  expect(await submit(path, { choice: 'charge_back' })).toMatchObject({ status: 303 });
  await expect.poll(() => listener.got).toHaveLength(2);
  const reason = 'Charged back by the card holder';
  expect(JSON.parse(listener.got[1]?.body ?? '')).toMatchObject({ payment_status: '4100', decline_reason: reason });
  expect(await submit(path, { choice: 'charge_back' })).toMatchObject({ status: 400 });
});

test('a subscription’s current period is declined, and the next one charged', async () => {
  const { submit, authorise, payments, clock, page } = await setUp();
  const subscription = { contract_name: 'Tea club', interval: 'day' };
  const { recurring_id } = await elements(await authorise(cardPayment({ subscription })));
  expect(await submit(`contracts/${recurring_id}/periods/decline`)).toMatchObject({ status: 303 });
  expect(await page()).toContain('2026-02-01 12:00, declined');
  clock.advance(2 * 86_400_000);
  expect(payments.list().map(({ state }) => state.status)).toEqual(['approved', 'declined', 'approved']);
});

test('a subscription’s current period is charged at once, not at its end', async () => {
  const { submit, authorise, payments, clock } = await setUp();
  const listener = await startListener();
  const subscription = { contract_name: 'Tea club', interval: 'day', contract_amount: '50.00' };
  const { recurring_id } = await elements(await authorise(cardPayment({ subscription, notify_url: listener.url })));
  const path = `contracts/${recurring_id}/periods/charge`;
  expect(await submit(path)).toMatchObject({ status: 303 });
  expect(await submit(path)).toMatchObject({ status: 400 });
  await expect.poll(() => listener.got).toHaveLength(2);
  expect(JSON.parse(listener.got[1]?.body ?? '')).toMatchObject({ order_no: 'A-1-R2', amount: '50.00', recurring_id });
  clock.advance(86_400_000);
  expect(payments.list()).toHaveLength(2);
  clock.advance(86_400_000);
  expect(payments.list().map(({ order }) => order.order_no)).toEqual(['A-1', 'A-1-R2', 'A-1-R3']);
});

import { expect, test } from 'vitest';
import { cardPayment, DAY, startGateway, startListener, withSubscription } from '../testing.ts';

test('a contract is charged at each period’s end under its recurring_id', async () => {
  const { clock, charges, query, recurring_id, payments } = await withSubscription();
  clock.advance(2 * DAY);
  expect(charges()).toEqual([
    ['S-1', '10.00', '2026-11-21T10:00:00.000Z'],
    ['S-1-R2', '50.00', '2026-11-22T10:00:00.000Z'],
    ['S-1-R3', '50.00', '2026-11-23T10:00:00.000Z'],
  ]);
  expect(new Set(payments.list().map(({ transaction_id }) => transaction_id)).size).toBe(3);
  expect(await query({ orders: 'S-1-R2' })).toMatchObject({
    orders_list: [
      {
        amount: '50.00',
        payment_status: '3000',
        transaction_date: '20261122100000',
        subscription_result: {
          contract_name: 'Tea club',
          recurring_deduction_period: 'day',
          recurring_deduction_time: '2026-11-22',
          recurring_id,
          recurring_status: '1',
        },
      },
    ],
  });
});

test('declines the card’s renewals; the contract continues', async () => {
  const { clock, query, numbers, recurringStatus, recurring_id } = await withSubscription(
    {},
    { card: '4000000000006207' },
  );
  clock.advance(2 * DAY);
  expect(numbers()).toEqual(['S-1', 'S-1-R2', 'S-1-R3']);
  expect(await query({ orders: 'S-1' })).toMatchObject({ orders_list: [{ payment_status: '3000' }] });
  expect(await query({ orders: 'S-1-R2' })).toMatchObject({
    orders_list: [
      { payment_status: '4100', decline_reason: 'Insufficient funds', subscription_result: { recurring_id } },
    ],
  });
  expect(await recurringStatus()).toBe('1');
});

test('nothing is charged before a period is over', async () => {
  const { clock, numbers } = await withSubscription({ interval: 'week', interval_count: '2' });
  clock.advance(14 * DAY - 1);
  expect(numbers()).toEqual(['S-1']);
  clock.advance(1);
  expect(numbers()).toEqual(['S-1', 'S-1-R2']);
});

test('billing_cycle counts every charge, and the last one ends the contract', async () => {
  const { clock, numbers, recurringStatus, unsubscribe } = await withSubscription({ billing_cycle: 3 });
  clock.advance(DAY);
  expect(await recurringStatus()).toBe('1');
  clock.advance(10 * DAY);
  expect(numbers()).toEqual(['S-1', 'S-1-R2', 'S-1-R3']);
  expect(await recurringStatus()).toBe('0');
  expect(await unsubscribe()).toMatchObject({ cancel_status: '0', error_message: 'The subscription has ended' });
});

test('nothing is charged after the day of contract_end', async () => {
  const { clock, numbers } = await withSubscription({ contract_end: '2026-11-23' });
  clock.advance(10 * DAY);
  expect(numbers()).toEqual(['S-1', 'S-1-R2', 'S-1-R3']);
});

test('the first promotion_cycle charges cost what the first payment cost', async () => {
  const { clock, charges } = await withSubscription({ promotion_cycle: 2 });
  clock.advance(2 * DAY);
  expect(charges().map(([, amount]) => amount)).toEqual(['10.00', '10.00', '50.00']);
});

test('without contract_amount every charge costs what the first payment cost', async () => {
  const { clock, charges } = await withSubscription({ contract_amount: undefined });
  clock.advance(DAY);
  expect(charges().map(([, amount]) => amount)).toEqual(['10.00', '10.00']);
});

test.each(['2026-12-01', '2026-12-01 00:00:00', '20261201000000', '01-12-2026', '2026-12-01T00:00:00Z'])(
  'periods begin at the contract_start %s',
  async (contract_start) => {
    const { clock, charges } = await withSubscription({ contract_start });
    clock.advance(11 * DAY);
    expect(charges().slice(1)).toEqual([['S-1-R2', '50.00', '2026-12-02T00:00:00.000Z']]);
  },
);

test('a contract_start that is over charges nothing for the past', async () => {
  const { clock, numbers } = await withSubscription({ contract_start: '2026-01-01' });
  clock.advance(DAY);
  expect(numbers()).toEqual(['S-1', 'S-1-R2']);
});

test.each([
  [{ interval_count: '0' }, 'interval_count'],
  [{ interval_count: 'two' }, 'interval_count'],
  [{ billing_cycle: -1 }, 'billing_cycle'],
  [{ promotion_cycle: -1 }, 'promotion_cycle'],
  [{ contract_start: 'soon' }, 'contract_start'],
  [{ contract_end: '2026-02-30' }, 'contract_end'],
  [{ contract_start: '2027-01-01', contract_end: '2026-12-31' }, 'contract_end'],
])('the terms %j are invalid input, and nothing is paid', async (terms, field) => {
  const { authorise, payments } = await startGateway();
  const response = await authorise(cardPayment({ subscription: { contract_name: 'Tea club', ...terms } }));
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(`subscription.${field}`);
  expect(payments.list()).toEqual([]);
});

test('a subscription whose first payment is declined charges nothing', async () => {
  const { clock, numbers } = await withSubscription({}, { card: '4000000000000002' });
  clock.advance(10 * DAY);
  expect(numbers()).toEqual(['S-1']);
});

test('a contract with an unknown interval is never charged automatically', async () => {
  const { clock, numbers } = await withSubscription({ interval: 'fortnight' });
  clock.advance(100 * DAY);
  expect(numbers()).toEqual(['S-1']);
});

test('a contract may begin and end on one day', async () => {
  const { recurring_id } = await withSubscription({ contract_start: '2027-01-01', contract_end: '2027-01-01' });
  expect(recurring_id).toMatch(/^R/);
});

test.each([
  ['N'.repeat(255), `${'N'.repeat(252)}-R2`],
  [`${'N'.repeat(251)}😀NN`, `${'N'.repeat(251)}-R2`],
  ['N'.repeat(252), `${'N'.repeat(252)}-R2`],
])('the order number of a charge keeps within the length limit', async (order_no, charged) => {
  const { clock, numbers } = await withSubscription({}, { order_no });
  clock.advance(DAY);
  expect(numbers()).toEqual([order_no, charged]);
});

test('the last charge is notified with a contract that has ended', async () => {
  const { url, received } = await startListener();
  const { clock } = await withSubscription({ billing_cycle: 2 }, { notify_url: url });
  clock.advance(DAY);
  const statuses = () => received.map(({ order_no, recurring_status }) => `${order_no} ${recurring_status}`).sort();
  await expect.poll(statuses).toEqual(['S-1 1', 'S-1-R2 0']);
});

test('a recurring charge notifies the first payment’s notify_url, and can be refunded', async () => {
  const { url, received } = await startListener();
  const { clock, recurring_id, payments, ask } = await withSubscription({}, { notify_url: url });
  await expect.poll(() => received).toMatchObject([{ order_no: 'S-1', order_status: '1', recurring_id }]);
  clock.advance(DAY);
  const { transaction_id } = payments.list()[1] ?? {};
  await expect
    .poll(() => received[1])
    .toMatchObject({
      order_no: 'S-1-R2',
      transaction_id,
      amount: '50.00',
      currency: 'BRL',
      recurring_id,
      recurring_status: '1',
    });
  const item = { transaction_id, currency: 'BRL', amount: '50.00', refund_amount: '50.00' };
  expect(await ask('refund', { refund_orders: [item] })).toMatchObject({ refund_orders: [{ refund_status: '1' }] });
});

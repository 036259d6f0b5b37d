import { expect, test } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { demoMerchant } from '../../demo.ts';
import { cardPayment, manualTimers, type Reaction, startGateway, startListener } from '../testing.ts';
import type { Notice } from './notices.ts';

const backOffMs = [1000, 2000, 4000];

async function setUp(...reactions: Reaction[]) {
  const timers = manualTimers();
  const listener = await startListener(...reactions);
  const notifications = { backOffMs, limitMs: 5000, lateMs: 9000 };
  const gateway = await startGateway({ after: timers.after, notifications });
  const pay = (order_no: string) => gateway.authorise(cardPayment({ order_no, notify_url: listener.url }));
  const orders = () => listener.got.map(({ body }) => JSON.parse(body).order_no);
  return { timers, listener, gateway, pay, orders };
}

test('a notification is sent again until it gets status 200', async () => {
  const { timers, listener, gateway, pay } = await setUp(
    { status: 500, body: 'not now' },
    { status: 204 },
    { status: 200 },
  );
  await pay('A-1');
  await expect.poll(timers.waiting).toEqual([1000]);
  timers.pass(1000);
  await expect.poll(timers.waiting).toEqual([2000]);
  timers.pass(2000);
  await expect.poll(() => gateway.notifications.list()[0]?.outcome).toEqual({ state: 'delivered' });
  expect(gateway.notifications.list()[0]?.tries).toMatchObject([
    { status: 500, body: 'not now' },
    { status: 204 },
    { status: 200, body: 'OK' },
  ]);
  expect(new Set(listener.got.map(({ body }) => body)).size).toBe(1);
  expect(timers.waiting()).toEqual([]);
});

test('after the last try it is given up', async () => {
  const { timers, listener, gateway, pay } = await setUp({ status: 503 });
  await pay('A-1');
  for (const ms of backOffMs) {
    await expect.poll(timers.waiting).toEqual([ms]);
    timers.pass(ms);
  }
  await expect.poll(() => gateway.notifications.list()[0]?.outcome).toEqual({ state: 'given_up' });
  expect(listener.got).toHaveLength(4);
});

test('a redirect is an answer like any other, and is not followed', async () => {
  const elsewhere = await startListener();
  const { timers, gateway, pay } = await setUp({ status: 302, headers: { location: elsewhere.url } });
  await pay('A-1');
  await expect.poll(timers.waiting).toEqual([1000]);
  expect(gateway.notifications.list()[0]?.tries).toMatchObject([{ status: 302 }]);
  expect(elsewhere.got).toEqual([]);
});

test('a receiver that does not answer in time is tried again', async () => {
  const listener = await startListener('nothing');
  const timers = manualTimers();
  const { authorise, notifications } = await startGateway({
    after: timers.after,
    notifications: { backOffMs, limitMs: 20 },
  });
  await authorise(cardPayment({ notify_url: listener.url }));
  await expect.poll(timers.waiting).toEqual([1000]);
  expect(notifications.list()[0]?.tries).toMatchObject([{ failure: 'no answer within 20 ms' }]);
});

test('an unreachable address shows as a code, without the address', async () => {
  const { timers, gateway } = await setUp();
  await gateway.authorise(cardPayment({ notify_url: 'http://127.0.0.1:1/notify/payment/cs_1/SECRET-TOKEN' }));
  await expect.poll(timers.waiting).toEqual([1000]);
  const kept = JSON.stringify(gateway.notifications.list());
  expect(kept).toMatch(/"failure":"\w+/);
  expect(kept).not.toContain('SECRET-TOKEN');
});

test.each(['ftp://127.0.0.1/x', 'not an address'])('nothing is sent to %s', async (notify_url) => {
  const { gateway } = await setUp();
  expect((await gateway.authorise(cardPayment({ notify_url }))).status).toBe(200);
  await expect.poll(() => gateway.notifications.list()[0]?.outcome).toMatchObject({ state: 'dropped' });
});

test('notification_duplicate sends the very same twice', async () => {
  const { listener, pay } = await setUp();
  await pay('A-1-fault:notification_duplicate');
  await expect.poll(() => listener.got).toHaveLength(2);
  expect(listener.got[0]).toEqual(listener.got[1]);
});

test('notification_late sends it when its time has passed', async () => {
  const { timers, orders, pay } = await setUp();
  await pay('A-1-fault:notification_late');
  await expect.poll(timers.waiting).toEqual([9000]);
  await pay('A-2');
  await expect.poll(orders).toEqual(['A-2']);
  timers.pass(9000);
  await expect.poll(orders).toEqual(['A-2', 'A-1-fault:notification_late']);
});

test('notification_reordered sends two notifications of one order reversed, each once', async () => {
  const { timers, listener, gateway, orders } = await setUp();
  const payment = await gateway.pay({ order_no: 'A-1-fault:notification_reordered', notify_url: listener.url });
  await expect.poll(timers.waiting).toEqual([9000]);
  await gateway.pay({ order_no: 'A-2', notify_url: listener.url });
  await expect.poll(orders).toEqual(['A-2']);
  await gateway.ask('cancel', { cancel_orders: [payment] });
  const statuses = () => listener.got.slice(1).map(({ body }) => JSON.parse(body).payment_status);
  await expect.poll(statuses).toEqual(['4100', '3000']);
  expect(timers.waiting()).toEqual([]);
});

test('an armed notification_reordered holds one, until the next of its order went', async () => {
  const { timers, listener, gateway } = await setUp();
  await gateway.admin('POST', 'faults', { fault: 'notification_reordered' });
  const payment = await gateway.pay({ notify_url: listener.url });
  await expect.poll(timers.waiting).toEqual([9000]);
  await gateway.ask('cancel', { cancel_orders: [payment] });
  const statuses = () => listener.got.map(({ body }) => JSON.parse(body).payment_status);
  await expect.poll(statuses).toEqual(['4100', '3000']);
});

test('each notification fault’s card has the effect in its title', async () => {
  const { timers, listener, gateway } = await setUp();
  const pay = (card: { number: string }, order_no: string) =>
    gateway.pay({ card: card.number, order_no, notify_url: listener.url });
  await pay(testCards.untold, 'LOST');
  await pay(testCards.toldTwice, 'TWICE');
  await pay(testCards.toldLate, 'LATE');
  const reordered = await pay(testCards.toldUpsideDown, 'REORDERED');
  const got = () =>
    listener.got.map(({ body }) => JSON.parse(body)).map((one) => `${one.order_no} ${one.payment_status}`);
  await expect.poll(got).toEqual(['TWICE 3000', 'TWICE 3000']);
  await gateway.ask('cancel', { cancel_orders: [reordered] });
  await expect.poll(() => got().slice(2)).toEqual(['REORDERED 4100', 'REORDERED 3000']);
  timers.pass(9000);
  await expect.poll(() => got().slice(4)).toEqual(['LATE 3000']);
  expect(gateway.notifications.list().filter(({ outcome }) => outcome.state === 'dropped')).toHaveLength(1);
});

test('notification_reordered is sent late when no other follows', async () => {
  const { timers, orders, pay } = await setUp();
  await pay('A-1-fault:notification_reordered');
  await expect.poll(timers.waiting).toEqual([9000]);
  timers.pass(9000);
  await expect.poll(orders).toEqual(['A-1-fault:notification_reordered']);
});

test('notification_lost sends nothing', async () => {
  const { gateway, orders, pay } = await setUp();
  await pay('A-1-fault:notification_lost');
  await pay('A-2');
  await expect.poll(orders).toEqual(['A-2']);
  expect(gateway.notifications.list().at(-1)?.outcome).toEqual({ state: 'dropped', why: 'lost on purpose' });
});

test('an armed notification fault strikes the next notification of its operation', async () => {
  const { gateway, orders, pay } = await setUp();
  await gateway.admin('POST', 'faults', { operation: 'refund', fault: 'notification_lost' });
  await gateway.admin('POST', 'faults', { operation: 'direct_payment', fault: 'notification_duplicate' });
  await pay('A-1');
  await expect.poll(orders).toEqual(['A-1', 'A-1']);
  expect(gateway.armed.list()).toEqual([{ operation: 'refund', fault: 'notification_lost', times: 1 }]);
});

test('five hundred notifications may wait; further ones are dropped with a reason', async () => {
  const { gateway, timers } = await setUp();
  const fields = { order_no: 'fault:notification_late' };
  const account = { merchant_id: demoMerchant.merchant_id, account_id: demoMerchant.account_id };
  const notice: Notice = { url: 'http://127.0.0.1:1/', account, kind: 'payment', order_no: fields.order_no, fields };
  for (let at = 1; at <= 501; at += 1) gateway.notifier.notify(notice);
  expect(timers.waiting()).toHaveLength(500);
  const [last, before] = gateway.notifications.list();
  expect(last?.outcome).toEqual({ state: 'dropped', why: '500 others are waiting already' });
  expect(before?.outcome).toEqual({ state: 'waiting' });
});

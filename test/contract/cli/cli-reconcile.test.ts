import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import type { Payment } from '../../../sandbox/gateway/books/payments.ts';
import { sandboxGateway } from '../../support/gateways/sandbox-gateway.ts';
import { patient } from '../../support/gateways/settlement.ts';
import { type CliOptions, cli, jsonLines } from '../../support/operators/cli.ts';
import { apiKey, card, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';

const item = { currency: 'BRL', amount: '129.90' };

/** A sandbox gateway whose records the test changes, and relays that query it only on request. */
async function setUp() {
  const gateway = await sandboxGateway();
  // A notification of a payment made after a change of the records would make the relay query.
  gateway.armed.arm({ operation: '*', fault: 'notification_lost', times: 1_000_000 });
  const start = (folder?: string) =>
    startTestRelay({ gatewayUrl: gateway.url, config: { resolve: patient }, ...(folder ? { folder } : {}) });
  const gatewayPayment = (order_no: string): Payment => {
    const found = gateway.payments.list().find(({ order }) => order.order_no === order_no);
    if (!found) throw new Error(`the gateway has no ${order_no}`);
    return found;
  };
  return { gateway, start, gatewayPayment };
}

/** Pays this many orders, `A-1` first. */
async function pay(relay: TestRelay, count: number): Promise<void> {
  for (let at = 1; at <= count; at++) {
    const paid = await relay.post('/v1/payments', apiKey, { order_no: `A-${at}`, ...item, ...card });
    expect(paid.body).toMatchObject({ status: 'approved' });
  }
}

/** Reconciles today, half an hour later: no payment of the test is in flight by then. */
function reconcile(relay: TestRelay, args: readonly string[] = [], options: CliOptions = {}) {
  const later = () => new Date(Date.now() + 1_800_000);
  const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
  return cli(['reconcile', '--from', '1d', ...args], { env, ...options, io: { now: later, ...options.io } });
}

/** The output of `--json`: the findings, and at the end the summary. */
async function findings(relay: TestRelay, args: readonly string[] = [], options: CliOptions = {}) {
  const ended = await reconcile(relay, ['--json', ...args], options);
  return { ...ended, lines: jsonLines(ended.out) };
}

/** Copies the store of a stopped relay. */
function copyOf(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'turnpike-copy-'));
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Removes every trace of an order from a store. */
function deleteOrder(folder: string, orderNo: string): void {
  const db = new DatabaseSync(join(folder, 'turnpike.db'));
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  for (const { name } of tables) {
    const columns = db.prepare(`SELECT name FROM pragma_table_info(?)`).all(String(name));
    const isOfOrders = columns.some((column) => column.name === 'order_no');
    if (isOfOrders) db.prepare(`DELETE FROM ${String(name)} WHERE order_no = ?`).run(orderNo);
  }
  db.close();
}

it('finds nothing when the records agree', async () => {
  const { start, gatewayPayment } = await setUp();
  const relay = await start();
  await pay(relay, 3);
  await relay.session();
  const refund = { ...item, transaction_id: gatewayPayment('A-1').transaction_id, refund_amount: '10.00' };
  const refunded = await relay.post('/v1/refund', apiKey, { refund_orders: [refund, refund] });
  expect(refunded.body).toMatchObject({ refund_orders: [{ refund_status: '1' }, { refund_status: '1' }] });
  const cancelled = await relay.post('/v1/cancel', apiKey, {
    cancel_orders: [{ ...item, transaction_id: gatewayPayment('A-2').transaction_id }],
  });
  expect(cancelled.body).toMatchObject({ cancel_orders: [{ cancel_status: '1' }] });
  expect(gatewayPayment('A-2')).toMatchObject({ state: { status: 'cancelled' } });
  expect(await findings(relay)).toMatchObject({ code: 0, lines: [{ summary: { orders: 4, differing: 0 } }] });
  expect(await reconcile(relay)).toMatchObject({ code: 0, err: '4 orders compared. No differences.\n' });
});

it('finds exactly the order that a restored store lacks', async () => {
  const { start, gatewayPayment } = await setUp();
  const relay = await start();
  await pay(relay, 3);
  await relay.stop();
  const folder = copyOf(relay.folder);
  deleteOrder(folder, 'A-2');
  const copy = await start(folder);
  const csv = join(folder, 'found.csv');
  const { transaction_id } = gatewayPayment('A-2');
  const missing = {
    ...{ class: 'missing_here', order_no: 'A-2', transaction_id, known: false },
    there: { status: 'approved', amount: '129.90', currency: 'BRL' },
  };
  expect(await findings(copy, ['--csv', csv, '--fix', '--yes'])).toMatchObject({
    code: 4,
    lines: [missing, { summary: { orders: 3, missing_here: 1, differing: 1 } }],
  });
  expect(readFileSync(csv, 'utf8')).toMatch(
    new RegExp(
      `^class,order_no,.+\r\nmissing_here,A-2,${transaction_id},,,,,approved,129.90,BRL,order_unknown_here\r\n$`,
    ),
  );
});

it('finds an order in the store’s list without its row', async () => {
  const { start } = await setUp();
  const relay = await start();
  await pay(relay, 3);
  await reconcile(relay);
  await relay.stop();
  const folder = copyOf(relay.folder);
  const db = new DatabaseSync(join(folder, 'turnpike.db'));
  db.prepare('DELETE FROM orders WHERE order_no = ?').run('A-2');
  db.close();
  const copy = await start(folder);
  expect(await findings(copy)).toMatchObject({ code: 4, lines: [{ class: 'status', order_no: 'A-2' }, {}] });
  expect(await findings(copy, ['--fix', '--yes'])).toMatchObject({ code: 0 });
  expect(await findings(copy)).toMatchObject({ code: 0, lines: [{ summary: { orders: 3 } }] });
});

it('fixes what no notification and no poll reported', async () => {
  const { start, gatewayPayment } = await setUp();
  const relay = await start();
  await pay(relay, 1);
  const { secret, orderNo } = await relay.session({
    payment_methods: [{ type: 'apm', payment_method: 'PIX', label: 'Pix' }],
  });
  expect((await relay.pay(secret, { payment_method: 'PIX' })).body).toMatchObject({ status: 'redirect' });
  expect(await findings(relay)).toMatchObject({
    code: 0,
    lines: [{ class: 'unknown', order_no: orderNo, reason: 'undecided_here' }, { summary: { unknown: 1 } }],
  });
  // It is not reported.
  Object.assign(gatewayPayment(orderNo), { state: { status: 'approved', captured: '129.90' } });
  const status = {
    class: 'status',
    order_no: orderNo,
    here: { status: 'pending' },
    there: { status: 'approved' },
  };
  expect(await findings(relay)).toMatchObject({ code: 4, lines: [status, { summary: { differing: 1 } }] });
  const young = await findings(relay, [], { io: { now: () => new Date() } });
  expect(young).toMatchObject({ code: 0, lines: [{ class: 'unknown', reason: 'in_flight' }, {}] });

  expect(await reconcile(relay, ['--fix', '--no-input'])).toMatchObject({ code: 2, out: '' });
  const no = await reconcile(relay, ['--fix'], { answers: ['n'] });
  expect(no).toMatchObject({ code: 1, err: expect.stringContaining('about 1 order that differs? [y/N]') });
  const fixed = await findings(relay, ['--fix', '--yes']);
  expect(fixed).toMatchObject({
    code: 0,
    lines: [status, { order_no: orderNo, result: 'agrees' }, { summary: { differing: 0 } }],
  });
  expect(await findings(relay)).toMatchObject({ code: 0, lines: [{ summary: { orders: 2 } }] });
});

it('fixes later charges of a contract that no notification reported', async () => {
  const { gateway, start, gatewayPayment } = await setUp();
  const relay = await start();
  const subscription = { contract_name: 'Tea club', contract_amount: '49.90', interval: 'month' };
  await relay.post('/v1/payments', apiKey, { order_no: 'A-1', ...item, ...card, subscription });
  const first = gatewayPayment('A-1');
  const [contract] = gateway.books.contracts.list();
  if (!contract) throw new Error('no contract began');
  const charge = (order_no: string, transaction_id: string) =>
    gateway.payments.add({
      ...first,
      ...{ transaction_id, order: { ...first.order, order_no, amount: '49.90' }, subscription: { contract, cycle: 2 } },
    });
  // The contract is a month older than its charges.
  const monthAgo = new Date(Date.now() - 31 * 86_400_000);
  charge('A-1-R2', '81');
  charge('A-1', '82');
  Object.assign(first, { at: monthAgo });
  await relay.post('/v1/orders/A-1/reconcile', apiKey, {});
  expect(await findings(relay)).toMatchObject({
    code: 4,
    lines: [
      { class: 'missing_here', order_no: 'A-1-R2', known: false, recurring_id: contract.recurring_id },
      { summary: { differing: 1 } },
    ],
  });
  expect(await findings(relay, ['--fix', '--yes'])).toMatchObject({ code: 0 });
  expect((await relay.get('/v1/payments/81', apiKey)).body).toMatchObject({ order_no: 'A-1-R2', origin: 'renewal' });
  expect((await relay.get('/v1/payments/82', apiKey)).body).toMatchObject({ order_no: 'A-1', origin: 'renewal' });
});

it('finds every class of difference', async () => {
  const { gateway, start, gatewayPayment } = await setUp();
  const relay = await start();
  await pay(relay, 7);
  const refund = (orderNo: string, refund_amount: string) => {
    const { transaction_id } = gatewayPayment(orderNo);
    const refund_orders = [{ transaction_id, order_no: orderNo, ...item, refund_amount }];
    return relay.post('/v1/refund', apiKey, { refund_orders });
  };
  for (const orderNo of ['A-6', 'A-7']) expect(await refund(orderNo, '10.00')).toMatchObject({ status: 200 });
  Object.assign(gatewayPayment('A-1').order, { amount: '129.91' });
  Object.assign(gatewayPayment('A-2').order, { currency: 'EUR' });
  Object.assign(gatewayPayment('A-3'), { state: { status: 'declined', reason: 'Charged back' } });
  gateway.payments.add({ ...gatewayPayment('A-4'), transaction_id: '77' });
  Object.assign(gatewayPayment('A-5').order, { order_no: 'B-5' });
  const booked = gateway.books.refunds.list().filter(({ payment }) => payment.order.order_no === 'A-6');
  for (const one of booked) Object.assign(one, { refund_amount: '11.00' });
  const { code, lines } = await findings(relay);
  expect(code).toBe(4);
  const result = lines.map((line) => Object.values(Object(line)).slice(0, 2).join(' '));
  expect(result.slice(0, -1).sort()).toEqual([
    ...['amount A-1', 'currency A-2', 'missing_here B-5', 'missing_there A-5'],
    ...['refund_missing_here A-6', 'refund_missing_there A-6', 'second_payment A-4', 'status A-3'],
  ]);
  const table = await reconcile(relay, [], { isTerminal: true });
  expect(table.out).toMatch(/A-1 .+paid 129\.90 BRL.+approved 129\.91 BRL/);
  expect(table.err).toMatch(/second_payment +1 +--fix updates the relay/);
});

it('does not report agreement when records could not be read', async () => {
  const { gateway, start } = await setUp();
  const relay = await start();
  await pay(relay, 1);
  gateway.registeredAddresses.replace([]);
  const wait = async () => undefined;
  const { code, out, err } = await reconcile(relay, ['--csv', join(relay.folder, 'x.csv')], { io: { wait } });
  expect(code).toBe(3);
  expect(out).not.toContain('A-1');
  expect(err).toMatch(/The comparison is not complete[\s\S]+IP address not registered/);
  expect(() => readFileSync(join(relay.folder, 'x.csv'))).toThrow('ENOENT');
});

it('reports the remaining differences to the relay, except with --no-report', async () => {
  const { start, gatewayPayment } = await setUp();
  const relay = await start();
  await pay(relay, 2);
  const last = async () => (await relay.get('/v1/reconciliations/last', apiKey)).body;
  await findings(relay, ['--no-report']);
  expect(await last()).toMatchObject({ code: 'not_found' });
  const { lines } = await findings(relay);
  expect(lines).toMatchObject([{ summary: { orders: 2, reported: true } }]);
  expect(await last()).toMatchObject({ by: 'all', orders: 2, uncompared: 0, total: 0, differences: [] });

  Object.assign(gatewayPayment('A-2'), { state: { status: 'declined', reason: 'Charged back' } });
  const { transaction_id } = gatewayPayment('A-2');
  expect(await findings(relay)).toMatchObject({ code: 4 });
  const sum = { amount: '129.90', currency: 'BRL' };
  expect(await last()).toMatchObject({
    total: 1,
    differences: [
      {
        ...{ class: 'status', order_no: 'A-2', transaction_id, here: { status: 'paid', ...sum } },
        there: { status: 'declined', ...sum },
      },
    ],
  });
  Object.assign(gatewayPayment('A-2'), { state: { status: 'approved', captured: '129.90' } });
  expect(await findings(relay, ['--no-report'])).toMatchObject({ code: 0, lines: [{ summary: { differing: 0 } }] });
  expect(await last()).toMatchObject({ total: 1 });
});

it('only warns when it cannot report to the relay', async () => {
  const { start } = await setUp();
  const relay = await start();
  await pay(relay, 1);
  const refusing: typeof fetch = async (input, init) => {
    const isReport = String(input).endsWith('/v1/reconciliations');
    return isReport ? new Response('{}', { status: 404 }) : fetch(input, init);
  };
  const io = { fetch: refusing, wait: async () => undefined };
  const result = await reconcile(relay, [], { io });
  expect(result).toMatchObject({
    code: 0,
    err: expect.stringMatching(/No differences\.\nWarning: the result could not be sent/),
  });
  expect(await findings(relay, [], { io })).toMatchObject({ code: 0, lines: [{ summary: { reported: false } }] });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../test/deploy/sandbox.ts';
import { blockWith, pageText } from '../../../test/support/docs/doc-blocks.ts';
import { notifyPath } from '../../../test/support/gateways/notified.ts';
import { startReceiver, withReceiver } from '../../../test/support/http/receiver.ts';
import { apiKey, card, manyAttempts, startTestRelay } from '../../../test/support/relays/relay.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { type RunStatement, recordPlans, tellPlans } from '../../../test/support/stores/postgres-plans.ts';
import { soon, until } from '../../../test/support/time/until.ts';
import { openPostgres } from './open.ts';
import { distribute } from './schema/distributed.ts';
import { placements } from './schema/distribution.ts';

const root = join(import.meta.dirname, '../../..');

const PARTITIONS = 32;

/**
 * Statements of a payment, a refund, a notification or a webhook that read more than one partition of a table, by their names or, in a procedure,
 * by what they are. The page about high availability says of each how it is done and what it costs.
 */
const fanOuts: Readonly<Record<string, RegExp>> = {
  'order-of-session': /^orders?-of-sessions?$/,
  session: /^session$/,
  'add-notification': /^add-notification$/,
  'claim-events': /^claim-events$/,
  'lease-notices': /^lease-notices$/,
  'lease-due-orders': /^lease-due-orders$/,
  'a new webhook': /^INSERT INTO turnpike\.events /,
  'refunds of an operation': /^UPDATE turnpike\.refunds AS k SET counts/,
};

/** Those that read rows of several keys, so that they may read several partitions; the last ones only after a failure. */
const ofSeveralKeys: Readonly<Record<string, RegExp>> = {
  'attempts by card, address and account': /FROM json_to_recordset\(quotas\)/,
  'orders-of-keys': /^orders-of-keys$/,
  'release-keys': /^release-keys$/,
};

/** What a request or a relay writes by other keys than the order's, or on one node: the page says what it costs. */
const OF_OTHER_KEYS = [
  'claim-key',
  'transaction_ids of payments',
  'request_ids of payouts',
  'references of items',
  'the list of orders',
  'statistics',
];

/** What relays do apart from these: they look for work, delete what is old, list and count. */
const APART =
  /^(?:lease-(?!notices|due-orders)|(?:orphaned|removed)-events|purge-|stats-|old-|open-beside|.*list(?:ed|ing)?|count-|oldest-|figures)/;

/** The partitions of each table that a statement read. */
function partitionsOf({ read }: RunStatement): number[] {
  const tables = read.flatMap((name) => /^(\w+)_\d+$/.exec(name)?.[1] ?? []);
  return [...Map.groupBy(tables, (table) => table).values()].map(({ length }) => length);
}

const nameOf = ({ name, text }: RunStatement): string => name || text.trim().replace(/\s+/g, ' ');

describe('a store whose tables are spread over many partitions', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  const emptyStore = async (): Promise<string> => {
    const address = await postgres.database();
    await (await openPostgres(address)).close();
    return address;
  };

  /** The statements of a relay while it takes a payment, refunds it, is notified of it and sends the webhooks. */
  const record = async (): Promise<{ run: RunStatement[]; orders: number }> => {
    const address = await emptyStore();
    const statements = await distribute('hash', (text) => postgres.query(address, text), PARTITIONS);
    await postgres.query(address, statements.join(';\n'));
    // For a few rows the server would rather read all of them.
    await postgres.query(
      address,
      `INSERT INTO turnpike.idempotency_keys (account, route, key, fingerprint, claimed_at)
        SELECT 'other', 'other', n::text, '', '9999' FROM generate_series(1, 60000) AS n; ANALYZE turnpike.idempotency_keys`,
    );
    for (const setting of tellPlans(new URL(address).pathname.slice(1))) await postgres.query(address, setting);
    const plans = await recordPlans(address);
    onTestFinished(plans.close);
    const { url: gatewayUrl } = await startSandbox();
    const receiver = await startReceiver();
    const config = { ...withReceiver(receiver.url), limits: manyAttempts, store: plans.address };
    const relay = await startTestRelay({ gatewayUrl, config });
    // Each connection plans its statements for all partitions first, which a busy machine may not do in time.
    let orders = 0;
    const paid = await soon(
      'a payment and its refund',
      async () => {
        orders += 1;
        const { id, secret, orderNo: order_no } = await relay.session();
        const { status, transaction_id } = (await relay.pay(secret, card)).body;
        if (status !== 'approved') return undefined;
        const item = { transaction_id, order_no, currency: 'BRL', amount: '129.90', refund_amount: '29.90' };
        const refund = { refund_orders: [{ ...item, refund_reason: 'One of two was sold out.' }] };
        const refunded = await relay.post('/v1/refund', apiKey, refund, { 'idempotency-key': id });
        return refunded.status === 200 ? { id, order_no, transaction_id } : undefined;
      },
      240_000,
    );
    const { id, order_no, transaction_id } = paid;
    await receiver.one('session.approved');
    await receiver.one('operation.completed');
    const body = JSON.stringify({ order_no, transaction_id });
    const notify = () => relay.send(notifyPath(relay, id), { method: 'POST', body });
    await until('the notification is acknowledged', async () => (await notify()).status === 200);
    await until(
      'the gateway was asked about the order, and no notification waits',
      async () => {
        const waiting = await relay.context.store.notifications.listWaiting([id], 9);
        const { notices } = await relay.context.store.orders.get('demo', order_no);
        return notices > 0 && waiting.length === 0;
      },
      240_000,
    );
    return { run: plans.run, orders };
  };

  it('finds rows by their keys, with the documented exceptions', async () => {
    const { run, orders } = await record();
    expect(run.length).toBeGreaterThan(200);
    // A statement may name each order once.
    const wide = new Set(run.filter((one) => partitionsOf(one).some((count) => count > orders)).map(nameOf));
    const found = [...wide].filter((name) => !APART.test(name));
    const exceptions = { ...fanOuts, ...ofSeveralKeys };
    expect(found.filter((name) => !Object.values(exceptions).some((one) => one.test(name)))).toEqual([]);
    expect(Object.entries(fanOuts).filter(([, is]) => !found.some((name) => is.test(name)))).toEqual([]);
    const rows = pageText('docs/high-availability.md').split('\n');
    for (const name of [...Object.keys(exceptions), ...OF_OTHER_KEYS])
      expect(
        rows.some((row) => row.startsWith(`| ${name} |`)),
        name,
      ).toBe(true);
    // What writes the order, the refund and the delivery is no exception.
    for (const table of ['orders', 'sessions', 'attempts', 'transactions', 'operations', 'payment_operations']) {
      expect(run.some(({ text, read }) => text.includes(`turnpike.${table}`) && read.length > 0)).toBe(true);
    }
    for (const name of ['update-event', 'payments-asked', 'claim-key']) {
      expect(
        run.some((one) => one.name === name),
        name,
      ).toBe(true);
    }
  }, 600_000);

  it('places every table of the schema', async () => {
    const address = await emptyStore();
    const rows = await postgres.query(address, "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'turnpike'");
    expect(Object.keys(placements).toSorted()).toEqual(rows.map(({ name }) => String(name)).toSorted());
  });

  it('has the key of its nodes in each unique index', async () => {
    const address = await emptyStore();
    const citus = await distribute('citus', (text) => postgres.query(address, text));
    expect(citus).toContain(
      "SELECT create_distributed_table('turnpike.sessions', 'order_no', colocate_with => 'turnpike.orders')",
    );
    expect(citus).toContain('ALTER TABLE turnpike.sessions ADD PRIMARY KEY (order_no, id)');
    const yugabyte = await distribute('yugabyte', (text) => postgres.query(address, text));
    expect(yugabyte).toContain('ALTER TABLE turnpike.sessions ADD PRIMARY KEY ((account, order_no) HASH, id ASC)');
  });

  it('is printed by the commands of the page', async () => {
    const env = { PATH: process.env.PATH, ADDRESS: await emptyStore() };
    const commands = blockWith('docs/high-availability.md', 'sh', 'print-distribution.ts');
    const { stdout } = await promisify(execFile)('sh', ['-c', commands], { cwd: root, env });
    expect(stdout).toMatch(/^SELECT create_distributed_table\(.*\);$/m);
    expect(stdout).toMatch(/^ALTER TABLE turnpike\.sessions ADD PRIMARY KEY \(\(account, order_no\) HASH, id ASC\);$/m);
  });
});

import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Session } from '../../payments/session.ts';
import {
  at,
  attempt,
  event,
  failed,
  ids,
  lease,
  next,
  noAnswer,
  operation,
  refund,
  session,
  unknown,
} from '../behaviour/fixtures.ts';
import { listsOldOrders } from '../behaviour/listing.ts';
import { goesOnWithOldOrders } from '../behaviour/old-orders.ts';
import { oldRows } from '../behaviour/old-rows.ts';
import { migrations } from './migrations.ts';
import { openSqlite } from './open.ts';

type TableRow = { table: string; columns: { [column: string]: string | number | null } };

/** A file that has had so many steps, with these rows. */
function fileOf(steps: number, rows: readonly TableRow[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
  const db = new DatabaseSync(path);
  for (const step of migrations.slice(0, steps)) db.exec(step);
  db.exec(`PRAGMA user_version = ${steps}`);
  for (const { table, columns } of rows) {
    const marks = Object.keys(columns).map(() => '?');
    const text = `INSERT INTO ${table} (${Object.keys(columns).join()}) VALUES (${marks.join()})`;
    db.prepare(text).run(...Object.values(columns));
  }
  db.close();
  return path;
}

/** Every row of every table of a file that a relay has open. */
function readRows(path: string): unknown[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name }) => db.prepare(`SELECT * FROM ${name}`).all());
  db.close();
  return rows;
}

/** A session with what its shopper typed, which then stood among its terms. */
const typed: Session = {
  ...session('cs_1'),
  version: 2,
  terms: { ...session('cs_1').terms, filled: { billing_first_name: 'Maria' } },
  state: { status: 'processing', attempt_id: 'at_b' },
};

const rowsOfStepSix: readonly TableRow[] = [
  {
    table: 'sessions',
    columns: {
      ...{ id: typed.id, account: 'demo', order_no: 'A', status: 'processing', version: 2, revision: 1 },
      ...{ created_at: typed.created_at, expires_at: typed.expires_at },
      ...{ terms: JSON.stringify(typed.terms), state: JSON.stringify(typed.state) },
    },
  },
  ...[
    attempt('at_z', typed, { started_at: at(2) }),
    attempt('at_a', typed),
    attempt('at_b', typed, { started_at: at(3) }),
  ].map((one) => ({
    table: 'attempts',
    columns: {
      ...{ id: one.id, session_id: typed.id, account: 'demo', order_no: 'A', started_at: one.started_at },
      data: JSON.stringify(one),
    },
  })),
  {
    table: 'orders',
    columns: {
      ...{ account: 'demo', order_no: 'A', hold: 'held', version: 3, next_query_at: at(50) },
      data: JSON.stringify({ payments: [], decided: [], queries: { failures: 1 }, noticed: 0 }),
    },
  },
  ...[
    ['a', 1, 0],
    ['a', 2, 10],
    ['a', 3, 20],
    ['b', 1, 10],
  ].map(([key = '', n = 0, second]) => ({
    table: 'tries',
    columns: { key, n, at: at(Number(second)) },
  })),
];

/** A file as the relay before leases and notifications left it, with one of everything that it could leave behind. */
function oldFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
  const db = new DatabaseSync(path);
  for (const step of migrations.slice(0, 3)) db.exec(step);
  db.exec('PRAGMA user_version = 3');
  for (const [id, look, more] of [
    ['cs_false', at(20), { since: 3 }],
    ['cs_true', at(30), { since: 2, needs_attention: true }],
  ] as const) {
    const state = unknown(`at_${id}`, more);
    const { account, order_no, version, revision, created_at, expires_at, terms } = next(session(id, id), state);
    const values = [id, account, order_no, 'unknown', version, revision, created_at, expires_at, look];
    db.prepare(`INSERT INTO sessions (id, account, order_no, status, version, revision, created_at, expires_at, next_look_at,
      terms, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
      ...values,
      JSON.stringify(terms),
      JSON.stringify(state),
    );
    db.prepare(
      `INSERT INTO attempts (id, session_id, account, order_no, started_at, data) VALUES (?, ?, ?, ?, ?, ?)`,
    ).run(...[`at_${id}`, id, account, order_no, at(0), JSON.stringify(attempt(`at_${id}`, session(id, id)))]);
    db.prepare("INSERT INTO orders VALUES (?, ?, 'held')").run(account, order_no);
  }
  const onItsWay = { status: 'answered', answer: {}, items: ['unknown'] } as const;
  for (const one of [
    operation('lost', { state: noAnswer, created_at: at(4) }),
    operation('half', { state: { ...onItsWay, items: ['succeeded', 'unknown'] } }),
    operation('payout', { name: 'payout', request_id: 'r-1', state: { ...onItsWay, items: ['unknown'] } }),
  ]) {
    db.prepare('INSERT INTO operations VALUES (?, ?, ?, ?, ?, ?, ?)').run(
      ...[
        one.id,
        one.account,
        one.request_id ?? null,
        one.created_at,
        one.version,
        one.state.status,
        JSON.stringify(one),
      ],
    );
  }
  db.prepare("INSERT INTO refunds VALUES ('lost', 0, 'demo', 'T', 'BRL', 900, 1000, 1)").run();
  for (const [{ id, account, subject, type, created_at, body }, delivery, due] of [
    [event('e1', 'a'), failed, null],
    [event('e2', 'a'), { status: 'pending', tries: 0, next_try_at: at(0) }, at(0)],
    [event('e3', 'a'), { status: 'pending', tries: 0, next_try_at: at(0) }, null],
  ] as const) {
    db.prepare(`INSERT INTO events (id, account, subject, type, created_at, body, status, next_try_at, delivery)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
      ...[id, account, subject, type, created_at, body, delivery.status, due, JSON.stringify(delivery)],
    );
  }
  db.close();
  return path;
}

describe('an SQLite file of an older version', () => {
  it('is read as if this version had written it', async () => {
    const store = openSqlite(oldFile());
    onTestFinished(() => store.close());
    expect(await store.figures(at(40), ['demo'])).toEqual({
      unknown_sessions: 2,
      unknown_since: at(2),
      needs_attention: 1,
      query_due_since: at(20),
      unknown_operations: 2,
      unknown_operations_since: at(0),
      pending_events: 2,
      pending_since: at(0),
      failed_events: 1,
    });
    const due = await store.leaseDueOrders(lease(40, 60), ['demo'], at(0));
    expect(due.map(({ order_no }) => order_no)).toEqual(['cs_false', 'cs_true']);
    expect((await store.order('demo', 'cs_true')).attempts).toHaveLength(1);
    expect(await store.createSession(session('again', 'cs_true'))).toEqual({ kind: 'order_in_progress' });
    expect(await store.operation('lost')).toMatchObject({ state: noAnswer });
    expect(await store.leaseDueOperations(lease(99, 120), ['demo'])).toEqual([]);
    expect(await store.beginOperation(operation('more'), [refund(101n)])).toMatchObject({ left: 100n });
    const payout = operation('more', { name: 'payout', request_id: 'r-1' });
    expect(await store.beginOperation(payout, [])).toEqual({ kind: 'request_id_used', id: 'payout' });
  });

  it('has its refunds counted in the minor units of their currency', async () => {
    const currencies = [
      ['BRL', 1n],
      ['KWD', 10n],
      ['CLF', 100n],
    ] as const;
    const of = (currency: string) => ({ account: 'demo', transaction_id: currency, currency, original: 1000 });
    const { id, account, created_at, version, state, ...more } = operation('op_1');
    const data = JSON.stringify({ id, account, created_at, version, state, ...more });
    const rows: TableRow[] = [
      { table: 'operations', columns: { id, account, created_at, version, status: state.status, data } },
      ...currencies.flatMap(([currency], item) => [
        { table: 'refunds', columns: { ...of(currency), operation_id: id, item, counts: 1, amount: 200 } },
        { table: 'refunded_payments', columns: { ...of(currency), sum: 400 } },
      ]),
    ];
    const store = openSqlite(fileOf(8, rows));
    onTestFinished(() => store.close());
    for (const [currency, unit] of currencies) {
      const tooMuch = refund(401n * unit, 1000n * unit, currency, currency);
      const begun = await store.beginOperation(operation('op_2'), [tooMuch]);
      expect(begun, currency).toMatchObject({ kind: 'refund_exceeds_payment', left: 400n * unit });
    }
  });

  it('has its webhooks still to deliver, in their order, and those that were given up', async () => {
    const store = openSqlite(oldFile());
    onTestFinished(() => store.close());
    expect(ids(await store.claimEvents('demo', at(1), at(60), 10))).toEqual(['e2']);
    await store.updateEvent(event('e2', 'a'), { status: 'delivered', tries: 1, delivered_at: at(2) });
    expect(ids(await store.claimEvents('demo', at(2), at(60), 10))).toEqual(['e3']);
    expect(ids(await store.listEvents({ account: 'demo', limit: 9, status: 'failed' }))).toEqual(['e1']);
    expect(await store.redeliverEvent('demo', 'e1', at(3))).toMatchObject({ kind: 'redelivered' });
  });

  it('goes on with the orders of when they had no data of their own', async () => {
    const store = openSqlite(fileOf(5, oldRows));
    onTestFinished(() => store.close());
    await goesOnWithOldOrders(store);
  });

  it('goes on with sessions, attempts and limits of when orders were rewritten whole', async () => {
    const path = fileOf(6, rowsOfStepSix);
    const store = openSqlite(path);
    onTestFinished(() => store.close());
    expect(await store.session('cs_1')).toEqual(typed);
    const { sessions, attempts, ...order } = await store.order('demo', 'A');
    expect({ sessions, attempts: ids(attempts) }).toEqual({ sessions: [typed], attempts: ['at_a', 'at_z', 'at_b'] });
    expect(order).toMatchObject({ version: 3, hold: 'held', next_query_at: at(50), queries: { failures: 1 } });

    const quota = (key: string, most: number) => ({ name: 'ip', key, most, window_ms: 60_000 }) as const;
    expect(await store.limitedBy([quota('a', 2)], at(30))).toMatchObject({ until: at(70) });
    expect(await store.limitedBy([quota('a', 4), quota('b', 2)], at(30))).toBeUndefined();
    await store.purge({ before: at(0), counted_before: at(60), limit: 10 });
    expect(await store.limitedBy([quota('a', 1)], at(30))).toBeUndefined();

    // What the shopper typed is forgotten with the form, and stands nowhere else.
    const { filled: _, ...terms } = typed.terms;
    const state = { status: 'approved', attempt_id: 'at_b', transaction_id: 'T' } as const;
    const before = await store.order('demo', 'A');
    await store.writeOrder({ before, after: { ...before, sessions: [{ ...typed, terms, state }] }, events: [] });
    expect(await store.session('cs_1')).toEqual({ ...typed, version: 3, terms, state });
    const written = readRows(path).filter((row) => JSON.stringify(row).includes('Maria'));
    expect(written).toEqual([]);
  });
});

describe('a step that files have had', () => {
  it('is never edited: what is new is a step of its own', () => {
    const sums = migrations.map((step) => createHash('sha256').update(step).digest('hex').slice(0, 16));
    expect(sums.slice(0, 6)).toEqual([
      ...['78da74f7d87aad23', 'f89c1f16b16d914b', '86daa341fc181255'],
      ...['7af1a72791c3e9db', 'f4932d760da944fc', '6ac525a715c012ba'],
    ]);
  });
});

it('answers, operations and refunds survive when their tables are made anew', async () => {
  const steps = migrations.findIndex((step) => step.includes('CREATE TABLE claimed_keys'));
  const key = { account: 'demo', route: '/v1/refund', key: 'k', fingerprint: 'f', claimed_at: at(0) };
  const one = operation('op_1', { state: noAnswer });
  const { id, account, created_at, version, state } = one;
  const path = fileOf(steps, [
    { table: 'idempotency_keys', columns: { ...key, subject: id, reply: 'sealed' } },
    {
      table: 'operations',
      columns: { id, account, created_at, version, status: state.status, data: JSON.stringify(one) },
    },
    {
      table: 'refunds',
      columns: {
        ...{ operation_id: id, item: 0, account, transaction_id: 'T' },
        ...{ currency: 'BRL', amount: 600, original: 1000, counts: 1 },
      },
    },
  ]);
  const store = openSqlite(path);
  onTestFinished(() => store.close());
  expect(await store.claimKey(key, at(0))).toEqual({ kind: 'answered', reply: 'sealed' });
  expect(await store.operation(id)).toEqual(one);
  const more = await store.beginOperation(operation('op_2'), [refund(500n)]);
  expect(more.kind).not.toBe('begun');
  const db = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => db.close());
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
});

it('orders and operations of before stand in line to be listed', async () => {
  const steps = migrations.findIndex((step) => step.includes('CREATE TABLE listed_orders'));
  const { id, account, order_no, version, revision, created_at, expires_at, state, terms } = session('cs_1');
  const one = operation('op_1', { name: 'capture', request: { order_no } });
  const path = fileOf(steps, [
    {
      table: 'sessions',
      columns: {
        ...{ id, account, order_no, status: state.status, version, revision, created_at, expires_at },
        state: JSON.stringify(state),
      },
    },
    { table: 'session_terms', columns: { session_id: id, terms: JSON.stringify(terms) } },
    {
      table: 'operations',
      columns: { id: one.id, account, created_at, version, status: one.state.status, data: JSON.stringify(one) },
    },
  ]);
  const store = openSqlite(path);
  onTestFinished(() => store.close());
  await listsOldOrders(store);
});

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
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
import { goesOnWithOldOrders } from '../behaviour/old-orders.ts';
import { oldRows } from '../behaviour/old-rows.ts';
import { migrations } from './migrations.ts';
import { openSqlite } from './open.ts';

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

  it('has its webhooks still to deliver, in their order, and those that were given up', async () => {
    const store = openSqlite(oldFile());
    onTestFinished(() => store.close());
    expect(ids(await store.claimEvents('demo', at(1), at(60), 10))).toEqual(['e2']);
    await store.updateEvent(event('e2', 'a'), { status: 'delivered', tries: 1, delivered_at: at(2) });
    expect(ids(await store.claimEvents('demo', at(2), at(60), 10))).toEqual(['e3']);
    expect(ids(await store.listEvents({ account: 'demo', limit: 9, status: 'failed' }))).toEqual(['e1']);
    expect(await store.redeliverEvent('demo', 'e1', at(3))).toMatchObject({ kind: 'redelivered' });
  });

  it('goes on with the orders of the version before this', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
    const db = new DatabaseSync(path);
    for (const step of migrations.slice(0, 5)) db.exec(step);
    db.exec('PRAGMA user_version = 5');
    for (const { table, columns } of oldRows) {
      const marks = Object.keys(columns).map(() => '?');
      const text = `INSERT INTO ${table} (${Object.keys(columns).join()}) VALUES (${marks.join()})`;
      db.prepare(text).run(...Object.values(columns));
    }
    db.close();
    const store = openSqlite(path);
    onTestFinished(() => store.close());
    await goesOnWithOldOrders(store);
  });
});

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { order } from '../../shared/checkout/session.ts';
import type { Attempt, Session, SessionState } from '../checkout/session.ts';
import { StoreError } from '../errors.ts';
import { openSqlite } from './sqlite.ts';

const created_at = '2026-01-01T00:00:00.000Z';

function session(id: string, orderNo = 'A', account = 'demo'): Session {
  return {
    id,
    account,
    order_no: orderNo,
    created_at,
    expires_at: '2026-01-02T00:00:00.000Z',
    revision: 1,
    version: 1,
    terms: {
      order: order.parse({ order_no: orderNo, currency: 'BRL', amount: '10.00' }),
      methods: [{ type: 'card' }],
      installment_options: [],
      saved_cards: [],
      collect: [],
    },
    state: { status: 'open' },
  };
}

function attempt(id: string, of: Session): Attempt {
  const { account, order_no } = of;
  return {
    id,
    session_id: of.id,
    account,
    order_no,
    method: 'card',
    amount: '10.00',
    currency: 'BRL',
    started_at: created_at,
    state: { status: 'in_flight' },
  };
}

function next(of: Session, state: SessionState): Session {
  return { ...of, version: of.version + 1, state };
}

const file = (): string => join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'sub', 'turnpike.db');

describe('the SQLite store', () => {
  it('keeps sessions and attempts across a restart', async () => {
    const path = file();
    const store = openSqlite(path);
    const one = session('cs_1');
    await store.createSession(one);
    const processing = next(one, { status: 'processing', attempt_id: 'at_1' });
    await store.startAttempt(processing, attempt('at_1', one));
    await store.close();

    const again = openSqlite(path);
    expect(await again.session('cs_1')).toEqual(processing);
    expect(await again.attemptsOfOrder('demo', 'A')).toEqual([attempt('at_1', one)]);
    await again.close();
  });

  it('lets one of many writers move a session on', async () => {
    const store = openSqlite(':memory:');
    const one = session('cs_1');
    await store.createSession(one);
    const tries = ['at_1', 'at_2', 'at_3'].map((id) =>
      store.startAttempt(next(one, { status: 'processing', attempt_id: id }), attempt(id, one)),
    );
    expect((await Promise.all(tries)).filter((result) => result === 'started')).toHaveLength(1);
    expect(await store.attemptsOfOrder('demo', 'A')).toHaveLength(1);
    expect(await store.update(next(one, { status: 'expired' }), [])).toBe(false);
  });

  it('holds an order for one attempt at a time, over all its sessions', async () => {
    const store = openSqlite(':memory:');
    const [one, two] = [session('cs_1'), session('cs_2')];
    await store.createSession(one);
    await store.createSession(two);
    const started = next(one, { status: 'processing', attempt_id: 'at_1' });
    expect(await store.startAttempt(started, attempt('at_1', one))).toBe('started');
    const other = next(two, { status: 'processing', attempt_id: 'at_2' });
    expect(await store.startAttempt(other, attempt('at_2', two))).toBe('order_in_progress');
    expect(await store.createSession(session('cs_3'))).toBe('order_in_progress');

    await store.settle(next(started, { status: 'open' }), attempt('at_1', one), 'free', []);
    expect(await store.startAttempt(other, attempt('at_2', two))).toBe('started');
    const paid = next(other, { status: 'approved', attempt_id: 'at_2', transaction_id: 'T' });
    await store.settle(paid, attempt('at_2', two), 'paid', []);
    expect(await store.createSession(session('cs_4'))).toBe('order_already_paid');
  });

  it('keeps the orders of two accounts apart', async () => {
    const store = openSqlite(':memory:');
    const one = session('cs_1');
    await store.createSession(one);
    await store.startAttempt(next(one, { status: 'processing', attempt_id: 'at_1' }), attempt('at_1', one));
    expect(await store.createSession(session('cs_2', 'A', 'other'))).toBe('created');
  });

  it('never frees an order that is paid', async () => {
    const store = openSqlite(':memory:');
    const one = session('cs_1');
    await store.createSession(one);
    const started = next(one, { status: 'processing', attempt_id: 'at_1' });
    await store.startAttempt(started, attempt('at_1', one));
    const paid = next(started, { status: 'approved', attempt_id: 'at_1', transaction_id: 'T' });
    await store.settle(paid, attempt('at_1', one), 'paid', []);
    await store.settle(next(paid, { status: 'open' }), attempt('at_1', one), 'free', []);
    expect(await store.createSession(session('cs_2'))).toBe('order_already_paid');
  });

  it('writes nothing of a settlement that comes too late', async () => {
    const store = openSqlite(':memory:');
    const one = session('cs_1');
    await store.createSession(one);
    const started = next(one, { status: 'processing', attempt_id: 'at_1' });
    await store.startAttempt(started, attempt('at_1', one));
    await store.settle(next(started, { status: 'open' }), attempt('at_1', one), 'free', []);
    const late = next(started, { status: 'approved', attempt_id: 'at_1', transaction_id: 'T' });
    const approved: Attempt = { ...attempt('at_1', one), state: { status: 'approved' } };
    expect(await store.settle(late, approved, 'paid', [])).toBe(false);
    expect((await store.session('cs_1'))?.state).toEqual({ status: 'open' });
    expect(await store.attemptsOfOrder('demo', 'A')).toEqual([attempt('at_1', one)]);
  });

  it('finds what is due, stranded and expirable, and nothing else', async () => {
    const store = openSqlite(':memory:');
    for (const id of ['open', 'stranded', 'unknown']) await store.createSession(session(id, id));
    const stranded = next(session('stranded', 'stranded'), { status: 'processing', attempt_id: 'at_1' });
    await store.startAttempt(stranded, attempt('at_1', stranded));
    const search = {
      reason: 'timeout',
      since: created_at,
      next_look_at: '2026-01-01T00:00:10.000Z',
      looks: 0,
      absent_looks: 0,
      needs_attention: false,
    } as const;
    await store.update(next(session('unknown', 'unknown'), { status: 'unknown', attempt_id: 'at_2', search }), []);

    const ids = (sessions: Session[]): string[] => sessions.map(({ id }) => id);
    expect(ids(await store.dueSessions('2026-01-01T00:00:09.000Z', ['demo'], 10))).toEqual([]);
    expect(ids(await store.dueSessions('2026-01-01T00:00:10.000Z', ['demo'], 10))).toEqual(['unknown']);
    expect(ids(await store.dueSessions('2026-01-01T00:00:10.000Z', ['other'], 10))).toEqual([]);
    expect(ids(await store.strandedSessions('2025-12-31T00:00:00.000Z', 10))).toEqual([]);
    expect(ids(await store.strandedSessions('2026-01-01T00:00:01.000Z', 10))).toEqual(['stranded']);
    expect(ids(await store.expirableSessions('2026-01-03T00:00:00.000Z', 10))).toEqual(['open']);
  });

  it('says StoreError when its file is no database', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
    writeFileSync(path, 'this is not a database, and never was one; it is only text of some length.');
    expect(() => openSqlite(path)).toThrow(StoreError);
  });

  it('says StoreError once it is closed', async () => {
    const store = openSqlite(':memory:');
    await store.close();
    await expect(store.check()).rejects.toBeInstanceOf(StoreError);
    await expect(store.session('cs_1')).rejects.toBeInstanceOf(StoreError);
  });
});

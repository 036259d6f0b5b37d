import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, delivered, event, operation, purgeOnce, refund, sent, toDefault } from '../../../test/store/fixtures.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { until } from '../../../test/support/time/until.ts';
import { createIds } from '../../base/ids.ts';
import type { OutboxFilter } from '../facets/outbox.ts';
import { retainedKinds } from '../facets/retention.ts';
import { openPostgres } from './open.ts';

const EVENTS = 200;
const ORDERS = 10_000;

describe('the plans of the PostgreSQL store', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  it('find the events of a subject without reading all that are pending', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const names = Array.from({ length: EVENTS }, (_, n) => `e_${n}`);
    // The server makes its plans here, where every table is empty.
    for (const name of names) await store.outbox.add([event(name)]);
    for (const name of names.slice(0, 20)) await store.outbox.writeDelivery(sent(event(name)), delivered);
    expect(await store.outbox.redeliver('demo', 'e_0', event('e_0').created_at, toDefault)).toMatchObject({
      kind: 'redelivered',
    });
    // A server tells what was read once its connections are closed.
    await store.close();
    const read = async (): Promise<Record<string, number>> => {
      const text = `SELECT indexrelname, idx_tup_read::int AS read FROM pg_stat_user_indexes WHERE relname = 'events'`;
      const rows = await postgres.query(address, text);
      return Object.fromEntries(rows.map((row) => [String(row.indexrelname), Number(row.read)]));
    };
    await until('the server has told', async () => (await read()).events_of_subject !== 0);
    expect((await read()).events_pending).toBeLessThan(EVENTS);
  });

  it('find a page of orders without reading the others', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const [account, all, limit] = ['demo', 'all', 5];
    const listed = 'INSERT INTO turnpike.listed_orders (account, order_no, created_at, terms, summary)';
    await postgres.query(
      address,
      `${listed} SELECT '${account}', n::text, n, E'\\nall\\n', '{}' FROM generate_series(1, ${ORDERS}) AS n`,
    );
    const terms = 'INSERT INTO turnpike.order_terms SELECT account, term, created_at, id FROM turnpike.listed_orders';
    await postgres.query(address, `${terms}, unnest(ARRAY['${all}', 'order ' || order_no]) AS term`);
    const last = { created_at: ORDERS / 2, id: 0 };
    for (let page = 0; page < 10; page++) {
      expect((await store.listing.search({ account, groups: [[all]], after: last, limit })).orders).toHaveLength(limit);
      const up = { account, groups: [[all]], after: last, limit, order: 'oldest' } as const;
      expect((await store.listing.search(up)).orders).toHaveLength(limit);
      expect(await store.listing.termsStartingWith(account, 'a', limit)).toEqual([all]);
      expect((await store.listing.newestStartingWith(account, 'order 77', limit)).orders).toHaveLength(limit);
      const numbered = { account, groups: [[all]], prefix: 'order 77', limit } as const;
      expect((await store.listing.search(numbered)).orders).toHaveLength(limit);
    }
    await store.close();
    const read = async (): Promise<{ scans: number; read: number }> => {
      const text = `SELECT sum(seq_scan)::int AS scans, sum(idx_tup_fetch)::int AS read FROM pg_stat_user_tables
        WHERE relname IN ('order_terms', 'listed_orders')`;
      const [row] = await postgres.query(address, text);
      return { scans: Number(row?.scans), read: Number(row?.read) };
    };
    await until('the server has told', async () => (await read()).read > 0);
    // Twenty pages of six, each a term and a row, ten terms, and ten times the 111 orders that a prefix finds, each twice a term, and a row.
    // The newest of these are found by another read of their terms, and of so many rows.
    const newest = 111 + 2 * limit + 1;
    expect((await read()).read).toBeLessThan(10 * (4 * (limit + 1) + 1 + 3 * 111 + newest) + 1);
  });

  it('find a page of operations without reading the others', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const [account, limit] = ['demo', 5];
    const rows = `SELECT 'op_' || n, '${account}', '2027-01-01T' || lpad(n::text, 6, '0'), 1,
        CASE WHEN n % 100 = 0 THEN 'unknown' ELSE 'answered' END, n % 100 = 0,
        '{"id":"op_' || n || '","name":"' || CASE WHEN n % 1000 = 0 THEN 'payout' ELSE 'refund' END || '"}'
      FROM generate_series(1, ${ORDERS}) AS n`;
    const columns = '(id, account, created_at, version, status, needs_person, data)';
    await postgres.query(address, `INSERT INTO turnpike.operations ${columns} ${rows}`);
    // What the server knows of the table must not lead it elsewhere.
    await postgres.query(address, 'ANALYZE turnpike.operations');
    const before = { created_at: '2027-01-01T005000', id: '' };
    for (let page = 0; page < 10; page++) {
      expect(await store.operations.list({ account, limit, before })).toHaveLength(limit);
      expect(await store.operations.list({ account, limit, before, waiting: true })).toHaveLength(limit);
      const payouts = await store.operations.list({ account, limit, before, name: 'payout' });
      expect(payouts.map(({ id }) => id)).toEqual(['op_4000', 'op_3000', 'op_2000', 'op_1000']);
    }
    await store.close();
    const read = async (): Promise<{ scans: number; read: number }> => {
      const text = `SELECT sum(seq_scan)::int AS scans, sum(idx_tup_fetch)::int AS read FROM pg_stat_user_tables
        WHERE relname = 'operations'`;
      const [row] = await postgres.query(address, text);
      return { scans: Number(row?.scans), read: Number(row?.read) };
    };
    await until('the server has told', async () => (await read()).read > 0);
    // Of each name and status that are here, and each operation by its id.
    expect((await read()).read).toBeLessThan(10 * (4 * limit + 2 * limit + 3 * limit) + 1);
  });

  it('find other spellings of a transaction without reading the others', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const begin = (n: number): Promise<unknown> =>
      store.operations.begin(operation(`op_${n}`), [refund(1n, 1n, 'BRL', `TX-${n}`)]);
    const settle = async (n: number): Promise<unknown> => {
      const before = await store.orders.get('demo', `o_${n}`);
      const paid = {
        transaction_id: `TX-${n}`,
        amount: '1.00',
        currency: 'BRL',
        proof: 'person',
        date: at(0),
      } as const;
      return store.orders.write({ before, after: { ...before, payments: [paid] }, events: [] });
    };
    const both = async (n: number): Promise<void> => {
      expect(await begin(n)).toEqual({ kind: 'begun' });
      expect(await settle(n + 100)).toEqual({ kind: 'written' });
    };
    // The server makes its plans here, where the tables are nearly empty.
    for (let n = 0; n < 10; n++) await both(n);
    const many = `FROM generate_series(1, ${ORDERS}) AS n`;
    await postgres.query(
      address,
      `INSERT INTO turnpike.transactions SELECT 'demo', 'T-' || n, 'o' || n, '1.00', 'BRL' ${many};
      INSERT INTO turnpike.refunded_payments SELECT 'demo', 'P-' || n, 'BRL', 1, 1 ${many};
      INSERT INTO turnpike.refunds SELECT 'op_0', n, 'demo', 'R-' || n, 'BRL', 1, 1, true ${many};
      INSERT INTO turnpike.operations (id, account, created_at, version, status, next_look_at, data)
        SELECT 'watched ' || n, 'demo', '2026', 1, 'settled', CASE WHEN n % 2 = 0 THEN '2026' END, '{}' ${many};
      INSERT INTO turnpike.refunds SELECT 'watched ' || n, 0, 'demo', 'TX-' || n, 'BRL', 1, 1, false ${many}`,
    );
    const count = async (columns: string, tables: string): Promise<number> => {
      const text = `SELECT sum(${columns})::int AS n FROM pg_stat_user_tables WHERE relname IN (${tables})`;
      return Number((await postgres.query(address, text))[0]?.n);
    };
    const isTold = async (refunds: number): Promise<boolean> => (await count('n_tup_ins', "'refunds'")) >= refunds;
    const read = () =>
      count('seq_tup_read + idx_tup_fetch', "'transactions', 'refunds', 'refunded_payments', 'operations'");
    await until('the server has told what was added', () => isTold(2 * ORDERS));
    const before = await read();
    for (let n = 10; n < 20; n++) await both(n);
    await store.close();
    await until('the server has told', () => isTold(2 * ORDERS + 20));
    expect((await read()) - before).toBeLessThan(240);
  });

  it('find the newest notifications of a few subjects without reading the others', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    // The server makes its plans here, where the table is empty.
    for (let n = 0; n < 10; n++) expect(await store.notifications.listNewest(['s_1', 's_2'], 2)).toEqual([]);
    await postgres.query(
      address,
      `INSERT INTO turnpike.notifications (subject, sha256, kind, account, received_at, last_at, times, bytes, fields)
        SELECT 's_' || n % ${ORDERS / 4}, n::text, 'payment', 'demo', '2027', '2027', 1, 1, '{}' FROM generate_series(1, ${ORDERS}) AS n`,
    );
    for (let n = 0; n < 10; n++) {
      expect(await store.notifications.listNewest(['s_1', 's_2'], 2)).toMatchObject([{ count: 4 }, { count: 4 }]);
    }
    await store.close();
    const read = async (): Promise<number> => {
      const text = `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_user_tables WHERE relname = 'notifications'`;
      return Number((await postgres.query(address, text))[0]?.read);
    };
    await until('the server has told', async () => (await read()) > 0);
    // Four of each subject, once to count them and once to find the newest.
    expect(await read()).toBeLessThan(10 * 2 * 2 * 4 + 1);
  });

  it('find what is asked of the audit log without reading the rest', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const [account, limit] = ['demo', 5];
    const entries = 'INSERT INTO turnpike.audit (account, at, data)';
    await postgres.query(address, `${entries} SELECT '${account}', '2027', '{}' FROM generate_series(1, ${ORDERS})`);
    const terms = 'INSERT INTO turnpike.audit_terms SELECT account, term, seq FROM turnpike.audit';
    await postgres.query(address, `${terms}, unnest(ARRAY['by server', 'order ' || seq % 100]) AS term`);
    for (let page = 0; page < 10; page++) {
      expect(await store.people.listAudit({ account, by: 'server', limit })).toHaveLength(limit);
      expect(await store.people.listAudit({ account, by: 'server', order_no: '7', limit })).toHaveLength(limit);
    }
    await store.close();
    const read = async (): Promise<number> => {
      const text = `SELECT sum(idx_tup_fetch)::int AS read FROM pg_stat_user_tables WHERE relname IN ('audit', 'audit_terms')`;
      return Number((await postgres.query(address, text))[0]?.read);
    };
    await until('the server has told', async () => (await read()) > 0);
    // Of each entry the term by which it is found, the other one, and itself.
    expect(await read()).toBeLessThan(10 * 2 * 3 * limit + 1);
  });

  it('find what waits in one account without reading that of others', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const many = `FROM generate_series(1, ${ORDERS}) AS n`;
    const whose = "CASE WHEN n % 1000 = 0 THEN 'demo' ELSE 'other' END";
    await postgres.query(
      address,
      `INSERT INTO turnpike.operations (id, account, created_at, version, status, data, needs_person, next_look_at)
        SELECT 'op_' || n, ${whose}, to_char(n, 'FM00000'), 1, 'unknown', '{"id":"' || n || '"}', true,
          CASE WHEN n % 2000 = 0 THEN '2027' END ${many}`,
    );
    await postgres.query(
      address,
      `INSERT INTO turnpike.events (id, account, subject, type, created_at, body, status, delivery)
        SELECT 'e_' || n, ${whose}, 's_' || n, 'session.approved', '2027', '{}', 'failed', '{}' ${many}`,
    );
    for (let times = 0; times < 10; times++) {
      for (const waitsFor of ['person', 'gateway'] as const) {
        const found = await store.operations.listOpen({ account: 'demo', waitsFor, limit: 3, max: 101 });
        expect([found.count, found.operations.length]).toEqual([5, 3]);
      }
      const failed = await store.outbox.list({ account: 'demo', status: 'failed', oldestFirst: {}, limit: 101 });
      expect(failed).toHaveLength(10);
    }
    await store.close();
    const read = async (): Promise<{ scans: number; read: number }> => {
      const text = `SELECT sum(seq_scan)::int AS scans, sum(idx_tup_fetch)::int AS read FROM pg_stat_user_tables
        WHERE relname IN ('operations', 'events')`;
      const [row] = await postgres.query(address, text);
      return { scans: Number(row?.scans), read: Number(row?.read) };
    };
    await until('the server has told', async () => (await read()).read > 0);
    expect((await read()).read).toBeLessThan(10 * (2 * (5 + 3) + 10) + 1);
  });

  it('find webhooks of a type that few have without reading the others', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const types = `CASE WHEN n % 2000 = 0 THEN 'session.redirected' WHEN n % 5 = 0 THEN 'session.failed' ELSE 'session.approved' END`;
    await postgres.query(
      address,
      `INSERT INTO turnpike.events (id, account, subject, type, created_at, body, status, delivery)
        SELECT 'msg_' || n, 'demo', 'cs_' || n, ${types}, '2027', '{}', CASE n % 5 WHEN 0 THEN 'failed' ELSE 'delivered' END,
        '{"status":"delivered","tries":1,"delivered_at":"2027"}' FROM generate_series(1, ${ORDERS}) AS n`,
    );
    await postgres.query(address, 'VACUUM ANALYZE turnpike.events');
    const read = async (): Promise<number> => {
      const text = `SELECT (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int AS blocks
        FROM pg_statio_user_tables WHERE relname = 'events'`;
      return Number((await postgres.query(address, text))[0]?.blocks);
    };
    const before = await read();
    const limit = 5;
    const found = async (filter: Partial<OutboxFilter>): Promise<number> =>
      (await store.outbox.list({ account: 'demo', limit, ...filter })).length;
    for (let page = 0; page < 10; page++) {
      expect(await found({ type: 'session.redirected' })).toBe(limit);
      expect(await found({ type: 'session.paid_twice' })).toBe(0);
      expect(await found({ type: 'session.paid_twice', status: 'delivered' })).toBe(0);
      expect(await found({ type: 'session.paid_twice', status: 'failed' })).toBe(0);
    }
    await store.close();
    await until('the server has told', async () => (await read()) > before);
    // A page of what failed looks at the index of all that did, which has a dozen blocks; the others at a few of theirs.
    expect((await read()) - before).toBeLessThan(500);
  });

  it('forget and list a few rows without reading the others', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const many = `FROM generate_series(1, ${ORDERS}) AS n`;
    // Nine of each are old: more than one purge forgets.
    const time = `CASE WHEN n < 10 THEN '2025' ELSE '2027' END`;
    await postgres.query(
      address,
      `INSERT INTO turnpike.sessions (id, account, order_no, status, version, revision, created_at, expires_at, terms, state)
        SELECT 'cs_' || n, 'demo', n::text, 'expired', 1, 1, ${time}, '2027', '{}', '{}' ${many};
      INSERT INTO turnpike.attempts (id, session_id, account, order_no, started_at, data)
        SELECT 'at_' || n, 'cs_' || n, 'demo', n::text, ${time}, '{}' ${many};
      INSERT INTO turnpike.orders (account, order_no, hold) SELECT 'demo', n::text, 'free' ${many};
      INSERT INTO turnpike.operations (id, account, created_at, version, status, data)
        SELECT 'op_' || n, 'demo', ${time}, 1, 'answered', '{"id":"op_' || n || '"}' ${many};
      INSERT INTO turnpike.refunds SELECT 'op_' || n, 0, 'demo', 'T-' || n, 'BRL', 1, 1, true ${many};
      INSERT INTO turnpike.events (id, account, subject, type, created_at, body, status, delivery)
        SELECT 'msg_' || n, 'demo', 'cs_' || n, 'session.approved', ${time}, '{}', 'delivered', '{}' ${many};
      INSERT INTO turnpike.notifications (subject, sha256, kind, account, received_at, last_at, times, bytes, fields)
        SELECT 'cs_' || n, 'a', 'payment', 'demo', ${time}, ${time}, 1, 1, '{}' ${many};
      INSERT INTO turnpike.audit (account, at, data) SELECT 'demo', ${time}, '{}' ${many};
      INSERT INTO turnpike.audit_terms SELECT account, 'by server', seq FROM turnpike.audit;
      INSERT INTO turnpike.idempotency_keys SELECT 'demo', 'r', n::text, 'f', ${time}, 'cs_' || n, 'a' ${many};
      INSERT INTO turnpike.sign_ins SELECT n::text, 'p', 'c', ${time}, ${time} ${many};
      INSERT INTO turnpike.listed_orders (account, order_no, created_at, terms, summary)
        SELECT 'demo', n::text, n, E'\\nall\\n', '{}' ${many};
      INSERT INTO turnpike.order_terms SELECT account, 'all', created_at, id FROM turnpike.listed_orders;
      INSERT INTO turnpike.operation_terms SELECT 'demo', 'all', 'op_' || n ${many}`,
    );
    await postgres.query(address, 'ANALYZE');
    // A plan for any values is the worst that a server may choose.
    const set = `ALTER DATABASE %I SET plan_cache_mode = force_generic_plan`;
    await postgres.query(address, `DO $$ BEGIN EXECUTE format('${set}', current_database()); END $$`);
    await store.close();
    const read = async (): Promise<Record<string, number>> => {
      const text = `SELECT relname, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables`;
      const rows = await postgres.query(address, text);
      return Object.fromEntries(rows.map((row) => [String(row.relname), Number(row.read)]));
    };
    const added = `SELECT 1 FROM pg_stat_user_tables WHERE relname = 'operation_terms' AND n_tup_ins >= ${ORDERS}`;
    await until('the server has told', async () => (await postgres.query(address, added)).length > 0);
    const before = await read();
    const again = await openPostgres(address);
    const purged = { before: '2026', counted_before: '2026-01-01T00:00:00Z', limit: 5 };
    const kinds = retainedKinds.map((kind) => ({ kind, before: '2026' }));
    expect((await again.retention.overdue(kinds)).size).toBe(6);
    expect(await purgeOnce(again, purged)).toBe(true);
    expect(await purgeOnce(again, purged)).toBe(false);
    expect(await again.retention.purge({ kind: 'keys', before: '2026', limit: 5 })).toMatchObject({ isMore: true });
    expect(await again.people.forgetSignIns('2026', 5)).toBe(true);
    const describe = { order: () => undefined, operation: () => [] };
    for (let times = 0; times < 4; times++) expect(await again.listing.refresh(5, describe)).toBe(5);
    await again.close();
    const isTold = `SELECT 1 FROM pg_stat_user_tables WHERE relname = 'sessions' AND n_tup_del >= 9`;
    await until('the server has told', async () => (await postgres.query(address, isTold)).length > 0);
    const after = await read();
    const whole = Object.entries(after).filter(([name, count]) => count - (before[name] ?? 0) > ORDERS / 10);
    expect(whole).toEqual([]);
  });

  it('forget counted attempts some pages at a time', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const times = `CASE WHEN n % 10 = 0 THEN 2000000000 ELSE 1 END`;
    await postgres.query(
      address,
      `INSERT INTO turnpike.counted SELECT n::text, ${times}, 1 FROM generate_series(1, ${ORDERS}) AS n`,
    );
    const step = { kind: 'counted', before: at(0), limit: 1000 } as const;
    let [purged, steps] = [await store.retention.purge(step), 1];
    while (purged.isMore && steps < 100) {
      purged = await store.retention.purge({ ...step, ...(purged.last ? { after: purged.last } : {}) });
      steps += 1;
    }
    expect(steps).toBeGreaterThan(2);
    expect(steps).toBeLessThan(20);
    const [left] = await postgres.query(address, 'SELECT count(*)::int AS n, min(at)::int AS at FROM turnpike.counted');
    expect(left).toEqual({ n: ORDERS / 10, at: 2_000_000_000 });
    await store.close();
  });

  it('go on past old rows that stay without reading them', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const many = `FROM generate_series(1, ${ORDERS}) AS n`;
    const [time, id] = ["'2025-' || lpad(n::text, 6, '0')", "'cs_' || n"];
    const status = `CASE WHEN n > ${ORDERS - 5} THEN 'expired' ELSE 'unknown' END`;
    await postgres.query(
      address,
      `INSERT INTO turnpike.sessions (id, account, order_no, status, version, revision, created_at, expires_at, terms, state)
        SELECT ${id}, 'demo', n::text, ${status}, 1, 1, ${time}, '2027', '{}', '{}' ${many}`,
    );
    await store.close();
    const [read, told] = ['seq_tup_read + coalesce(idx_tup_fetch, 0)', 'n_tup_ins + n_tup_del'].map(
      (columns) => async (): Promise<number> => {
        const text = `SELECT (${columns})::int AS n FROM pg_stat_user_tables WHERE relname = 'sessions'`;
        return Number((await postgres.query(address, text))[0]?.n);
      },
    );
    await until('the server has told what was added', async () => (await told?.()) === ORDERS);
    const before = (await read?.()) ?? 0;
    const again = await openPostgres(address);
    const walk = { kind: 'sessions', before: '2026', after: [`2025-00${ORDERS - 10}`, `cs_${ORDERS - 10}`] } as const;
    expect(await again.retention.overdue([walk])).toEqual(new Map([['sessions', `2025-00${ORDERS - 4}`]]));
    expect(await again.retention.purge({ ...walk, limit: 50 })).toMatchObject({ isMore: false });
    await again.close();
    await until('the server has told', async () => (await told?.()) === ORDERS + 5);
    expect(((await read?.()) ?? 0) - before).toBeLessThan(100);
  });

  it('count the payments of an hour without reading the others', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
    const newId = createIds(() => new Date(at(60)));
    const id = newId('at').slice('at_00000000'.length);
    // One a minute, with ids as they are made.
    const digits = Array.from({ length: 8 }, (_, n) => {
      const place = 36 ** (7 - n);
      return `substr('0123456789abcdefghijklmnopqrstuvwxyz', (ms / ${place} % 36)::int + 1, 1)`;
    });
    const data = JSON.stringify({ method: 'card', state: { status: 'unknown' } }).slice(1);
    await postgres.query(
      address,
      `INSERT INTO turnpike.attempts (id, session_id, account, order_no, started_at, data)
        SELECT 'at_' || ${digits.join(' || ')} || '${id}', 's', 'demo', n::text, started, '{"started_at":"' || started || '",${data}'
        FROM (SELECT n, ms, to_char(to_timestamp(ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS started
          FROM (SELECT n, ${Date.parse(at(0))} + n * 60000 AS ms FROM generate_series(0::bigint, ${ORDERS - 1}) AS n) AS a) AS b`,
    );
    await postgres.query(address, 'ANALYZE turnpike.attempts');
    const hours = (count: number): string => at(3600 * count);
    const found = await store.stats.get({ account: 'demo', by: 'hour', from: hours(10), to: hours(12) });
    expect(found.periods.map(({ start, payments }) => [start, payments])).toEqual([
      [hours(10), 60],
      [hours(11), 60],
    ]);
    await store.close();
    const read = async (): Promise<{ scans: number; read: number }> => {
      const text = `SELECT seq_scan::int AS scans, coalesce(idx_tup_fetch, 0)::int AS read FROM pg_stat_user_tables
        WHERE relname = 'attempts'`;
      const [row] = await postgres.query(address, text);
      return { scans: Number(row?.scans), read: Number(row?.read) };
    };
    await until('the server has told', async () => (await read()).read > 0);
    // What began within a minute of the two hours is looked at, too.
    expect((await read()).read).toBeLessThan(130);
    const again = await openPostgres(address);
    const days = { account: 'demo', by: 'day', from: at(0), to: at(8 * 86_400) } as const;
    expect((await again.stats.get(days)).total).toMatchObject({ payments: ORDERS, outcomes: { unknown: ORDERS } });
    while (await again.stats.refresh(at(9 * 86_400)));
    await again.close();
    const connections = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'turnpike%'`;
    const ended = async (): Promise<boolean> => (await postgres.query(address, connections)).length === 0;
    await until('the server has told', ended);
    const counted = (await read()).read;
    const tallied = await openPostgres(address);
    expect((await tallied.stats.get(days)).total).toMatchObject({
      payments: ORDERS,
      outcomes: { unknown: ORDERS },
    });
    await tallied.close();
    await until('the server has told', ended);
    expect((await read()).read).toBe(counted);
  });
});

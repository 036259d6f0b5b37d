import { Client } from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { at, attempt, moved, operation, processing, refund, session } from '../../../test/store/fixtures.ts';
import { sharedPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { until } from '../../../test/support/time/until.ts';
import { createIds } from '../../base/ids.ts';
import type { Store } from '../store.ts';
import { openPostgres } from './open.ts';

const HOUR = 3600;
const now = at(30 * HOUR);
const id = createIds(() => new Date(at(2 * HOUR)))('at');

const paymentsOf = async (store: Store): Promise<number> =>
  (await store.stats.get({ account: 'demo', by: 'day', from: at(0), to: at(24 * HOUR) })).total.payments;

async function refreshAll(store: Store): Promise<void> {
  while (await store.stats.refresh(now));
}

describe('tallies on PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  const open = async (address: string): Promise<Store> => {
    const store = await openPostgres(address);
    onTestFinished(() => store.close());
    return store;
  };

  /** A transaction that has written an attempt of an hour that is over, and is not committed. */
  const writing = async (address: string): Promise<Client> => {
    const client = new Client({ connectionString: address });
    await client.connect();
    onTestFinished(() => client.end());
    const data = JSON.stringify(attempt(id, session('cs_1'), { started_at: at(2 * HOUR) }));
    await client.query('BEGIN');
    await client.query(
      'INSERT INTO turnpike.attempts (id, session_id, account, order_no, started_at, data) VALUES ($1, $2, $3, $4, $5, $6)',
      [...[id, 'cs_1', 'demo', 'A', at(2 * HOUR), data]],
    );
    return client;
  };

  it('are built after payments that began before change tracking have ended', async () => {
    const address = await postgres.database();
    const [store, second] = [await open(address), await open(address)];
    const client = await writing(address);
    let isDone = false;
    const refreshed = Promise.all([refreshAll(store), refreshAll(second)]).then(() => {
      isDone = true;
    });
    const span = 'SELECT since, until, claimed FROM turnpike.stats_span';
    await until('changes are noted', async () => (await postgres.query(address, span)).length > 0);
    expect(isDone).toBe(false);
    expect(await postgres.query(address, span)).toMatchObject([{ since: at(29 * HOUR), until: at(29 * HOUR) }]);
    await client.query('COMMIT');
    await refreshed;
    // A relay stops if the other one was faster.
    await refreshAll(store);
    expect(await postgres.query(address, span)).toMatchObject([{ since: '', until: at(29 * HOUR) }]);
    expect(await paymentsOf(store)).toBe(1);
  });

  it('are right while a change is committed late', async () => {
    const address = await postgres.database();
    const store = await open(address);
    await refreshAll(store);
    const client = await writing(address);
    const other = await processing(store, 'cs_2');
    await moved(store, other, other.state, ({ attempts }) => ({
      attempts: [
        ...attempts,
        attempt(createIds(() => new Date(at(2 * HOUR)))('at'), other, { started_at: at(2 * HOUR) }),
      ],
    }));
    await Promise.all([refreshAll(store), paymentsOf(store), client.query('COMMIT')]);
    expect(await paymentsOf(store)).toBe(2);
    await refreshAll(store);
    expect(await paymentsOf(store)).toBe(2);
  });

  it('are made by two relays at once, and read by both', async () => {
    const address = await postgres.database();
    const [store, second] = [await open(address), await open(address)];
    const one = operation('op_1', { created_at: at(2 * HOUR) });
    await store.operations.begin(one, [refund(100n)]);
    await Promise.all([refreshAll(store), refreshAll(second)]);
    await refreshAll(store);
    const asked = { account: 'demo', by: 'hour', from: at(2 * HOUR), to: at(3 * HOUR) } as const;
    for (const each of [store, second]) {
      expect((await each.stats.get(asked)).total.refunds).toEqual([{ currency: 'BRL', count: 1, amount: '1.00' }]);
    }
    const [row] = await postgres.query(address, 'SELECT count(*)::int AS tallies FROM turnpike.stats_tallies');
    expect(row).toEqual({ tallies: 2 });
  });
});

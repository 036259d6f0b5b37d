import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answered, at, nextOperation, operation, refund, session, starting } from '../../../test/store/fixtures.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { until } from '../../../test/support/time/until.ts';
import { StoreError } from '../../base/errors.ts';
import type { Quota } from '../../payments/attempt.ts';
import { emptyOrder } from '../../payments/order.ts';
import type { Store } from '../store.ts';
import { openPostgres } from './open.ts';

const quota: Quota = { name: 'card', key: 'a card', max: 1, window_ms: 60_000 };

/** SQL that shifts the server's clock: this function is found before the built-in one. */
const clock = (
  seconds: number,
): string => `CREATE OR REPLACE FUNCTION skew.clock_timestamp() RETURNS timestamptz LANGUAGE sql
  AS 'SELECT pg_catalog.clock_timestamp() + interval ''${seconds} s'''`;

/** Changes that must not take effect. Each is of another order or operation. */
const changes = (store: Store) => [
  store.orders.write({
    ...starting(emptyOrder('demo', 'late'), session('cs_late', 'late'), 'at_late'),
    quotas: { counted: [quota], at: at(0) },
  }),
  store.operations.begin(operation('op_late', { name: 'payout', request_id: 'r-late' }), []),
  store.operations.finish({ operation: nextOperation(operation('op_1'), answered), counted: [false], events: [] }),
];

/** Waits until the server works on none of them, and checks that none took effect. */
async function madeNothing(postgres: TestPostgres, address: string): Promise<void> {
  const text = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'turnpike'`;
  await until('the server has ended them', async () => (await postgres.query(address, text)).length === 0);
  const store = await openPostgres(address);
  onTestFinished(() => store.close());
  expect(await store.orders.get('demo', 'late')).toEqual(emptyOrder('demo', 'late'));
  expect(await store.quotas.check([quota], at(1))).toBeUndefined();
  expect(await store.operations.get('op_late')).toBeUndefined();
  const payout = operation('op_2', { name: 'payout', request_id: 'r-late' });
  expect(await store.operations.begin(payout, [])).toEqual({ kind: 'begun' });
  expect(await store.operations.get('op_1')).toEqual(operation('op_1'));
  expect(await store.operations.begin(operation('op_3'), [refund(1n)])).toMatchObject({ left: 0n });
}

describe('a change on PostgreSQL that was reported as not made', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  beforeEach(() => postgres.start());
  afterAll(() => postgres?.close());

  /** A store on a server whose clock is off, with an operation and with connections for several changes at once. */
  const open = async (seconds: number) => {
    const address = await postgres.database();
    const name = new URL(address).pathname.slice(1);
    await postgres.query(address, 'CREATE SCHEMA skew');
    await postgres.query(address, clock(seconds));
    await postgres.query(address, `ALTER DATABASE ${name} SET search_path = skew, pg_catalog, public`);
    const store = await openPostgres(address);
    onTestFinished(() => store.close());
    await Promise.all(Array.from({ length: 5 }, (_, i) => store.sessions.create(session(`cs_${i}`, `${i}`))));
    // It asks for the clock.
    await store.operations.begin(operation('op_1'), [refund(1000n)]);
    return { address, store };
  };

  it('is not made when a hung server resumes, whatever its clock', async () => {
    const stores = await Promise.all([0, 3600, -3600].map(open));
    postgres.pause();
    try {
      const results = await Promise.allSettled(stores.flatMap(({ store }) => changes(store)));
      for (const result of results) expect(result).toMatchObject({ reason: expect.any(StoreError) });
    } finally {
      postgres.resume();
    }
    await Promise.all(stores.map(({ store }) => store.close()));
    for (const { address } of stores) await madeNothing(postgres, address);
  });

  it('is not made by a server that is too slow', async () => {
    const { address, store } = await open(0);
    await postgres.query(
      address,
      `CREATE FUNCTION turnpike.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_sleep(5.5) WHERE row(new)::text LIKE '%late%' OR row(new)::text LIKE '%answered%'; RETURN new; END $$;
      CREATE TRIGGER slow AFTER INSERT ON turnpike.attempts FOR EACH ROW EXECUTE FUNCTION turnpike.slow();
      CREATE TRIGGER slow AFTER INSERT OR UPDATE ON turnpike.operations FOR EACH ROW EXECUTE FUNCTION turnpike.slow()`,
    );
    const results = await Promise.allSettled(changes(store));
    for (const result of results) expect(result).toMatchObject({ reason: expect.any(StoreError) });
    await postgres.query(address, 'DROP FUNCTION turnpike.slow CASCADE');
    await store.close();
    await madeNothing(postgres, address);
  });

  it.each([3600, -3600])('does not occur after the server’s clock was set by %d s', async (seconds) => {
    const { address, store } = await open(0);
    expect(await store.operations.begin(operation('op_2'), [])).toEqual({ kind: 'begun' });
    await postgres.query(address, clock(seconds));
    const all = Array.from({ length: 20 }, (_, i) => store.operations.begin(operation(`op_${i}_`), []));
    for (const begun of await Promise.all(all)) expect(begun).toEqual({ kind: 'begun' });
  });
});

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { operation, session, starting } from '../../../test/store/fixtures.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { until } from '../../../test/support/time/until.ts';
import { StoreError } from '../../base/errors.ts';
import { emptyOrder } from '../../payments/order.ts';
import { openPostgres } from './open.ts';

/** Ends the wait of commits for a standby, as an operator may: the server goes on with them, and only warns. */
const STOP_WAITING = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

describe('a commit that no synchronous standby has', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  /** A store on a server whose commits wait for a standby that is not there, opened by a role; `present` ends that. */
  const open = async (role?: string) => {
    const address = await postgres.database();
    const given = new URL(address);
    if (role) given.username = role;
    const store = await openPostgres(given.href);
    onTestFinished(() => store.close());
    const waitFor = async (standby: string) => {
      await postgres.query(address, `ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
      await postgres.query(address, 'SELECT pg_reload_conf()');
      await until('the server has the setting', async () => {
        const [row] = await postgres.query(address, 'SHOW synchronous_standby_names');
        return row?.synchronous_standby_names === standby;
      });
    };
    await store.check();
    await waitFor('gone');
    return { address, store, present: () => waitFor('') };
  };

  it('is not reported as durable', async () => {
    const { address, store, present } = await open();
    for (const change of [
      () => store.check(),
      () => store.orders.write(starting(emptyOrder('demo', 'a'), session('cs_a', 'a'), 'at_a')),
      () => store.operations.begin(operation('op_a'), []),
    ]) {
      const ended = change().then(
        () => 'durable',
        (error: unknown) => error,
      );
      await until('it no longer waits', async () => (await postgres.query(address, STOP_WAITING)).length > 0);
      expect(await ended).toBeInstanceOf(StoreError);
    }
    await present();
    await store.check();
  });

  it('is not reported as durable after the timeout of its role', async () => {
    // A role of its own: the test's own statements have no timeout.
    const { password, href } = new URL(await postgres.database());
    await postgres.query(href, `CREATE ROLE hurried SUPERUSER LOGIN PASSWORD '${password}'`);
    await postgres.query(href, "ALTER ROLE hurried SET statement_timeout = '1 s'");
    const { store, present } = await open('hurried');
    await expect(store.operations.begin(operation('op_b'), [])).rejects.toBeInstanceOf(StoreError);
    // It was committed: on this server alone.
    expect(await store.operations.get('op_b')).toEqual(operation('op_b'));
    await present();
  });
});

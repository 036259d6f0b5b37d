import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { until } from '../../../test/support/time/until.ts';
import { StoreError } from '../../base/errors.ts';
import { emptyOrder } from '../../payments/order.ts';
import { operation, session, starting } from '../behaviour/fixtures.ts';
import { openPostgres } from './open.ts';

/** Ends the wait of commits for a standby, as `statement_timeout` does too: the server goes on with them, and only warns. */
const STOP_WAITING = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";

describe('a commit that no synchronous standby has', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  it('is not told as durable', async () => {
    const address = await postgres.database();
    const store = await openPostgres(address);
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
    for (const change of [
      () => store.check(),
      () => store.writeOrder(starting(emptyOrder('demo', 'a'), session('cs_a', 'a'), 'at_a')),
      () => store.beginOperation(operation('op_a'), []),
    ]) {
      const ended = change().then(
        () => 'durable',
        (error: unknown) => error,
      );
      await until('it no longer waits', async () => (await postgres.query(address, STOP_WAITING)).length > 0);
      expect(await ended).toBeInstanceOf(StoreError);
    }
    await waitFor('');
    await store.check();
  });
});

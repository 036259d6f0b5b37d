import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/support/stores/postgres.ts';
import { moved, processing, unknown } from '../behaviour/fixtures.ts';
import type { Lease, Store } from '../store.ts';
import { openPostgres } from './open.ts';

const MINUTE = 60_000;

/** So many milliseconds from now, by the clock of a relay that is ahead by so much. */
const at = (ms: number, ahead = 0): string => new Date(Date.now() + ahead + ms).toISOString();
const lease = (ahead = 0): Lease => ({ now: at(0, ahead), until: at(MINUTE, ahead), limit: 10 });

describe('relays whose clocks differ, on PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  /** A store with an order that was planned by a clock that is ahead by so much. */
  async function planned(wait: number, ahead: number): Promise<Store> {
    const store = await openPostgres(await postgres.database(), 'server');
    onTestFinished(() => store.close());
    const plan = { next_query_at: at(wait, ahead), planned_at: at(0, ahead) };
    await moved(store, await processing(store, 'A'), unknown('at_A'), () => plan);
    return store;
  }
  const due = async (store: Store, ahead = 0) =>
    (await store.leaseDueOrders(lease(ahead), ['demo'], at(-2000, ahead))).map(({ order_no }) => order_no);

  it.each([15 * MINUTE, -15 * MINUTE])('keep what one leased from another that is ahead by %i ms', async (ahead) => {
    const store = await planned(0, 0);
    expect(await due(store)).toEqual(['A']);
    expect(await due(store, ahead)).toEqual([]);
    const key = { account: 'demo', order_no: 'A' };
    expect(await store.leaseOrder(key, lease(ahead), at(-2000, ahead))).toMatchObject({ kind: 'wait' });
  });

  it.each([15 * MINUTE, -15 * MINUTE])('ask in time what one planned that was ahead by %i ms', async (ahead) => {
    const soon = await planned(0, ahead);
    expect(await due(soon)).toEqual(['A']);
    const later = await planned(10 * MINUTE, ahead);
    expect(await due(later)).toEqual([]);
    expect(await due(later, ahead)).toEqual([]);
  });
});

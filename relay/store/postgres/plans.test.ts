import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { until } from '../../../test/support/until.ts';
import { delivered, event } from '../behaviour/fixtures.ts';
import { openPostgres } from './open.ts';

const EVENTS = 200;

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
    for (const name of names) await store.addEvents([event(name)]);
    for (const name of names.slice(0, 20)) await store.updateEvent(event(name), delivered);
    expect(await store.redeliverEvent('demo', 'e_0', event('e_0').created_at)).toMatchObject({ kind: 'redelivered' });
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
});

import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../event.ts';
import type { EventFilter, Store } from '../store.ts';
import { openSqlite } from './open.ts';

const at = '2026-03-01T12:00:00.000Z';

/** A store with so many webhooks of one account, each of its own subject, all of them delivered. */
async function storeWith(events: number): Promise<Store> {
  const store = openSqlite(':memory:');
  const written = Array.from(
    { length: events },
    (_, n): NewEvent => ({
      id: `msg_${n}`,
      account: 'demo',
      subject: `cs_${n}`,
      type: 'session.approved',
      created_at: at,
      body: JSON.stringify({ data: 'x'.repeat(500) }),
    }),
  );
  await store.addEvents(written);
  await Promise.all(
    written.map((event) => store.updateEvent(event, { status: 'delivered', tries: 1, delivered_at: at })),
  );
  return store;
}

/** The least that a list takes, in milliseconds: nothing else that the machine does is in it. */
async function costOf(store: Store, filter: Partial<EventFilter>): Promise<number> {
  const took: number[] = [];
  for (let times = 0; times < 31; times++) {
    const start = performance.now();
    await store.listEvents({ account: 'demo', limit: 20, ...filter });
    took.push(performance.now() - start);
  }
  return Math.min(...took);
}

describe('the list of webhooks in SQLite', () => {
  it.each<[string, Partial<EventFilter>]>([
    ['all', {}],
    ['what was given up', { status: 'failed' }],
    ['what waits', { status: 'pending' }],
    ['a type that none has', { type: 'session.paid_twice' }],
    ['what was delivered of a type that none has', { type: 'session.paid_twice', status: 'delivered' }],
    ['what is about one session', { subject: 'cs_5' }],
    ['what was given up of one session', { subject: 'cs_5', status: 'failed' }],
    ['what is older than another', { before: 'msg_30' }],
  ])('finds %s without reading every webhook', async (_, filter) => {
    const [few, many] = [await storeWith(100), await storeWith(10_000)];
    expect(await costOf(many, filter)).toBeLessThan(10 * (await costOf(few, filter)) + 0.5);
    await Promise.all([few.close(), many.close()]);
  });
});

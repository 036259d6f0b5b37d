import { describe, expect, it } from 'vitest';
import { sent } from '../../../test/store/fixtures.ts';
import { countedStore } from '../../../test/support/stores/sqlite-steps.ts';
import type { NewEvent, OutboxFilter } from '../facets/outbox.ts';

const at = '2026-03-01T12:00:00.000Z';

/** So many webhooks of an account, each of its own subject. */
const webhooks = (account: string, prefix: string, events: number): NewEvent[] =>
  Array.from({ length: events }, (_, n) => ({
    ...{ id: `msg_${prefix}${n}`, account, subject: `cs_${prefix}${n}` },
    ...{ type: 'session.approved', created_at: at, body: '{}', endpoints: ['default'] },
  }));

/** A store in which so many webhooks of one account wait, and then as many of another. */
async function storeWith(events: number) {
  const counted = countedStore();
  const written = [...webhooks('demo', '', events), ...webhooks('other', 'other_', events)];
  await counted.store.outbox.add(written);
  return { ...counted, written };
}

/** The steps of a list in a store with so many webhooks, all of them delivered. */
async function costOf(events: number, filter: Partial<OutboxFilter>): Promise<number> {
  const { store, steps, written } = await storeWith(events);
  await Promise.all(
    written.map((event) =>
      store.outbox.writeDelivery(sent(event), { status: 'delivered', tries: 1, delivered_at: at }),
    ),
  );
  return steps(() => store.outbox.list({ account: 'demo', limit: 20, ...filter }));
}

describe('the list of webhooks in SQLite', () => {
  it.each<[string, Partial<OutboxFilter>]>([
    ['all', {}],
    ['what was given up', { status: 'failed' }],
    ['what a person acknowledged', { status: 'acknowledged' }],
    ['what waits', { status: 'pending' }],
    ['a type that none has', { type: 'session.paid_twice' }],
    ['what was delivered of a type that none has', { type: 'session.paid_twice', status: 'delivered' }],
    ['what is about one session', { subject: 'cs_5' }],
    ['what was given up of one session', { subject: 'cs_5', status: 'failed' }],
    ['what is older than another', { before: 'msg_30' }],
  ])('finds %s without reading every webhook', async (_, filter) => {
    const few = await costOf(100, filter);
    expect(few).toBeGreaterThan(0);
    expect(await costOf(2000, filter)).toBe(few);
  });
});

describe('the outbox in SQLite', () => {
  it('is polled at the same cost, however many webhooks wait', async () => {
    const cost = async (events: number): Promise<number> => {
      const { store, steps } = await storeWith(events);
      return steps(async () => expect(await store.outbox.leaseDue('demo', 'default', at, '9999', 8)).toHaveLength(8));
    };
    const few = await cost(100);
    expect(few).toBeGreaterThan(0);
    expect(await cost(2000)).toBe(few);
  });
});

import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  declinedOf,
  lost,
  record,
  type Story,
  session,
  story,
} from '../../test/support/payments/sessions.ts';
import { testContext } from '../../test/support/stores/context.ts';
import type { NewEvent } from '../store/facets/outbox.ts';
import { sessionEvents } from './commit.ts';

const webhook = { url: 'https://shop.example/webhooks', secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`] };

const paid = (transaction_id = 'T1'): Story => {
  const of = story();
  of.pay('at_1', { card: '411111******1111' });
  of.answer('at_1', approvedBy(transaction_id, 'R1'));
  return of;
};

const contextAt = (now: Date) => testContext({ account: { webhook }, now: () => now });

/** The webhooks of everything that happened to an order so far. */
async function eventsOf(of: Story): Promise<NewEvent[]> {
  return sessionEvents(await contextAt(of.now()), { order: of.order(), events: of.events });
}

const dataOf = (event: NewEvent | undefined): Record<string, unknown> => JSON.parse(event?.body ?? '{}').data;

describe('the webhooks of a session', () => {
  it('are those that the order’s change causes, in their order', async () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', lost);
    of.absent();
    of.pay('at_2');
    of.answer('at_2', approvedBy('T2'));
    of.query(record('T1', '3000'), record('T2', '3000'));
    expect((await eventsOf(of)).map(({ type }) => type)).toEqual([
      'session.unknown',
      'session.declined',
      'session.approved',
      'session.paid_twice',
    ]);
  });

  it('are kept for an account that the configuration left out', async () => {
    const of = paid();
    const context = await contextAt(of.now());
    const without = { ...context, config: { ...context.config, accounts: [] } };
    const events = sessionEvents(without, { order: of.order(), events: of.events });
    expect(events.map(({ type }) => type)).toEqual(['session.approved']);
  });

  it('carry the session as the shop sees it', async () => {
    const of = paid();
    const [event] = await eventsOf(of);
    const now = of.now().toISOString();
    expect(event).toMatchObject({ account: 'demo', subject: 'cs_1', created_at: now });
    expect(event?.id).toMatch(/^msg_[\w-]{32}$/);
    expect(JSON.parse(event?.body ?? '')).toEqual({
      type: 'session.approved',
      timestamp: now,
      data: expect.objectContaining({
        id: 'cs_1',
        status: 'approved',
        order_no: 'A',
        amount: '10.00',
        transaction_id: 'T1',
        recurring_id: 'R1',
        attempts: [expect.objectContaining({ id: 'at_1', status: 'approved', card: '411111******1111' })],
      }),
    });
    expect(dataOf(event)).not.toHaveProperty('late');
  });

  it('say why a session ended unpaid', async () => {
    for (const reason of ['absent', 'declined'] as const) {
      const of = story();
      of.pay();
      of.answer('at_1', lost);
      of.absent(...(reason === 'declined' ? [record('T1', '4100')] : []));
      expect(dataOf((await eventsOf(of)).at(-1))).toMatchObject({ status: 'open', reason });
    }
  });

  it('say `late` for a payment of a session that was over', async () => {
    const of = story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } })] });
    of.pay();
    of.answer('at_1', declinedOf());
    of.query(record('T1', '3000'));
    expect(dataOf((await eventsOf(of)).at(-1))).toMatchObject({ status: 'approved', late: true });
  });

  it('carry the amount that was paid, and that the order changed', async () => {
    const of = paid();
    const [one] = of.order().sessions;
    if (!one) throw new Error('no session');
    const terms = { ...one.terms, order: { ...one.terms.order, amount: '20.00' } };
    const order = { ...of.order(), sessions: [{ ...one, revision: 2, terms }] };
    const [event] = sessionEvents(await contextAt(of.now()), { order, events: of.events });
    expect(dataOf(event)).toMatchObject({ amount: '10.00', order_changed: true });
    expect(dataOf((await eventsOf(of))[0])).not.toHaveProperty('order_changed');
  });

  it('name both transactions of an order that is paid twice', async () => {
    const of = paid();
    of.query(record('T1', '3000'), record('T2', '3000'));
    expect(dataOf((await eventsOf(of)).at(-1))).toMatchObject({
      transaction_ids: ['T1', 'T2'],
      paid_twice: ['T1', 'T2'],
    });
  });

  it('report a second payment under one id once', async () => {
    const idOf = async (of: Story) => (await eventsOf(of)).find(({ type }) => type === 'session.paid_twice')?.id;
    const found = paid();
    found.query(record('T1', '3000'), record('T2', '3000'));
    const answered = paid('T2');
    answered.query(record('T1', '3000'), record('T2', '3000'));
    const other = paid();
    other.query(record('T1', '3000'), record('T3', '3000'));
    const again = paid();
    again.query(record('T2', '3000'));
    expect(await idOf(found)).toMatch(/^msg_/);
    expect(await idOf(again)).toBe(await idOf(found));
    expect(await idOf(other)).not.toBe(await idOf(found));
    expect(await idOf(answered)).toMatch(/^msg_/);
  });

  it('are for no endpoint of an account without one', async () => {
    const of = paid();
    const events = sessionEvents(await testContext(), { order: of.order(), events: of.events });
    expect(events).toMatchObject([{ type: 'session.approved', endpoints: [] }]);
  });
});

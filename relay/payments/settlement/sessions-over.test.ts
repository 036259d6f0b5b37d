import { describe, expect, it } from 'vitest';
import {
  DAY,
  HOUR,
  lost,
  record,
  SECOND,
  type Story,
  session,
  story,
} from '../../../test/support/payments/sessions.ts';

const odd = record('T1', '3000', { amount: '9.90' });
const unlisted = record('T1', '77');
const pending = record('T1', '1000');

/** An order whose only session ended unpaid an hour ago. */
function ended(): Story {
  const of = story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } })] });
  of.pay();
  of.answer('at_1', lost);
  of.pass(5 * SECOND);
  of.absent();
  of.events.length = 0;
  of.pass(HOUR);
  return of;
}

describe('an order that a record holds though its sessions are over', () => {
  it('needs a person at once where only one can decide', () => {
    const of = ended();
    of.query(odd);
    expect(of.order().hold).toBe('held');
    expect(of.state()).toMatchObject({ status: 'failed', needs_attention: true });
    expect(of.events).toEqual([{ type: 'session.failed', session_id: 'cs_1' }]);
    of.query(odd);
    expect(of.events).toHaveLength(1);
  });

  it('needs a person when the relay gives up', () => {
    const of = ended();
    of.query(unlisted);
    of.pass(DAY - SECOND);
    of.query(unlisted);
    expect(of.events).toEqual([]);
    of.pass(SECOND);
    of.queryFails();
    expect(of.state()).toMatchObject({ status: 'failed', needs_attention: true });
  });

  it('needs a person when a payment is pending after its session ends', () => {
    const of = ended();
    of.query(pending);
    expect(of.events).toEqual([]);
    of.pass(DAY);
    of.query(pending);
    expect(of.state()).toMatchObject({ status: 'failed', needs_attention: true });
  });

  it('needs no person once that is gone, declined, settled or paid', () => {
    const ways: [how: (of: Story) => unknown, told: object][] = [
      [(of) => of.absent(), { type: 'session.failed', reason: 'absent' }],
      [(of) => of.query(record('T1', '4100')), { type: 'session.failed' }],
      [(of) => of.person({ outcome: 'not_paid' }), { type: 'session.failed', reason: 'settled' }],
      [(of) => of.query(record('T1', '3000')), { type: 'session.approved', late: true }],
    ];
    for (const [how, told] of ways) {
      const of = ended();
      of.query(odd);
      how(of);
      expect(of.state()).not.toHaveProperty('needs_attention');
      expect(of.events.at(-1)).toMatchObject(told);
    }
  });

  it('is reported by an open session instead, if there is one', () => {
    for (const [seen, status] of [
      [odd, 'unknown'],
      [unlisted, 'unknown'],
      [pending, 'pending'],
    ] as const) {
      const of = ended();
      of.add(session('cs_2', { expires_at: new Date(of.now().getTime() + DAY).toISOString() }));
      of.query(seen);
      expect(of.status('cs_1')).toBe('failed');
      expect(of.status('cs_2')).toBe(status);
    }
  });
});

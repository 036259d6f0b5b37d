import { describe, expect, it } from 'vitest';
import type { SessionStatus } from '../../shared/checkout/status.ts';
import { attempt, orderWith, session } from '../../test/support/payments/sessions.ts';
import { emptyOrder, type OrderHold, type StoredOrder } from './order.ts';
import type { SessionState } from './session.ts';
import {
  holdOf,
  moveSession,
  startDecision,
  transitionOf,
  transitions,
  withAttempt,
  withOrder,
} from './transitions.ts';

const statuses: SessionStatus[] = [
  'open',
  'processing',
  'redirected',
  'pending',
  'unknown',
  'approved',
  'failed',
  'expired',
];
const search = { since: '2026-01-01T12:00:00.000Z', looks: 0, needs_attention: false };

/** Some state of each status. */
const states: { [status in SessionStatus]: SessionState } = {
  open: { status: 'open' },
  processing: { status: 'processing', attempt_id: 'at_1' },
  redirected: { status: 'redirected', attempt_id: 'at_1' },
  pending: { status: 'pending', attempt_id: 'at_1', search },
  unknown: { status: 'unknown', attempt_id: 'at_1', search: { ...search, reason: 'timeout' } },
  approved: { status: 'approved', attempt_id: 'at_1', transaction_id: 'T1' },
  failed: { status: 'failed' },
  expired: { status: 'expired' },
};

describe('the table of transitions', () => {
  it('names each edge once', () => {
    const names = transitions.map(({ from, cause, to }) => `${from} ${cause} ${to}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('leads to every state from an open session', () => {
    const reached = new Set<SessionStatus>(['open']);
    for (let before = 0; before < reached.size; ) {
      before = reached.size;
      for (const { from, to } of transitions) if (reached.has(from)) reached.add(to);
    }
    expect([...reached].toSorted()).toEqual(statuses.toSorted());
  });

  it('leaves an approved session approved', () => {
    expect(transitions.filter(({ from }) => from === 'approved').map(({ to }) => to)).toEqual([
      'approved',
      'approved',
      'approved',
    ]);
  });

  it('lets every state yield to a proven payment', () => {
    for (const from of statuses) {
      for (const cause of ['record_approved', 'answer_approved'] as const) {
        expect(transitionOf(from, cause, 'approved')).toMatchObject({ webhook: 'session.approved', lock: 'paid' });
      }
    }
  });

  it('leaves a session that is over for a payment alone', () => {
    for (const over of ['failed', 'expired'] as const) {
      const left = transitions.filter(({ from, to }) => from === over && to !== over);
      expect(new Set(left.map(({ to }) => to))).toEqual(new Set(['approved']));
    }
  });

  it('has a webhook for moves into and out of undecided states', () => {
    for (const { to, webhook } of transitions) {
      if (to === 'unknown') expect(webhook).toBe('session.unknown');
      if (to === 'pending') expect(webhook).toBe('session.pending');
    }
    for (const from of ['unknown', 'pending'] as const) {
      for (const cause of ['record_declined', 'absent', 'abandoned', 'person_not_paid'] as const) {
        expect(transitionOf(from, cause, 'open').webhook).toBe('session.declined');
        expect(transitionOf(from, cause, 'failed').webhook).toBe('session.failed');
        expect(transitionOf(from, cause, 'expired').webhook).toBe('session.expired');
      }
    }
  });

  it('holds the order while undecided, and releases it unpaid', () => {
    for (const { to, lock } of transitions) {
      if (to === 'approved') expect(lock).toBe('paid');
      if (['processing', 'redirected', 'pending', 'unknown'].includes(to)) expect(lock).toBe('held');
      if (to === 'open') expect(lock).toBe('released');
    }
  });

  it('releases the order when the session that held it ends unpaid', () => {
    for (const { from, cause, to, lock } of transitions.filter(({ to }) => to === 'failed' || to === 'expired')) {
      const isOver = from === 'failed' || from === 'expired';
      const ended = cause === 'order_paid' ? 'paid' : from === 'open' ? 'none' : 'released';
      expect(lock, `${from} ${cause} ${to}`).toBe(isOver ? 'none' : ended);
    }
  });

  it('is what every move takes, with its webhook', () => {
    for (const { from, cause, to, webhook } of transitions) {
      const before = startDecision(orderWith({ sessions: [session('cs_1', { state: states[from] })] }));
      const { order, events } = moveSession(before, 'cs_1', states[to], cause);
      expect(order.sessions[0]?.state).toEqual(states[to]);
      expect(events).toEqual(webhook === undefined ? [] : [{ type: webhook, session_id: 'cs_1' }]);
    }
  });

  it('refuses a move that it does not have', () => {
    expect(() => transitionOf('approved', 'record_approved', 'open')).toThrow(TypeError);
    const paid = startDecision(orderWith({ sessions: [session('cs_1', { state: states.approved })] }));
    expect(() => moveSession(paid, 'cs_1', states.failed, 'order_paid')).toThrow(TypeError);
  });

  it('forgets what the shopper filled in with the last state', () => {
    const filled = { first_name: 'Ada' };
    for (const { from, cause, to } of transitions) {
      const before = session('cs_1', { terms: { ...session().terms, filled }, state: states[from] });
      const { order } = moveSession(startDecision(orderWith({ sessions: [before] })), 'cs_1', states[to], cause);
      const isKept = !['approved', 'failed', 'expired'].includes(to);
      expect(order.sessions[0]?.terms, `${from} ${cause} ${to}`).toStrictEqual(isKept ? before.terms : session().terms);
    }
  });
});

describe('who holds an order', () => {
  const unsettled = attempt('at_1', { state: { status: 'pending', since: search.since } });
  const settled = attempt('at_2', { state: { status: 'not_paid', reason: 'absent' } });
  const undecided = { reason: 'pending', since: search.since, records: [] } as const;

  it.each<[string, Partial<StoredOrder>, OrderHold]>([
    ['nothing', {}, 'free'],
    ['nothing after attempts that ended', { attempts: [settled] }, 'free'],
    ['an attempt that is unsettled', { attempts: [settled, unsettled] }, 'held'],
    ['a record that is undecided', { attempts: [settled], undecided }, 'held'],
    ['a payment, whatever else', { attempts: [unsettled], undecided, wasPaid: true }, 'paid'],
  ])('is %s', (_, order, hold) => {
    expect(holdOf({ ...emptyOrder('demo', 'A'), ...order })).toBe(hold);
    expect(withOrder(startDecision(emptyOrder('demo', 'A')), order).order.hold).toBe(hold);
  });

  it('follows from each change of an attempt', () => {
    const before = startDecision(orderWith({ attempts: [settled, unsettled] }));
    const { order, events } = withAttempt(before, { ...unsettled, state: settled.state });
    expect(order).toMatchObject({ hold: 'free', attempts: [settled, { id: 'at_1', state: settled.state }] });
    expect(events).toBe(before.events);
  });
});

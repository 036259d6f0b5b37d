import { describe, expect, it } from 'vitest';
import {
  attempt,
  lost,
  MINUTE,
  moment,
  orderWith,
  record,
  result,
  rules,
  SECOND,
  session,
  story,
  toIssuer,
} from '../../test/support/payments/sessions.ts';
import { away, pending, two, unanswered } from '../../test/support/payments/stories.ts';
import type { AttemptState } from './attempt.ts';
import type { StoredOrder } from './order.ts';
import { abandonAwaited, canAbandon, isConfirming, shopperReturned, startAttempt } from './session-steps.ts';

const since = moment(0).toISOString();
const redirected: AttemptState = { status: 'redirected', issuer_url: 'https://issuer.example/' };
const waiting: AttemptState = { status: 'pending', since };

describe('the start of an attempt', () => {
  it('brings a new session, or what was filled in', () => {
    const filled = session('cs_1', { terms: { ...session().terms, filled: { first_name: 'Ada' } } });
    const before = orderWith({ sessions: [session('cs_0'), session('cs_1')] });
    const { order, events } = startAttempt(before, filled, attempt(), rules);
    expect(order.sessions).toEqual([
      session('cs_0'),
      { ...filled, state: { status: 'processing', attempt_id: 'at_1' } },
    ]);
    expect(order.attempts).toEqual([attempt()]);
    expect(order).toMatchObject({ hold: 'held', next_query_at: moment(rules.orphanedMs).toISOString() });
    expect(events).toEqual([]);
    const created = startAttempt(orderWith({ sessions: [session('cs_0')] }), filled, attempt(), rules);
    expect(created.order.sessions.map(({ id }) => id)).toEqual(['cs_0', 'cs_1']);
  });
});

describe('a shopper who is back', () => {
  it('is noted once, for the session that they left', () => {
    const of = away(two());
    expect(shopperReturned(of.order(), of.now(), rules, 'cs_2')).toBeUndefined();
    const decision = shopperReturned(of.order(), of.now(), rules, 'cs_1');
    expect(decision?.order.attempts[0]).toMatchObject({
      clear: { queries: 0, waited_ms: 0, seen: [] },
      state: { ...redirected, returned_at: of.now().toISOString() },
    });
    expect(decision?.order.next_query_at).toBe(of.now().toISOString());
    expect(of.returned()).toBe(true);
    of.pass(SECOND);
    expect(of.returned()).toBe(false);
    expect(shopperReturned(of.order(), of.now(), rules)).toBeUndefined();
    expect(of.attempt()).toMatchObject({ returned_at: moment(5 * SECOND).toISOString() });
  });

  it('may be that of every session', () => {
    const attempts = [
      attempt('at_1', { state: redirected }),
      attempt('at_2', { session_id: 'cs_2', state: redirected }),
      attempt('at_3', { state: waiting }),
    ];
    const order = orderWith({ sessions: [session('cs_1'), session('cs_2')], attempts });
    const states = shopperReturned(order, moment(MINUTE), rules)?.order.attempts.map(({ state }) => state);
    const returned_at = moment(MINUTE).toISOString();
    expect(states).toEqual([{ ...redirected, returned_at }, { ...redirected, returned_at }, waiting]);
  });

  it('waits for the gateway’s word until there is one', () => {
    const of = away(two());
    expect(isConfirming(of.order(), 'cs_1')).toBe(false);
    of.returned();
    expect(isConfirming(of.order(), 'cs_1')).toBe(true);
    expect(isConfirming(of.order(), 'cs_2')).toBe(false);
    expect(isConfirming(of.order(), 'cs_3')).toBe(false);
    of.query(record('T1', '4100'));
    expect(isConfirming(of.order(), 'cs_1')).toBe(false);
  });

  it('waits for no attempt but the session’s own', () => {
    const state = { status: 'redirected', attempt_id: 'at_1' } as const;
    const gone = orderWith({ sessions: [session('cs_1', { state })] });
    expect(isConfirming(gone, 'cs_1')).toBe(false);
    const returned = { ...redirected, returned_at: since };
    const of = (first: AttemptState, second: AttemptState) =>
      isConfirming(
        { ...gone, attempts: [attempt('at_0', { state: first }), attempt('at_1', { state: second })] },
        'cs_1',
      );
    expect([of(returned, redirected), of(redirected, returned), of(returned, waiting)]).toEqual([false, true, false]);
  });
});

describe('a payment that the shopper can give up', () => {
  const apm = (state: AttemptState, id = 'at_1') => attempt(id, { method: 'PIX', state });
  const seen = { transaction_id: 'T1', payment_status: '1000', amount: '10.00', currency: 'BRL' };
  const held = (...attempt_ids: (string | undefined)[]): NonNullable<StoredOrder['undecided']> => ({
    reason: 'pending',
    since,
    records: attempt_ids.map((attempt_id) => ({ ...seen, ...(attempt_id === undefined ? {} : { attempt_id }) })),
  });
  const payment = { ...seen, proof: 'record', date: since } as const;

  it.each<[string, Partial<StoredOrder>, boolean]>([
    ['is at the issuer', { attempts: [apm(redirected)] }, true],
    ['is pending', { attempts: [apm(waiting)], undecided: held('at_1') }, true],
    ['is one of two', { attempts: [apm(waiting), apm(redirected, 'at_2')], undecided: held('at_1') }, true],
    ['has two records', { attempts: [apm(waiting), apm(waiting, 'at_2')], undecided: held('at_1', 'at_2') }, true],
    ['is over', { attempts: [apm({ status: 'declined', result })] }, false],
    ['is none', {}, false],
    ['is by card', { attempts: [attempt('at_1', { state: waiting })] }, false],
    ['is by card beside one that is not', { attempts: [apm(waiting), attempt('at_2', { state: waiting })] }, false],
    ['is unknown', { attempts: [apm({ status: 'unknown', reason: 'timeout', evidence: {} })] }, false],
    [
      'is unknown beside one that is pending',
      {
        attempts: [apm(waiting), apm({ status: 'unknown', reason: 'timeout', evidence: {} }, 'at_2')],
      },
      false,
    ],
    [
      'is held by another amount',
      { attempts: [apm(waiting)], undecided: { ...held('at_1'), reason: 'amount_differs' } },
      false,
    ],
    ['is held by another attempt’s record', { attempts: [apm(waiting)], undecided: held(undefined) }, false],
    ['is held by another one’s record, too', { attempts: [apm(waiting)], undecided: held('at_1', 'at_9') }, false],
    ['is paid', { attempts: [apm(waiting)], payments: [payment] }, false],
  ])('%s', (_, order, expected) => {
    expect(canAbandon(orderWith(order))).toBe(expected);
  });

  it('ends every attempt that is awaited, whichever session made it', () => {
    const of = pending(two());
    of.holdPaying('cs_2');
    const done = abandonAwaited(of.order(), of.now(), rules);
    if (done.kind !== 'abandoned') throw new TypeError(done.kind);
    const { order, events } = done.decision;
    expect(order.attempts).toMatchObject([
      { settled_at: of.now().toISOString(), state: { status: 'not_paid', reason: 'abandoned' } },
    ]);
    expect(order.decided).toMatchObject([{ transaction_id: 'T1', attempt_id: 'at_1' }]);
    expect(order).not.toHaveProperty('undecided');
    expect(order).toMatchObject({ hold: 'free', next_query_at: expect.any(String) });
    expect(events).toEqual([
      { type: 'session.declined', session_id: 'cs_1', reason: 'abandoned' },
      { type: 'session.declined', session_id: 'cs_2', reason: 'abandoned' },
    ]);
  });

  it('at the issuer is given up without a webhook', () => {
    const of = away();
    expect(of.abandon()).toBe('abandoned');
    expect(of.state()).toEqual({ status: 'open', notice: 'not_paid', last_method: 'PIX' });
    expect(of.order().decided).toEqual([]);
    expect(of.eventTypes()).toEqual(['session.redirected']);
  });

  it('cannot be given up while its outcome is unknown', () => {
    expect(unanswered().abandon()).toBe('cannot_abandon');
    const held = unanswered();
    held.absent();
    held.query(record('T9', '3000', { amount: '20.00' }));
    expect(held.abandon()).toBe('cannot_abandon');
    const free = unanswered();
    free.absent();
    expect(free.abandon()).toBe('not_awaited');
  });

  it('cannot be given up beside one whose outcome is unknown', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', lost);
    of.pass(5 * SECOND);
    of.absent();
    of.pay('at_2', { session_id: 'cs_2', method: 'PIX' });
    of.answer('at_2', toIssuer);
    of.query(record('T1', '77'));
    expect([of.attempt('at_1').status, of.attempt('at_2').status]).toEqual(['unknown', 'redirected']);
    expect(of.abandon()).toBe('cannot_abandon');
  });
});

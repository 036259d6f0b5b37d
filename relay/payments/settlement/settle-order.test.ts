import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  declinedOf,
  HOUR,
  lost,
  MINUTE,
  moment,
  record,
  refused,
  rules,
  SECOND,
  type Story,
  session,
  story,
  toIssuer,
} from '../../../test/support/sessions.ts';
import { nextQueryAt } from '../schedule.ts';

const two = () => story({ sessions: [session('cs_1'), session('cs_2')] });

/** An attempt of which the gateway has told nothing yet. */
const unanswered = (of = story()): Story => {
  of.pay();
  of.answer('at_1', lost);
  of.pass(5 * SECOND);
  return of;
};

/** An attempt whose shopper is at the issuer’s page. */
const away = (of = story()): Story => {
  of.pay('at_1', { method: 'PIX' });
  of.answer('at_1', toIssuer);
  of.pass(5 * SECOND);
  return of;
};

/** An attempt that the gateway did not know. */
const absent = (of = story()): Story => {
  unanswered(of).absent();
  return of;
};

/** An attempt that is pending. */
const pending = (of = story(), method = 'PIX'): Story => {
  of.pay('at_1', { method });
  of.answer('at_1', lost);
  of.pass(5 * SECOND);
  of.query(record('T1', '1000'));
  return of;
};

const paidWith = (of: Story) => of.order().payments.map(({ transaction_id }) => transaction_id);
const isHeld = (of: Story) => of.order().hold === 'held';

describe('an approved record', () => {
  it.each<[string, () => Story]>([
    ['unknown', unanswered],
    ['pending', pending],
    ['at the issuer’s page', away],
    ['absent', absent],
    [
      'declined by the gateway’s signed answer',
      () => {
        const of = story();
        of.pay();
        of.answer('at_1', declinedOf('T1'));
        return of;
      },
    ],
    [
      'declined by a record',
      () => {
        const of = unanswered();
        of.query(record('T1', '4100'));
        expect(of.attempt()).toMatchObject({ status: 'declined', proof: 'record' });
        return of;
      },
    ],
    [
      'refused',
      () => {
        const of = story();
        of.pay();
        of.answer('at_1', refused);
        return of;
      },
    ],
    [
      'abandoned',
      () => {
        const of = pending();
        of.abandon();
        return of;
      },
    ],
    [
      'settled by a person',
      () => {
        const of = unanswered();
        of.person({ outcome: 'not_paid' });
        return of;
      },
    ],
  ])('makes an order paid whose attempt was %s', (_, before) => {
    const of = before();
    of.query(record('T1', '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T1', attempt_id: 'at_1' });
    expect(of.attempt()).toMatchObject({ status: 'approved' });
    expect(of.order()).toMatchObject({ hold: 'paid', payments: [{ transaction_id: 'T1', proof: 'record' }] });
    expect(of.events.at(-1)).toEqual({ type: 'session.approved', session_id: 'cs_1' });
  });

  it('is credited to the attempt with its transaction_id', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', declinedOf('T1'));
    of.pay('at_2');
    of.answer('at_2', lost);
    of.query(record('T1', '3000'));
    expect(of.state()).toMatchObject({ attempt_id: 'at_1' });
    expect(of.order().payments).toMatchObject([{ attempt_id: 'at_1' }]);
    expect(of.attempt('at_2')).toMatchObject({ status: 'unknown' });
  });

  it('is credited to the oldest unsettled attempt, else to the latest', () => {
    const unsettled = story();
    unsettled.pay('at_1');
    unsettled.answer('at_1', refused);
    unsettled.pay('at_2');
    unsettled.answer('at_2', lost);
    unsettled.query(record('T1', '3000'));
    expect(unsettled.order().payments).toMatchObject([{ attempt_id: 'at_2' }]);
    const settled = story();
    for (const id of ['at_1', 'at_2']) {
      settled.pay(id);
      settled.answer(id, refused);
    }
    settled.query(record('T1', '3000'));
    expect(settled.order().payments).toMatchObject([{ attempt_id: 'at_2' }]);
  });

  it('is credited to an attempt of its amount that was sent before', () => {
    const of = story();
    of.pay('at_1', { amount: '20.00' });
    of.answer('at_1', refused);
    of.pass(HOUR);
    of.pay('at_2', { amount: '10.00' });
    of.answer('at_2', refused);
    of.pass(HOUR);
    of.pay('at_3', { amount: '20' });
    of.query(record('T1', '3000', { amount: '20.0' }));
    expect(of.order().payments).toMatchObject([{ attempt_id: 'at_1' }]);
    expect(of.state()).toMatchObject({ status: 'approved', attempt_id: 'at_1' });
  });

  it('moves to another attempt by that one’s own answer', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', refused);
    of.pass(SECOND);
    of.pay('at_2');
    of.query(record('T2', '3000'));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T2', attempt_id: 'at_2' }]);
    of.answer('at_2', lost);
    of.answer('at_1', approvedBy('T2'));
    expect(of.order()).toMatchObject({
      hold: 'paid',
      payments: [{ transaction_id: 'T2', attempt_id: 'at_1', proof: 'answer' }],
    });
    expect(of.told()).not.toContain('session.paid_twice');
  });

  it('is told as late where the session was over', () => {
    const failed = story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } })] });
    failed.pay();
    failed.answer('at_1', refused);
    expect(failed.status()).toBe('failed');
    failed.query(record('T1', '3000'));
    expect(failed.events.at(-1)).toEqual({ type: 'session.approved', session_id: 'cs_1', late: true });
    const expired = absent();
    expired.pass(DAY);
    expired.expire();
    expired.query(record('T1', '3000'));
    expect(expired.events.at(-1)).toEqual({ type: 'session.approved', session_id: 'cs_1', late: true });
    const past = absent();
    past.pass(DAY);
    past.query(record('T1', '3000'));
    expect(past.events.at(-1)).toMatchObject({ late: true });
  });

  it('counts though the gateway tells it with a declined one', () => {
    const of = unanswered();
    of.query(record('T1', '4100'), record('T2', '3000'));
    expect(paidWith(of)).toEqual(['T2']);
    expect(of.status()).toBe('approved');
  });

  it('counts where another record of its transaction says less', () => {
    for (const other of ['4100', '1000', '77']) {
      const of = unanswered();
      of.query(record('T1', '3000'), record('T1', other));
      expect(of.status()).toBe('approved');
    }
  });

  it('without a transaction_id tells nothing', () => {
    const of = unanswered();
    of.query(record(undefined, '3000'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'codes_not_listed' } });
    of.query(record('', '3000'));
    expect(of.status()).toBe('unknown');
  });

  it('of another order changes nothing', () => {
    const of = unanswered();
    of.query(record('T1', '3000', { order_no: 'B' }));
    expect(of.status()).toBe('unknown');
    expect(of.order().payments).toEqual([]);
  });

  it('keeps what it tells of a subscription', () => {
    const of = unanswered();
    of.query(record('T1', '3000', { recurring_id: 'R1' }));
    expect(of.state()).toMatchObject({ recurring_id: 'R1' });
    expect(of.order().payments).toMatchObject([{ recurring_id: 'R1' }]);
  });
});

describe('a hosted page with two tries', () => {
  it.each(['T1', 'T2'])('is paid by the second one, told as %s', (second) => {
    const of = away();
    of.query(record('T1', '4100'));
    expect(of.status()).toBe('redirected');
    expect(isHeld(of)).toBe(true);
    of.returned();
    of.query(...(second === 'T1' ? [] : [record('T1', '4100')]), record(second, '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: second });
  });

  it('is open with the decline told once the shopper is back', () => {
    const of = away();
    of.query(record('T1', '4100', { decline_reason: 'no funds' }));
    of.returned();
    of.query(record('T1', '4100', { decline_reason: 'no funds' }));
    expect(of.state()).toMatchObject({
      status: 'open',
      notice: 'declined',
      result: { code: '4100', message: 'no funds' },
      last_method: 'PIX',
    });
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'declined' });
    expect(of.order()).toMatchObject({ hold: 'free', next_query_at: expect.any(String) });
    of.query(record('T1', '4100'), record('T2', '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T2' });
  });

  it('is expired at its end without being unknown before', () => {
    for (const records of [[record('T1', '4100')], []]) {
      const of = away();
      of.pass(DAY);
      for (let queries = 0; queries < 3; queries++) of.query(...records);
      expect(of.state()).toMatchObject({ status: 'expired', reason: records.length > 0 ? 'declined' : 'absent' });
      expect(of.told()).toEqual(['session.redirected', 'session.expired']);
    }
  });
});

describe('the shopper’s return', () => {
  it('opens the form after three queries without a record', () => {
    const of = away();
    of.query();
    of.returned();
    for (const ms of [0, 2 * SECOND]) {
      of.pass(ms);
      of.query();
      expect(of.status()).toBe('redirected');
    }
    of.pass(3 * SECOND);
    of.query();
    expect(of.state()).toEqual({ status: 'open', notice: 'not_paid', last_method: 'PIX' });
    expect(of.attempt()).toEqual({ status: 'not_paid', reason: 'abandoned' });
    expect(of.told()).toEqual(['session.redirected']);
    expect(of.order()).toMatchObject({ hold: 'free', next_query_at: expect.any(String) });
  });

  it('is not counted by a query that began before it', () => {
    const of = away();
    const begun_at = of.now();
    of.pass(SECOND);
    of.returned();
    of.pass(10 * SECOND);
    for (let queries = 0; queries < 4; queries++) of.settle({ begun_at, notices: 0, counted: true, records: [] });
    expect(of.status()).toBe('redirected');
  });

  it('makes the session unknown where no query counts', () => {
    const of = away();
    of.returned();
    of.queryFails();
    expect(of.status()).toBe('redirected');
    of.pass(5 * SECOND);
    of.queryFails();
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'query_failed' } });
  });

  it('finds what is pending', () => {
    const of = away();
    of.returned();
    of.query(record('T1', '1000'));
    expect(of.state()).toMatchObject({ status: 'pending', transaction_id: 'T1' });
    expect(of.events.at(-1)).toMatchObject({ type: 'session.pending' });
  });

  it('finds what is not listed', () => {
    const of = away();
    of.query(record('T1', '77'));
    expect(of.status()).toBe('redirected');
    of.returned();
    of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'codes_not_listed' } });
  });
});

describe('a decline', () => {
  it('of a record ends the attempt, which stays watched', () => {
    const of = unanswered();
    of.query(record('T1', '4100'));
    expect(of.attempt()).toMatchObject({ status: 'declined', proof: 'record', result: { code: '4100' } });
    expect(of.state()).toMatchObject({ status: 'open', notice: 'declined' });
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'declined' });
    expect(of.order()).toMatchObject({ hold: 'free', next_query_at: expect.any(String) });
  });

  it('of a signed answer is not watched', () => {
    const of = story();
    of.pay();
    of.answer('at_1', declinedOf('T1'));
    expect(of.order().next_query_at).toBeUndefined();
  });

  it('dated before the attempt is somebody else’s', () => {
    const of = unanswered();
    const old = record('T9', '4100', { date: moment(-365 * DAY) });
    of.query(old);
    expect(of.status()).toBe('unknown');
    of.absent(old);
    expect(of.state()).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(of.attempt()).toEqual({ status: 'not_paid', reason: 'absent' });
  });

  it('dated within the tolerance of the clocks is the attempt’s own', () => {
    const of = unanswered();
    of.query(record('T1', '4100', { date: moment(-14 * MINUTE) }));
    expect(of.status()).toBe('open');
    const early = unanswered();
    early.query(record('T1', '4100', { date: moment(-16 * MINUTE) }));
    expect(early.status()).toBe('unknown');
  });

  it('of another amount is not the attempt’s own', () => {
    const of = unanswered();
    of.query(record('T1', '4100', { amount: '20.00' }), record('T2', '4100', { currency: 'USD' }));
    expect(of.status()).toBe('unknown');
  });

  it('of one transaction ends no attempt that has another', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', declinedOf('T1'));
    of.pay('at_2');
    of.answer('at_2', lost);
    of.pass(5 * SECOND);
    of.query(record('T1', '4100'));
    expect(of.status()).toBe('unknown');
    of.query(record('T1', '4100'), record('T2', '4100'));
    expect(of.status()).toBe('open');
  });

  it('waits for a record of every attempt that has none', () => {
    const of = absent();
    of.pay('at_2');
    of.answer('at_2', lost);
    of.pass(5 * SECOND);
    of.query(record('T1', '4100', { date: of.now() }));
    expect(of.attempt('at_2')).toMatchObject({ status: 'unknown' });
    of.query(record('T1', '4100', { date: of.now() }), record('T2', '4100', { date: of.now() }));
    expect(of.attempt('at_2')).toMatchObject({ status: 'declined' });
  });

  it('that remains after the time for absence ends the attempt', () => {
    const of = absent();
    of.pay('at_2');
    of.answer('at_2', lost);
    const declined = record('T1', '4100', { date: of.now() });
    of.absent(declined);
    expect(of.attempt('at_2')).toMatchObject({ status: 'declined' });
    expect(of.state()).toMatchObject({ status: 'open', notice: 'declined' });
  });

  it('beside something undecided ends nothing', () => {
    const of = unanswered();
    of.query(record('T1', '4100'), record('T2', '77'));
    expect(of.status()).toBe('unknown');
    expect(of.attempt()).toMatchObject({ status: 'unknown' });
  });

  it('ends the session where no attempt is left', () => {
    const of = story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } })] });
    unanswered(of).query(record('T1', '4100'));
    expect(of.state()).toMatchObject({ status: 'failed', reason: 'declined', result: { code: '4100' } });
    expect(of.events.at(-1)).toEqual({ type: 'session.failed', session_id: 'cs_1', reason: 'declined' });
  });

  it('ends the session where its time is over', () => {
    const of = unanswered();
    of.pass(DAY);
    of.query(record('T1', '4100'));
    expect(of.state()).toEqual({ status: 'expired', reason: 'declined' });
    expect(of.events.at(-1)).toMatchObject({ type: 'session.expired' });
  });
});

describe('absence', () => {
  it('needs three queries and the time', () => {
    const of = unanswered();
    for (let queries = 0; queries < 5; queries++) of.query();
    expect(of.status()).toBe('unknown');
    of.pass(15 * MINUTE);
    of.query();
    expect(of.state()).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'absent' });
    const rare = unanswered();
    rare.pass(HOUR);
    for (const status of ['unknown', 'unknown', 'open']) {
      rare.query();
      expect(rare.status()).toBe(status);
    }
  });

  it('is not told by queries that do not count', () => {
    const of = unanswered();
    of.pass(HOUR);
    for (let queries = 0; queries < 5; queries++) of.queryFails();
    expect(of.status()).toBe('unknown');
    expect(of.order().queries).toMatchObject({ failures: 5, last: { counted: false } });
  });

  it('counts anew after something undecided', () => {
    const of = unanswered();
    of.pass(HOUR);
    of.query();
    of.query();
    of.query(record('T1', '77'));
    of.query();
    of.query();
    expect(of.status()).toBe('unknown');
    of.query();
    expect(of.status()).toBe('open');
  });

  it('is not told of an attempt that was sent after the query began', () => {
    const of = unanswered();
    of.pass(HOUR);
    const begun_at = moment(-HOUR);
    for (let queries = 0; queries < 3; queries++) of.settle({ begun_at, notices: 0, counted: true, records: [] });
    expect(of.status()).toBe('unknown');
  });
});

describe('what is pending', () => {
  it('makes the session pending, and holds the order without an alarm', () => {
    const of = pending();
    expect(of.state()).toMatchObject({
      status: 'pending',
      attempt_id: 'at_1',
      transaction_id: 'T1',
      search: { needs_attention: false },
    });
    expect(of.attempt()).toMatchObject({ status: 'pending' });
    expect(of.order()).toMatchObject({ hold: 'held', undecided: { reason: 'pending' } });
    expect(of.told().filter((type) => type === 'session.pending')).toHaveLength(1);
    of.pass(HOUR);
    of.query(record('T1', '1000'));
    expect(of.told().filter((type) => type === 'session.pending')).toHaveLength(1);
  });

  it('needs a person at the session’s end, and stays pending', () => {
    const of = pending();
    of.pass(DAY);
    for (let queries = 0; queries < 2; queries++) of.query(record('T1', '1000'));
    expect(of.state()).toMatchObject({ status: 'pending', search: { needs_attention: true } });
    expect(of.told().filter((type) => type === 'session.pending')).toHaveLength(2);
  });

  it('is given up by the shopper, and then holds nothing', () => {
    const of = pending();
    expect(of.abandon()).toBe('abandoned');
    expect(of.state()).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'abandoned' });
    of.query(record('T1', '1000'));
    expect(of.status()).toBe('open');
    expect(of.order().hold).toBe('free');
    expect(of.abandon()).toBe('not_pending');
    of.query(record('T1', '3000'));
    expect(of.status()).toBe('approved');
  });

  it('is given up through any session of the order', () => {
    const of = pending(two());
    of.holdPaying('cs_2');
    expect(of.status('cs_2')).toBe('pending');
    expect(of.abandon()).toBe('abandoned');
    expect([of.status('cs_1'), of.status('cs_2')]).toEqual(['open', 'open']);
  });

  it.each(['card', 'token'])('by %s is not given up, but settled', (method) => {
    const of = pending(story(), method);
    expect(of.abandon()).toBe('cannot_abandon');
    expect(of.status()).toBe('pending');
    expect(of.person({ outcome: 'not_paid' })).toBe(true);
    expect(of.status()).toBe('open');
  });

  it('is declined by a record of its own', () => {
    const of = pending();
    of.query(record('T1', '4100'));
    expect(of.state()).toMatchObject({ status: 'open', notice: 'declined' });
    expect(of.events.at(-1)).toMatchObject({ type: 'session.declined', reason: 'declined' });
  });

  it('becomes unknown where its code is not listed any more', () => {
    const of = pending();
    of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'codes_not_listed' } });
    of.query(record('T1', '1000'));
    expect(of.status()).toBe('pending');
  });
});

describe('a record of another amount', () => {
  it.each<[string, object]>([
    ['3000', { amount: '20.00' }],
    ['1000', { amount: '20.00' }],
    ['77', { currency: 'USD' }],
  ])('with the code %s holds the order for a person', (code, sum) => {
    const of = unanswered();
    of.query(record('T1', code, sum));
    expect(of.state()).toMatchObject({
      status: 'unknown',
      search: { reason: 'amount_differs', needs_attention: true },
    });
    expect(of.order()).toMatchObject({ hold: 'held', undecided: { reason: 'amount_differs' } });
    of.pass(HOUR);
    for (let queries = 0; queries < 4; queries++) of.query(record('T1', code, sum));
    expect(of.status()).toBe('unknown');
    expect(of.told().filter((type) => type === 'session.unknown')).toHaveLength(2);
  });

  it.each(['1000', '77'])('with the code %s from before the first attempt holds nothing', (code) => {
    const of = unanswered();
    of.query(record('T1', code, { amount: '20.00', date: moment(-365 * DAY) }));
    expect(of.order().undecided).toBeUndefined();
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'timeout' } });
  });

  it('moves an open session that is to be paid', () => {
    const of = absent(two());
    of.query(record('T1', '3000', { amount: '20.00' }));
    expect(of.order().hold).toBe('held');
    expect(of.state('cs_1')).toMatchObject({ status: 'unknown', search: { needs_attention: true } });
    of.holdPaying('cs_2');
    expect(of.state('cs_2')).toMatchObject({ status: 'unknown', search: { reason: 'amount_differs' } });
  });

  it('is a second payment where the order is paid', () => {
    const of = story();
    of.pay();
    of.answer('at_1', approvedBy('T1'));
    of.query(record('T1', '3000'), record('T2', '3000', { amount: '20.00' }));
    expect(of.events.at(-1)).toEqual({
      type: 'session.paid_twice',
      session_id: 'cs_1',
      transaction_ids: ['T1', 'T2'],
    });
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T1' }, { transaction_id: 'T2', amount: '20.00' }]);
  });

  it('frees the order when it goes', () => {
    const of = absent();
    of.query(record('T1', '77', { amount: '20.00' }));
    expect(of.status()).toBe('unknown');
    of.query();
    expect(of.status()).toBe('open');
    expect(of.order().hold).toBe('free');
  });
});

describe('a payment of long ago', () => {
  const old = record('T0', '3000', { date: moment(-25 * HOUR) });

  it('holds an unpaid order for a person, and does not pay it', () => {
    const of = unanswered();
    of.query(old);
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'paid_before', needs_attention: true } });
    expect(of.order()).toMatchObject({ hold: 'held', payments: [] });
    of.person({ outcome: 'not_paid' });
    expect(of.order().hold).toBe('free');
    of.query(old);
    expect(of.order().hold).toBe('free');
  });

  it('is no second payment', () => {
    const of = unanswered();
    of.query(old, record('T1', '3000'));
    expect(paidWith(of)).toEqual(['T1']);
    of.query(old, record('T1', '3000'));
    expect(of.told()).toEqual(['session.unknown', 'session.approved']);
  });

  it('pays the order where an attempt has its transaction_id', () => {
    const of = story();
    of.pay();
    of.answer('at_1', declinedOf('T0'));
    of.query(old);
    expect(of.status()).toBe('approved');
  });
});

describe('an order that is paid', () => {
  const paid = (of = story()): Story => {
    of.pay();
    of.answer('at_1', approvedBy('T1', 'R1'));
    of.pass(5 * SECOND);
    return of;
  };

  it('is not changed by records that are not approved', () => {
    for (const code of ['4100', '1000', '77']) {
      const of = paid();
      of.query(record('T1', code), record('T2', code), record('T3', code, { amount: '20.00' }));
      expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T1' });
      expect(of.order()).toMatchObject({ hold: 'paid' });
      expect(of.order().undecided).toBeUndefined();
      expect(of.told()).toEqual(['session.approved']);
    }
  });

  it('is paid twice by another approved record, told once', () => {
    const of = paid();
    for (let queries = 0; queries < 2; queries++) of.query(record('T1', '3000'), record('T2', '3000'));
    expect(paidWith(of)).toEqual(['T1', 'T2']);
    expect(of.told()).toEqual(['session.approved', 'session.paid_twice']);
    expect(of.events.at(-1)).toMatchObject({ transaction_ids: ['T1', 'T2'] });
    of.query(record('T3', '3000'));
    expect(of.events.at(-1)).toMatchObject({ type: 'session.paid_twice', transaction_ids: ['T1', 'T3'] });
  });

  it('is not paid twice by its own record alone', () => {
    const of = paid();
    of.query(record('T1', '3000'));
    expect(of.told()).toEqual(['session.approved']);
  });

  it('is not paid twice by later charges of its subscription', () => {
    const of = paid();
    of.pass(31 * DAY);
    const later = [1, 30].map((days) =>
      record(`R${days}`, '3000', { date: moment(days * DAY), recurring_id: 'R1', amount: '12.00' }),
    );
    of.query(record('T1', '3000', { recurring_id: 'R1' }), ...later);
    expect(of.told()).toEqual(['session.approved']);
    expect(paidWith(of)).toEqual(['T1']);
  });

  it('is paid twice by a record of the contract on the same day', () => {
    const of = paid();
    of.query(record('T2', '3000', { date: moment(HOUR), recurring_id: 'R1' }));
    expect(of.told()).toEqual(['session.approved', 'session.paid_twice']);
  });

  it('is found paid twice by one query', () => {
    const of = unanswered();
    of.query(record('T1', '3000'), record('T2', '3000', { date: moment(MINUTE) }));
    expect(paidWith(of)).toEqual(['T1', 'T2']);
    expect(of.told()).toEqual(['session.unknown', 'session.approved', 'session.paid_twice']);
  });

  it('is found paid twice by a late signed answer', () => {
    const of = absent();
    of.pay('at_2');
    of.answer('at_2', approvedBy('T2'));
    of.answer('at_1', approvedBy('T1'));
    expect(of.events.at(-1)).toMatchObject({ type: 'session.paid_twice', transaction_ids: ['T2', 'T1'] });
  });
});

describe('several sessions of one order', () => {
  it('are approved in that of the credited attempt alone', () => {
    const of = unanswered(two());
    of.query(record('T1', '3000'));
    expect(of.state('cs_1')).toMatchObject({ status: 'approved' });
    expect(of.state('cs_2')).toEqual({ status: 'failed', reason: 'order_already_paid' });
    expect(of.events.slice(-2)).toEqual([
      { type: 'session.approved', session_id: 'cs_1' },
      { type: 'session.failed', session_id: 'cs_2', reason: 'order_already_paid' },
    ]);
  });

  it('keep one whose own attempt is unsettled until that is settled', () => {
    const of = absent(two());
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_2', declinedOf());
    of.pay('at_3', { session_id: 'cs_2' });
    of.answer('at_3', lost);
    of.answer('at_1', approvedBy('T1'));
    expect(of.order().hold).toBe('paid');
    expect(of.state('cs_1')).toMatchObject({ status: 'approved' });
    expect(of.status('cs_2')).toBe('unknown');
    of.pass(5 * SECOND);
    of.query(record('T1', '3000'), record('T3', '4100', { date: of.now() }), record('T2', '4100', { date: of.now() }));
    expect(of.state('cs_2')).toEqual({ status: 'failed', reason: 'order_already_paid' });
  });

  it('are both approved where both were paid', () => {
    const of = absent(two());
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_2', lost);
    of.answer('at_1', approvedBy('T1'));
    of.query(record('T1', '3000'), record('T2', '3000', { date: of.now() }));
    expect(of.state('cs_2')).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    expect(of.events.slice(-2)).toMatchObject([
      { type: 'session.approved', session_id: 'cs_2' },
      { type: 'session.paid_twice', session_id: 'cs_2', transaction_ids: ['T1', 'T2'] },
    ]);
  });

  it('move the one that is about to be paid to what holds the order', () => {
    const of = absent(two());
    of.query(record('T1', '77', { date: of.now() }));
    expect(of.status('cs_1')).toBe('unknown');
    expect(of.status('cs_2')).toBe('open');
    expect(of.holdPaying('cs_2')).toBe(true);
    expect(of.state('cs_2')).toMatchObject({ status: 'unknown', attempt_id: 'at_1' });
    of.query(record('T1', '4100', { date: of.now() }));
    expect([of.status('cs_1'), of.status('cs_2')]).toEqual(['open', 'open']);
  });
});

describe('a watched attempt', () => {
  it('is asked about ever more rarely for thirty days', () => {
    const of = absent();
    let queries = 0;
    let wait = 0;
    for (let at = of.order().next_query_at; at !== undefined && queries < 1000; at = of.order().next_query_at) {
      const ms = Date.parse(at) - of.now().getTime();
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(DAY);
      wait = ms;
      of.pass(ms);
      of.query();
      queries += 1;
    }
    expect(wait).toBeGreaterThan(20 * HOUR);
    expect(of.now().getTime()).toBeGreaterThanOrEqual(moment(30 * DAY).getTime());
    expect(of.now().getTime()).toBeLessThan(moment(32 * DAY).getTime());
    expect(queries).toBeLessThan(80);
  });

  it('is asked about after its order is paid', () => {
    const of = absent();
    of.pay('at_2');
    of.answer('at_2', approvedBy('T2'));
    expect(of.order()).toMatchObject({ hold: 'paid', next_query_at: expect.any(String) });
  });

  it('is unknown again by an unlisted record of its own', () => {
    const of = absent();
    of.query(record('T1', '77'));
    expect(of.attempt()).toMatchObject({ status: 'unknown' });
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'codes_not_listed' } });
  });

  it('is asked about on every notification', () => {
    const of = absent();
    of.pass(3 * DAY);
    of.query();
    of.notify();
    of.pass(MINUTE);
    expect(nextQueryAt(of.order(), of.now(), rules)).toBe(of.now().toISOString());
    of.query();
    expect(Date.parse(of.order().next_query_at ?? '')).toBeGreaterThan(of.now().getTime());
  });
});

describe('an unknown outcome', () => {
  it('needs a person after its time, told once', () => {
    const of = unanswered();
    of.pass(DAY);
    for (let queries = 0; queries < 2; queries++) of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { needs_attention: true, looks: 2 } });
    expect(of.told()).toEqual(['session.unknown', 'session.unknown']);
  });

  it('is not asked for by a query that another attempt began after', () => {
    const of = story();
    of.pay();
    of.query();
    expect(of.status()).toBe('processing');
    expect(of.order().attempts[0]?.clear_queries ?? 0).toBe(0);
  });
});

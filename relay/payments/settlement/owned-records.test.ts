import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  attempt,
  begunAt,
  DAY,
  declinedOf,
  lost,
  MINUTE,
  moment,
  notSent,
  orderWith,
  record,
  result,
  rules,
  SECOND,
  type Story,
  session,
  story,
  toIssuer,
} from '../../../test/support/payments/sessions.ts';
import { absent, away, pending, two, unanswered } from '../../../test/support/payments/stories.ts';
import type { Attempt } from '../attempt.ts';
import { holdReason, needsPersonAtOnce, undecidedOf } from './match.ts';
import { readRecords } from './records.ts';

const owners = (attempts: readonly Attempt[], ...of: Parameters<typeof record>) =>
  undecidedOf(orderWith({ attempts }), readRecords('A', [record(...of)], rules), []).map(({ reason, attempt: one }) => [
    reason,
    one?.id,
  ]);

const nameless = (id: string, state: Attempt['state'], change: Partial<Attempt> = {}) =>
  attempt(id, { state, ...change });
const unknown: Attempt['state'] = { status: 'unknown', reason: 'timeout', evidence: {} };
const notPaid: Attempt['state'] = { status: 'not_paid', reason: 'absent' };
const abandoned: Attempt['state'] = { status: 'not_paid', reason: 'abandoned' };
const declined: Attempt['state'] = { status: 'declined', result, proof: 'answer' };

describe('the attempt that an undecided record is of', () => {
  it('has its transaction, whatever its amount', () => {
    const attempts = [nameless('at_1', unknown), nameless('at_2', declined, { transaction_id: 'T1', amount: '9.00' })];
    expect(owners(attempts, 'T1', '77')).toEqual([['codes_not_listed', 'at_2']]);
    const unsent = nameless('at_3', { status: 'not_sent' }, { transaction_id: 'T1' });
    expect(owners([unsent, nameless('at_1', unknown)], 'T1', '77')).toEqual([['codes_not_listed', 'at_1']]);
  });

  it('is none by two transactions that are not known', () => {
    expect(owners([nameless('at_1', unknown)], undefined, '77', { amount: '20.00' })).toEqual([
      ['amount_differs', undefined],
    ]);
  });

  it('is the oldest unsettled one, else the latest watched one', () => {
    const settled = [nameless('at_1', notPaid), nameless('at_2', notPaid), nameless('at_3', declined)];
    expect(owners(settled, 'T1', '1000')).toEqual([['pending', 'at_2']]);
    const open = [nameless('at_4', unknown), nameless('at_5', unknown)];
    expect(owners([...settled, ...open], 'T1', '1000')).toEqual([['pending', 'at_4']]);
  });

  it('is none that was sent after it, or has another transaction', () => {
    const later = nameless('at_1', unknown, { started_at: moment(DAY).toISOString() });
    expect(owners([later], 'T1', '1000')).toEqual([['pending', undefined]]);
    const other = nameless('at_1', unknown, { transaction_id: 'T9' });
    expect(owners([other], 'T1', '1000')).toEqual([['pending', undefined]]);
    expect(owners([nameless('at_1', { status: 'not_sent' }), nameless('at_2', declined)], 'T1', '1000')).toEqual([
      ['pending', undefined],
    ]);
  });

  it('is the shopper’s next try at the issuer’s page', () => {
    const tried = nameless('at_1', { ...declined, proof: 'record' }, { method: 'PIX', transaction_id: 'T1' });
    expect(owners([tried], 'T2', '1000')).toEqual([['pending', 'at_1']]);
    expect(owners([{ ...tried, method: 'card' }], 'T2', '1000')).toEqual([['pending', undefined]]);
    expect(owners([{ ...tried, state: declined }], 'T2', '1000')).toEqual([['pending', undefined]]);
    const early = { ...tried, started_at: moment(DAY).toISOString() };
    expect(owners([early], 'T2', '1000')).toEqual([['pending', undefined]]);
  });

  it('is an abandoned one last: its pending record holds nothing', () => {
    const gaveUp = nameless('at_1', abandoned, { method: 'PIX' });
    expect(owners([gaveUp], 'T1', '1000')).toEqual([]);
    expect(owners([{ ...gaveUp, transaction_id: 'T0' }], 'T1', '1000')).toEqual([]);
    expect(owners([gaveUp], 'T1', '77')).toEqual([['codes_not_listed', 'at_1']]);
    expect(owners([nameless('at_0', notPaid), gaveUp], 'T1', '1000')).toEqual([['pending', 'at_0']]);
  });

  it('owns no record of another amount, which holds the order', () => {
    const attempts = [
      nameless('at_0', { status: 'not_sent' }, { started_at: moment(-DAY).toISOString() }),
      nameless('at_1', unknown),
    ];
    const odd = (date: Date) => owners(attempts, 'T1', '1000', { amount: '20.00', date });
    expect(odd(moment(-15 * MINUTE))).toEqual([['amount_differs', undefined]]);
    expect(odd(moment(-15 * MINUTE - SECOND))).toEqual([]);
  });
});

describe('the reason why records hold an order', () => {
  it('is the first that needs a person, else that one is pending', () => {
    const [one] = readRecords('A', [record('T1', '77')], rules);
    if (!one) throw new TypeError('no record');
    const reasons = ['pending', 'codes_not_listed', 'amount_differs', 'paid_before'] as const;
    const first = (n: number) => holdReason(reasons.slice(0, n).map((reason) => ({ record: one, reason })));
    expect([0, 1, 2, 3, 4].map(first)).toEqual([undefined, ...reasons]);
    expect(reasons.map(needsPersonAtOnce)).toEqual([false, false, true, true]);
  });
});

describe('a payment that its shopper gave up', () => {
  it('holds nothing where it turns out to be pending', () => {
    const of = away();
    expect(of.abandon()).toBe('abandoned');
    of.query(record('T1', '1000'));
    expect(of.order()).toMatchObject({ hold: 'free' });
    expect(of.order()).not.toHaveProperty('undecided');
    expect(of.status()).toBe('open');
  });
});

describe('a declined record', () => {
  it('ends the one attempt that was sent', () => {
    const of = story();
    of.pay('at_0');
    of.answer('at_0', notSent);
    of.pay('at_1');
    of.answer('at_1', lost);
    of.pass(5 * SECOND);
    of.query(record('T1', '4100'));
    expect(of.attempt('at_1')).toMatchObject({ status: 'declined' });
  });

  it('alone ends an attempt of a paid order', () => {
    for (const code of ['1000', '77']) {
      const of = absent(two());
      of.pay('at_2', { session_id: 'cs_2', method: 'PIX' });
      of.answer('at_2', { ...toIssuer, transaction_id: 'T2' });
      of.answer('at_1', approvedBy('T1'));
      of.returned('cs_2');
      of.query(record('T2', code, { date: of.now() }));
      expect(of.attempt('at_2')).toMatchObject({ status: 'redirected' });
      of.query(record('T2', '4100', { date: of.now() }));
      expect(of.attempt('at_2')).toMatchObject({ status: 'declined', proof: 'record' });
    }
  });

  it('alone ends an attempt of a paid order that has no transaction', () => {
    const of = absent(two());
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_2', lost);
    of.answer('at_1', approvedBy('T1'));
    of.pass(5 * SECOND);
    for (let times = 0; times < 2; times++) of.query(record('T2', '1000', { date: of.now() }));
    expect(of.attempt('at_2')).toMatchObject({ status: 'unknown' });
  });

  it('of one transaction ends the attempt that has it', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', { ...toIssuer, transaction_id: 'T1' });
    of.returned();
    of.query(record('T1', '4100', { decline_reason: 'first' }), record('T2', '4100', { date: moment(2 * SECOND) }));
    expect(of.attempt('at_1')).toMatchObject({ status: 'declined', result: { message: 'first' } });
  });
});

describe('the log of queries', () => {
  const fails = (of: Story, apart?: boolean) =>
    of.settle({
      begun: begunAt(of.now()),
      notices: 0,
      counted: false,
      fault: 'query_refused',
      ...(apart === undefined ? {} : { apart }),
    });

  it('counts those that fail until one counts, and keeps them apart', () => {
    const of = unanswered();
    const at = of.now().toISOString();
    fails(of);
    expect(of.order().queries).toStrictEqual({ last: { at, counted: false, fault: 'query_refused' }, failures: 1 });
    fails(of, true);
    fails(of);
    expect(of.order().queries).toMatchObject({ failures: 3, apart: true });
    of.query();
    expect(of.order().queries).toStrictEqual({ last: { at, counted: true }, failures: 0 });
  });

  it('is reported in every session that waits', () => {
    const of = pending(two());
    of.holdPaying('cs_2');
    fails(of);
    const last_look = { at: of.now().toISOString(), found: 'query_refused' };
    expect(of.state('cs_1')).toMatchObject({ search: { looks: 2, last_look } });
    expect(of.state('cs_2')).toMatchObject({ search: { looks: 1, last_look } });
    const lonely = unanswered();
    lonely.query();
    expect(lonely.state()).toMatchObject({ search: { looks: 1, last_look: { found: 'absent' } } });
  });
});

describe('time alone', () => {
  it('gives up an unknown outcome, once', () => {
    const of = unanswered();
    of.pass(DAY - 5 * SECOND - 1);
    of.queryFails();
    expect(of.state()).toMatchObject({ search: { needs_attention: false } });
    of.pass(1);
    of.queryFails();
    of.queryFails();
    expect(of.state()).toMatchObject({ status: 'unknown', search: { needs_attention: true } });
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.unknown']);
  });

  it('becomes unknown once the session and the record’s time expire', () => {
    const of = away();
    of.pass(DAY + 15 * MINUTE - 5 * SECOND - 1);
    of.queryFails();
    expect(of.status()).toBe('redirected');
    of.pass(1);
    of.queryFails();
    expect(of.attempt()).toEqual({
      status: 'unknown',
      reason: 'left_at_issuer',
      evidence: {},
      since: of.now().toISOString(),
    });
    expect(of.state()).toMatchObject({ status: 'unknown', attempt_id: 'at_1', search: { reason: 'left_at_issuer' } });
    expect(of.eventTypes()).toEqual(['session.redirected', 'session.unknown']);
  });

  it('alarms about a pending payment at its session’s end', () => {
    const of = pending();
    of.pass(DAY - 5 * SECOND - 1);
    of.query(record('T1', '1000'));
    expect(of.state()).toMatchObject({ status: 'pending', search: { needs_attention: false } });
    of.pass(1);
    of.query(record('T1', '1000'));
    expect(of.state()).toMatchObject({ status: 'pending', transaction_id: 'T1', search: { needs_attention: true } });
  });

  it('leaves a session that is over alone while another attempt is sent', () => {
    const of = story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } }), session('cs_2')] });
    of.pay('at_1');
    of.answer('at_1', declinedOf('T1'));
    of.pay('at_2', { session_id: 'cs_2' });
    of.query(record('T9', '3000', { amount: '20.00' }));
    expect(of.state('cs_1')).not.toHaveProperty('needs_attention');
    expect(of.status('cs_2')).toBe('processing');
  });
});

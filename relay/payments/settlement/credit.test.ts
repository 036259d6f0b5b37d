import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  HOUR,
  lost,
  MINUTE,
  moment,
  record,
  result,
  SECOND,
  type Story,
  session,
  story,
  toIssuer,
} from '../../../test/support/payments/sessions.ts';
import { absent, two, unanswered } from '../../../test/support/payments/stories.ts';
import { attemptOf, provedPayments } from '../order.ts';

const success = { code: '0000', message: 'Success' };
const approvedWith = (transaction_id: string, details = {}) =>
  ({ kind: 'approved', transaction_id, result: success, card: '411111******1111', details }) as const;

/** The payments as they are credited. */
const credits = (of: Story) =>
  of.order().payments.map(({ transaction_id, attempt_id, proof }) => [transaction_id, attempt_id, proof]);

/** A payment that a record reported a minute before its own answer. */
function provedFirst(): Story {
  const of = story();
  of.pay();
  of.pass(5 * SECOND);
  of.query(record('T1', '3000', { subscription_result: { contract_name: 'Tea', subscription_status: '1' } }));
  of.pass(MINUTE);
  return of;
}

describe('a record that proves a payment', () => {
  it('is all that is known of it until its answer comes', () => {
    const of = provedFirst();
    expect(of.state()).toStrictEqual({
      status: 'approved',
      attempt_id: 'at_1',
      transaction_id: 'T1',
      details: expect.objectContaining({ contract_name: 'Tea' }),
    });
    expect(of.attempt()).toStrictEqual({ status: 'approved' });
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({
      transaction_id: 'T1',
      settled_at: moment(5 * SECOND).toISOString(),
    });
  });

  it('gains the details of the attempt’s later answer', () => {
    const of = provedFirst();
    of.answer('at_1', approvedWith('T1', { contract_name: 'Coffee' }));
    expect(of.state()).toStrictEqual({
      status: 'approved',
      attempt_id: 'at_1',
      transaction_id: 'T1',
      card: '411111******1111',
      result: success,
      details: expect.objectContaining({ contract_name: 'Coffee' }),
    });
    expect(of.attempt()).toStrictEqual({ status: 'approved', result: success });
    expect(attemptOf(of.order(), 'at_1').settled_at).toBe(moment(5 * SECOND).toISOString());
    expect(credits(of)).toEqual([['T1', 'at_1', 'answer']]);
    expect(of.eventTypes()).toEqual(['session.approved']);
  });

  it('is another payment than the answer’s own transaction', () => {
    const of = provedFirst();
    of.answer('at_1', approvedWith('T2'));
    expect(credits(of)).toEqual([
      ['T1', 'at_1', 'record'],
      ['T2', 'at_1', 'answer'],
    ]);
    expect(of.state()).toMatchObject({ transaction_id: 'T1', attempt_id: 'at_1' });
    expect(of.state()).not.toHaveProperty('card');
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({ transaction_id: 'T2', state: { result: success } });
    expect(of.events.at(-1)).toEqual({
      type: 'session.paid_twice',
      session_id: 'cs_1',
      transaction_ids: ['T1', 'T2'],
    });
  });

  it('of a second payment keeps attempt and session with the first', () => {
    const of = story();
    of.pay();
    of.answer('at_1', approvedWith('T1'));
    of.pass(HOUR);
    const before = of.order();
    of.query(record('T1', '3000'), record('T2', '3000', { date: moment(MINUTE), recurring_id: 'R2' }));
    expect(credits(of)).toEqual([
      ['T1', 'at_1', 'answer'],
      ['T2', 'at_1', 'record'],
    ]);
    expect(of.order().attempts).toEqual(before.attempts);
    expect(of.order().sessions).toEqual(before.sessions);
    // It is written all the same: the webhook reports a new version.
    expect(of.order().sessions[0]).not.toBe(before.sessions[0]);
  });

  it('keeps in mind the other transaction that its attempt had', () => {
    const of = story();
    of.pay();
    of.answer('at_1', { kind: 'declined', transaction_id: 'T1', result, advice: 'try_another_card' });
    of.query(record('T2', '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({ transaction_id: 'T2', other_id: 'T1' });
    expect(of.order().next_query_at).toBeDefined();
    of.query(record('T1', '3000'), record('T2', '3000'));
    expect(credits(of)).toEqual([
      ['T2', 'at_1', 'record'],
      ['T1', 'at_1', 'record'],
    ]);
    expect(of.events.at(-1)).toMatchObject({ type: 'session.paid_twice', transaction_ids: ['T2', 'T1'] });
  });

  it.each([
    ['that a record named is of the attempt that has none', toIssuer, 'at_1'],
    ['that an answer named stays with its attempt', { ...toIssuer, transaction_id: 'T1' }, 'at_2'],
  ] as const)('of another transaction %s', (_, answer, credited) => {
    const of = absent();
    of.pay('at_2');
    of.answer('at_2', answer);
    of.pass(5 * SECOND);
    const date = moment(of.now().getTime() - moment(0).getTime());
    of.query(record('T1', '1000', { date }));
    expect(attemptOf(of.order(), 'at_2').transaction_id).toBe('T1');
    of.query(record('T1', '1000', { date }), record('T2', '3000', { date }));
    of.query(record('T1', '3000', { date }), record('T2', '3000', { date }));
    expect(credits(of)).toEqual([
      ['T2', 'at_2', 'record'],
      ['T1', credited, 'record'],
    ]);
  });

  it('is not of an attempt whose answer declined it', () => {
    const of = story();
    of.pay();
    of.answer('at_1', { kind: 'declined', transaction_id: undefined, result, advice: 'try_another_card' });
    of.pay('at_2');
    of.answer('at_2', toIssuer);
    of.pass(5 * SECOND);
    const date = moment(5 * SECOND);
    of.query(record('T1', '1000', { date }));
    of.query(record('T1', '1000', { date }), record('T2', '3000', { date }));
    of.query(record('T1', '3000', { date }), record('T2', '3000', { date }));
    expect(credits(of).map(([, attempt]) => attempt)).toEqual(['at_2', 'at_2']);
  });

  it('keeps in mind what the attempt’s own answer names later', () => {
    const declined = { kind: 'declined', transaction_id: 'T1', result, advice: 'try_another_card' } as const;
    const of = story();
    of.pay();
    of.query(record('T2', '3000'));
    of.answer('at_1', declined);
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({ transaction_id: 'T2', other_id: 'T1' });
    expect(of.order().next_query_at).toBeDefined();
    for (const answer of [{ ...declined, unsigned: true }, { ...declined, transaction_id: 'T2' }, lost] as const) {
      const other = story();
      other.pay();
      other.query(record('T2', '3000'));
      other.answer('at_1', answer);
      expect(attemptOf(other.order(), 'at_1')).not.toHaveProperty('other_id');
    }
  });

  it('keeps in mind what an unsigned answer approved', () => {
    const of = story();
    of.pay();
    of.answer('at_1', { ...approvedWith('T1'), unsigned: true });
    of.query(record('T2', '3000'));
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({ transaction_id: 'T2', other_id: 'T1' });
  });

  it('named by a signed answer overrides the manual decision', () => {
    const of = story();
    of.pay();
    of.answer('at_1', { kind: 'unknown', reason: 'codes_not_listed', evidence: {}, signed_id: 'T1' });
    of.person({ outcome: 'approved', transaction_id: 'P1' });
    expect(attemptOf(of.order(), 'at_1')).toMatchObject({ transaction_id: 'P1', other_id: 'T1' });
    of.query(record('T1', '3000'));
    expect(attemptOf(of.order(), 'at_1').transaction_id).toBe('T1');
    expect(attemptOf(of.order(), 'at_1')).not.toHaveProperty('other_id');
  });

  it('of another amount comes after that of the order’s own', () => {
    const of = unanswered();
    of.query(record('T9', '3000', { amount: '20.00' }), record('T1', '3000', { date: moment(2 * SECOND) }));
    expect(of.order().payments.map(({ transaction_id }) => transaction_id)).toEqual(['T1', 'T9']);
    expect(of.events.at(-1)).toMatchObject({ type: 'session.paid_twice', transaction_ids: ['T1', 'T9'] });
  });

  it('keeps the contract of the payment in attempt and session', () => {
    const of = unanswered();
    of.query(record('T1', '3000', { recurring_id: 'R1' }));
    expect(of.attempt()).toStrictEqual({ status: 'approved', recurring_id: 'R1' });
    expect(of.state()).toStrictEqual({
      status: 'approved',
      attempt_id: 'at_1',
      transaction_id: 'T1',
      recurring_id: 'R1',
    });
  });

  it('shows the card that the attempt was made with', () => {
    const of = story();
    of.pay('at_1', { card: '555555******4444' });
    of.answer('at_1', lost);
    of.query(record('T1', '3000'));
    expect(of.state()).toMatchObject({ card: '555555******4444' });
    of.answer('at_1', approvedWith('T1'));
    expect(of.state()).toMatchObject({ card: '411111******1111' });
  });

  it('is late for a session whose time is over', () => {
    const of = absent();
    of.pass(Date.parse(session().expires_at) - of.now().getTime() - SECOND);
    of.query(record('T1', '3000'));
    expect(of.events.at(-1)).toStrictEqual({ type: 'session.approved', session_id: 'cs_1' });
    const over = absent();
    over.pass(Date.parse(session().expires_at) - over.now().getTime());
    over.query(record('T1', '3000'));
    expect(over.events.at(-1)).toStrictEqual({ type: 'session.approved', session_id: 'cs_1', late: true });
  });
});

describe('a payment that another attempt’s answer claims', () => {
  /** Two sessions: the record was credited to the attempt that is in flight. */
  function credited(answer?: Parameters<Story['answer']>[1]): Story {
    const of = absent(two());
    of.pay('at_2', { session_id: 'cs_2' });
    if (answer) of.answer('at_2', answer);
    of.query(record('T1', '3000', { date: of.now() }));
    expect(credits(of)).toEqual([['T1', 'at_2', 'record']]);
    expect(of.status('cs_2')).toBe('approved');
    of.events.length = 0;
    of.pass(MINUTE);
    return of;
  }

  it('moves to it, and the other is watched', () => {
    const of = credited();
    of.answer('at_1', approvedBy('T1'));
    expect(credits(of)).toEqual([['T1', 'at_1', 'answer']]);
    expect(of.state('cs_1')).toMatchObject({ status: 'approved', attempt_id: 'at_1', transaction_id: 'T1' });
    expect(of.events).toEqual([{ type: 'session.approved', session_id: 'cs_1', late: true }]);
    const other = attemptOf(of.order(), 'at_2');
    expect(other).toMatchObject({
      settled_at: of.now().toISOString(),
      state: { status: 'not_paid', reason: 'absent' },
    });
    expect(other).not.toHaveProperty('transaction_id');
  });

  it('leaves an attempt unknown whose own answer approved it', () => {
    const of = credited({ kind: 'unknown', reason: 'echo_mismatch', evidence: {}, signed_approval: true });
    of.answer('at_1', approvedBy('T1'));
    const other = attemptOf(of.order(), 'at_2');
    expect(other).toMatchObject({ signed_approval: true, state: { status: 'unknown' } });
    expect(other).not.toHaveProperty('settled_at');
    expect(of.order().hold).toBe('paid');
  });

  it('leaves that one its other payments', () => {
    const of = credited();
    of.answer('at_2', approvedBy('T2'));
    of.answer('at_1', approvedBy('T1'));
    expect(credits(of)).toEqual([
      ['T1', 'at_1', 'answer'],
      ['T2', 'at_2', 'answer'],
    ]);
    expect(attemptOf(of.order(), 'at_2')).toMatchObject({ transaction_id: 'T2', state: { status: 'approved' } });
  });

  it('is taken from the other though a third attempt paid, too', () => {
    const of = unanswered(two());
    of.absent();
    of.pay('at_0');
    of.answer('at_0', lost);
    of.pass(5 * SECOND);
    of.absent();
    of.pay('at_2', { session_id: 'cs_2' });
    of.query(record('T1', '3000', { date: of.now() }));
    of.answer('at_0', approvedBy('T0'));
    expect(credits(of)).toEqual([
      ['T1', 'at_2', 'record'],
      ['T0', 'at_0', 'answer'],
    ]);
    of.answer('at_1', approvedBy('T1'));
    expect(credits(of)).toEqual([
      ['T1', 'at_1', 'answer'],
      ['T0', 'at_0', 'answer'],
    ]);
    expect(of.attempt('at_2')).toEqual({ status: 'not_paid', reason: 'absent' });
  });

  it('shows its contract only in its own session', () => {
    const of = absent(two());
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_1', approvedBy('T1'));
    of.answer('at_2', approvedBy('T2'));
    of.query(record('T1', '3000'), record('T2', '3000', { recurring_id: 'R2', date: of.now() }));
    expect(of.state('cs_1')).not.toHaveProperty('recurring_id');
    expect(of.state('cs_2')).toMatchObject({ transaction_id: 'T2', recurring_id: 'R2' });
    expect(of.order().payments.map(({ recurring_id }) => recurring_id)).toEqual([undefined, 'R2']);
  });

  it('stays unchanged if the same attempt claims it', () => {
    const of = credited();
    of.answer('at_2', approvedBy('T1'));
    expect(credits(of)).toEqual([['T1', 'at_2', 'answer']]);
    expect(of.events).toEqual([]);
    expect(of.attempt('at_1')).toEqual({ status: 'not_paid', reason: 'absent' });
  });
});

describe('a payment that a person reported', () => {
  const reported = (of = unanswered()): Story => {
    of.person({ outcome: 'approved', transaction_id: 'P1', amount: '9.00' });
    of.pass(MINUTE);
    return of;
  };

  it('has the person’s amount until the record names its own', () => {
    const of = reported();
    expect(of.order().payments).toMatchObject([
      {
        transaction_id: 'P1',
        method: 'card',
        amount: '9.00',
        currency: 'BRL',
        proof: 'person',
        date: moment(5 * SECOND).toISOString(),
        attempt_id: 'at_1',
      },
    ]);
    of.query(record('P1', '3000', { recurring_id: 'R1' }));
    expect(of.order().payments).toMatchObject([
      {
        transaction_id: 'P1',
        method: 'card',
        amount: '10.00',
        currency: 'BRL',
        proof: 'record',
        date: moment(SECOND).toISOString(),
        recurring_id: 'R1',
        attempt_id: 'at_1',
      },
    ]);
    expect(of.state()).toMatchObject({ transaction_id: 'P1', recurring_id: 'R1' });
  });

  it('is reported anew where another transaction replaces it', () => {
    const of = reported();
    of.events.length = 0;
    of.query(
      record('T1', '3000', { recurring_id: 'R1', subscription_result: { recurring_id: 'R1', contract_name: 'Tea' } }),
    );
    expect(of.events).toEqual([{ type: 'session.approved', session_id: 'cs_1' }]);
    expect(of.state()).toStrictEqual({
      status: 'approved',
      attempt_id: 'at_1',
      transaction_id: 'T1',
      recurring_id: 'R1',
      details: { contract_name: 'Tea' },
    });
    expect(attemptOf(of.order(), 'at_1').transaction_id).toBe('T1');
  });

  it('is reported beside a record of another amount', () => {
    const of = reported();
    of.events.length = 0;
    of.query(record('T2', '3000', { amount: '12.50' }));
    expect(of.events).toMatchObject([{ type: 'session.paid_twice', transaction_ids: ['P1', 'T2'] }]);
    of.events.length = 0;
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'P1' });
    expect(of.order().payments.map(({ transaction_id, proof }) => [transaction_id, proof])).toEqual([
      ['P1', 'person'],
      ['T2', 'record'],
    ]);
    // Once proved, it is the first of the same two, which were reported.
    of.query(record('P1', '3000'), record('T2', '3000', { amount: '12.50' }));
    expect(of.events).toEqual([]);
  });

  it('is replaced by its attempt’s own transaction, beside the same second one', () => {
    const of = reported();
    of.query(record('T2', '3000', { amount: '12.50' }));
    of.events.length = 0;
    of.query(record('T1', '3000'), record('T2', '3000', { amount: '12.50' }));
    expect(of.events.filter(({ type }) => type === 'session.paid_twice')).toEqual([]);
    expect(provedPayments(of.order()).map(({ transaction_id }) => transaction_id)).toEqual(['T1', 'T2']);
  });

  it('leaves a third charge to the shop if the second was reported', () => {
    const of = reported();
    of.query(record('T2', '3000', { amount: '12.50' }));
    of.answer('at_1', { ...approvedWith('U1'), unsigned: true });
    of.query(record('T2', '3000', { amount: '12.50' }), record('T3', '3000', { amount: '12.50' }));
    const seconds = () => of.events.flatMap(({ transaction_ids }) => transaction_ids?.[1] ?? []);
    expect(seconds()).toEqual(['T2']);
    expect(provedPayments(of.order()).map(({ transaction_id }) => transaction_id)).toEqual(['T3', 'T2']);
    of.query(record('U1', '3000'), ...['T2', 'T3'].map((id) => record(id, '3000', { amount: '12.50' })));
    expect(seconds()).toEqual(['T2', 'T3']);
  });

  it('stays the first once an answer claims the reported second', () => {
    const of = reported();
    of.query(record('T2', '3000', { amount: '12.50' }));
    expect(of.events.at(-1)).toMatchObject({ type: 'session.paid_twice', transaction_ids: ['P1', 'T2'] });
    of.events.length = 0;
    of.answer('at_1', approvedBy('T2'));
    expect(credits(of)).toContainEqual(['T2', 'at_1', 'answer']);
    of.query(record('P1', '3000'), record('T2', '3000', { amount: '12.50' }));
    expect(of.events.filter(({ type }) => type === 'session.paid_twice')).toEqual([]);
    expect(provedPayments(of.order()).map(({ transaction_id }) => transaction_id)).toEqual(['P1', 'T2']);
  });

  it('is reported once where the person repeats it', () => {
    const of = reported();
    const before = of.order();
    expect(of.person({ outcome: 'approved', transaction_id: 'P1' })).toBe(false);
    expect(of.order()).toEqual(before);
  });

  it('is no less proved by a person who names it again', () => {
    const of = absent(two());
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_2', lost);
    of.answer('at_1', approvedBy('T1', 'R1'));
    const { payments } = of.order();
    expect(of.person({ outcome: 'approved', transaction_id: 'T1', amount: '9.00' }, 'cs_2')).toBe(true);
    expect(of.order().payments).toEqual(payments);
    expect(of.attempt('at_2')).toEqual({ status: 'not_paid', reason: 'settled' });
  });

  it('is paid twice once it is proved beside another', () => {
    const of = reported(unanswered(two()));
    of.query(record('P1', '3000'), record('T2', '3000', { date: moment(2 * SECOND) }));
    expect(of.events.filter(({ type }) => type === 'session.paid_twice')).toEqual([
      { type: 'session.paid_twice', session_id: 'cs_1', transaction_ids: ['P1', 'T2'] },
    ]);
  });
});

it('a decline in an answer after an approval changes nothing', () => {
  const of = provedFirst();
  const before = of.order();
  of.answer('at_1', { kind: 'declined', result, advice: 'contact_bank' });
  const planned = { version: 0, planned_at: undefined };
  expect({ ...of.order(), ...planned }).toEqual({ ...before, ...planned });
});

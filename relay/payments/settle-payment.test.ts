import { describe, expect, it } from 'vitest';
import { approvedBy, DAY, MINUTE, record, rules, type Story, story } from '../../test/support/payments/sessions.ts';

const shown = (code: string) => record('T1', code);
const types = (of: Story): string[] => of.payments.map(({ type }) => type);
const decided = (of: Story) => of.order().payments[0]?.decided;
const needsPerson = (of: Story): boolean => {
  const state = of.state();
  return state.status === 'approved' && state.needs_attention === true;
};

/** A payment that a signed answer approved; each code is its record in a query. */
function paid(...codes: string[]): Story {
  const of = story();
  of.pay();
  of.answer('at_1', approvedBy('T1'));
  of.pass(rules.resolve.confirm_ms);
  for (const code of codes) of.query(shown(code));
  return of;
}

/** A payment that the gateway's books do not show. */
function unconfirmed(): Story {
  const of = paid();
  of.query();
  of.pass(rules.resolve.absent_ms);
  of.queryFails();
  return of;
}

describe('a person who confirms a payment', () => {
  it('makes one ready whose record is awaited', () => {
    const of = paid();
    of.settlePayment('T1', 'confirmed');
    expect(of.payments).toEqual([{ type: 'payment.ready', transaction_id: 'T1', confirmed: true }]);
    expect(decided(of)).toEqual({ outcome: 'confirmed', by: 'key', at: of.now().toISOString(), note: 'n' });
    of.pass(DAY);
    of.query();
    expect(types(of)).toEqual(['payment.ready']);
    of.query(shown('3000'));
    expect(types(of)).toEqual(['payment.ready']);
  });

  it('makes an unconfirmed one ready, and ends the alarm', () => {
    const of = unconfirmed();
    expect([types(of), needsPerson(of)]).toEqual([['payment.unconfirmed'], true]);
    of.settlePayment('T1', 'confirmed');
    expect(of.payments.slice(1)).toEqual([{ type: 'payment.ready', transaction_id: 'T1', confirmed: true }]);
    expect(needsPerson(of)).toBe(false);
  });

  it('accepts a held one, until its record changes', () => {
    const of = paid('3900');
    of.settlePayment('T1', 'confirmed');
    of.query(shown('3900'));
    expect(types(of)).toEqual(['payment.held', 'payment.accepted', 'payment.ready']);
    expect([decided(of)?.outcome, needsPerson(of)]).toEqual(['confirmed', false]);
    of.query(shown('4100'));
    expect(types(of).at(-1)).toBe('payment.reversed');
    expect(needsPerson(of)).toBe(true);
  });

  it('restores a reversed one', () => {
    const of = paid('3000', '4100');
    of.settlePayment('T1', 'confirmed');
    of.query(shown('4100'));
    expect(types(of)).toEqual(['payment.ready', 'payment.reversed', 'payment.ready']);
    expect(of.payments.at(-1)).toMatchObject({ restored: true });
    expect(needsPerson(of)).toBe(false);
  });

  it('is no longer contradicted by a record that the person knew', () => {
    const of = story();
    of.pay();
    of.orphan();
    of.person({ outcome: 'approved', transaction_id: 'T1' });
    of.query(shown('4100'));
    expect(needsPerson(of)).toBe(true);
    of.settlePayment('T1', 'confirmed');
    const told = of.eventTypes().length;
    of.pass(MINUTE);
    of.query(shown('4100'));
    expect([of.eventTypes().length, needsPerson(of)]).toEqual([told, false]);
  });

  it('changes nothing by confirming again', () => {
    const of = paid();
    expect(of.settlePayment('T1', 'confirmed')).toBe(true);
    expect(of.settlePayment('T1', 'confirmed')).toBe(false);
    expect(of.settlePayment('T2', 'confirmed')).toBe(false);
  });
});

describe('a person who reverses a payment', () => {
  it('causes an event, and may confirm it later', () => {
    const of = paid('3000');
    of.settlePayment('T1', 'reversed');
    of.query(shown('3000'));
    expect(types(of)).toEqual(['payment.ready', 'payment.reversed']);
    expect(needsPerson(of)).toBe(false);
    of.settlePayment('T1', 'confirmed');
    expect(types(of).at(-1)).toBe('payment.ready');
  });

  it('keeps an unconfirmed one from being delivered', () => {
    const of = unconfirmed();
    of.settlePayment('T1', 'reversed');
    of.pass(DAY);
    of.query();
    expect(types(of)).toEqual(['payment.unconfirmed', 'payment.reversed']);
    expect(needsPerson(of)).toBe(false);
  });

  it('ends the alarm of one that its record reversed', () => {
    const of = paid('3000', '4100');
    of.settlePayment('T1', 'reversed');
    of.query(shown('4100'));
    expect([types(of), needsPerson(of)]).toEqual([['payment.ready', 'payment.reversed'], false]);
    // After the last of `paid_days` nothing of it is open.
    of.pass(31 * DAY);
    of.query(shown('4100'));
    expect(of.order().next_query_at).toBeUndefined();
  });
});

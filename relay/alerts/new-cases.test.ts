import { describe, expect, it } from 'vitest';
import type { Attention, AttentionCase } from '../../shared/api/attention.ts';
import type { Recipient } from '../config/alerts.ts';
import { endedDay, isDue, mayTry, newCasesOf, type Sent, sentIn, summaryDue } from './new-cases.ts';

const now = new Date('2027-03-31T10:30:00.000Z');

const recipient: Recipient = {
  ...{ id: 'ops', to: { email: 'ops@shop.example' }, every: 'minute', summary: false, language: 'en' },
};

const sentAt = (at: string, more: Partial<Sent> = {}): Sent => ({ accounts: {}, failures: 0, at, ...more });

function attention(kind: string, count: number, ...cases: string[]): Attention {
  const of = (order_no: string): AttentionCase => ({ since: '2027-03-31T09:00:00.000Z', why: 'timeout', order_no });
  return { at: now.toISOString(), groups: [{ kind, count, cases: cases.map(of) }] };
}

describe('what is new', () => {
  it('is each case that was not sent', () => {
    const first = newCasesOf(attention('paid_twice', 1, 'A-1'), undefined, recipient);
    expect(first.fresh).toMatchObject([{ kind: 'paid_twice', count: 1, cases: [{ order_no: 'A-1' }] }]);
    const second = newCasesOf(attention('paid_twice', 2, 'A-1', 'A-2'), first.known, recipient);
    expect(second.fresh).toMatchObject([{ count: 2, cases: [{ order_no: 'A-2' }] }]);
    expect(newCasesOf(attention('paid_twice', 2, 'A-1', 'A-2'), second.known, recipient).fresh).toEqual([]);
  });

  it('is a count that rose, where the case is not listed', () => {
    const { known } = newCasesOf(attention('difference', 30, 'A-1'), undefined, recipient);
    expect(newCasesOf(attention('difference', 31, 'A-1'), known, recipient).fresh).toMatchObject([
      { count: 31, cases: [] },
    ]);
    expect(newCasesOf(attention('difference', 29, 'A-1'), known, recipient).fresh).toEqual([]);
  });

  it('is a case that came back', () => {
    const { known } = newCasesOf(attention('order_unknown', 1, 'A-1'), undefined, recipient);
    const gone = newCasesOf(attention('order_unknown', 0), known, recipient);
    expect(newCasesOf(attention('order_unknown', 1, 'A-1'), gone.known, recipient).fresh).toHaveLength(1);
  });

  it('leaves out kinds that need no person, or that are not wanted', () => {
    expect(newCasesOf(attention('order_pending', 1, 'A-1'), undefined, recipient).fresh).toEqual([]);
    const wants = { ...recipient, kinds: ['order_pending' as const] };
    expect(newCasesOf(attention('order_pending', 1, 'A-1'), undefined, wants).fresh).toHaveLength(1);
    expect(newCasesOf(attention('paid_twice', 1, 'A-1'), undefined, wants).fresh).toEqual([]);
  });
});

describe('when it is sent', () => {
  it.each([
    ['hour', '2027-03-31T09:59:59.000Z', true],
    ['hour', '2027-03-31T10:00:00.000Z', false],
    ['day', '2027-03-31T06:59:59.000Z', true],
    ['day', '2027-03-31T07:00:00.000Z', false],
    ['day', '2027-04-01T07:00:00.000Z', true],
    ['minute', '2027-03-31T10:29:59.000Z', true],
  ] as const)('every %s, after %s: %s', (every, at, due) => {
    expect(isDue({ ...recipient, every }, sentAt(at), now, '07:00')).toBe(due);
  });

  it('has one summary a day, of the day that ended', () => {
    const wants = { ...recipient, summary: true };
    expect(endedDay(now, '07:00')).toBe('2027-03-30');
    expect(endedDay(now, '11:00')).toBe('2027-03-29');
    expect(summaryDue(wants, sentAt('', { summary_of: '2027-03-29' }), now, '07:00')).toBe('2027-03-30');
    expect(summaryDue(wants, sentAt('', { summary_of: '2027-03-30' }), now, '07:00')).toBeUndefined();
    expect(summaryDue(wants, sentAt(''), now, '07:00')).toBeUndefined();
    expect(summaryDue(recipient, sentAt('', { summary_of: '2027-03-01' }), now, '07:00')).toBeUndefined();
  });

  it('waits longer after each failure, an hour at most', () => {
    const failed = (failures: number, minutes: number): boolean =>
      mayTry(sentAt('', { failures, failed_at: new Date(now.getTime() - minutes * 60_000).toISOString() }), now);
    expect([failed(1, 0.9), failed(1, 1), failed(3, 3.9), failed(3, 4), failed(40, 59), failed(40, 60)]).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(failed(40, -1)).toBe(true);
    expect(mayTry(sentIn('{}'), now)).toBe(true);
  });
});

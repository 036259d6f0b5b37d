import { describe, expect, it } from 'vitest';
import type { Recipient } from '../config/alerts.ts';
import { endedDay, isDue, mayTry, summaryDue } from './due-alerts.ts';
import { type RecipientState, readState } from './recipient-state.ts';

const now = new Date('2027-03-31T10:30:00.000Z');

const recipient: Recipient = {
  ...{ id: 'ops', to: { email: 'ops@shop.example' }, every: 'minute', summary: false, language: 'en' },
};

const sentAt = (at: string, more: Partial<RecipientState> = {}): RecipientState => ({
  accounts: {},
  failures: 0,
  at,
  ...more,
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
    expect(mayTry(readState('{}'), now)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import type { Attention, AttentionCase } from '../../shared/api/attention.ts';
import type { Recipient } from '../config/alerts.ts';
import { newCasesOf } from './new-cases.ts';

const now = new Date('2027-03-31T10:30:00.000Z');

const recipient: Recipient = {
  ...{ id: 'ops', to: { email: 'ops@shop.example' }, every: 'minute', summary: false, language: 'en' },
};

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

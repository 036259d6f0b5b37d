import { describe, expect, it } from 'vitest';
import { at, attempt, session } from '../../../test/store/fixtures.ts';
import type { Attempt, AttemptState } from '../../payments/attempt.ts';
import { countedOf, createTally } from './tally.ts';

const yes: AttemptState = { status: 'approved', result: { code: '0000', message: '' } };
const no = (code: string): AttemptState => ({ status: 'declined', result: { code, message: '' }, proof: 'answer' });

function figuresOf(...attempts: Partial<Attempt>[]) {
  const tally = createTally();
  for (const one of attempts) tally.add(countedOf(attempt('at_1', session('cs_1'), one)));
  return tally.figures();
}

describe('a tally', () => {
  it('is all zeros without payments, and has no rate', () => {
    const figures = figuresOf();
    expect(figures).toMatchObject({ payments: 0, approved: [], methods: [], decline_codes: [], refunds: [], net: [] });
    expect(new Set(Object.values(figures.outcomes))).toEqual(new Set([0]));
    expect(figures).not.toHaveProperty('approval_rate');
    expect(figures).not.toHaveProperty('latency');
  });

  it('counts payments by outcome and method, but none that was not sent', () => {
    const figures = figuresOf(
      { state: yes },
      { state: yes },
      { state: no('2001') },
      { method: 'PIX', state: { status: 'pending', since: at(0) } },
      { state: { status: 'not_sent' } },
    );
    expect(figures).toMatchObject({
      payments: 4,
      outcomes: { approved: 2, declined: 1, pending: 1, unknown: 0 },
      approval_rate: 0.6667,
      methods: [
        { payment_method: 'card', payments: 3, approved: 2, declined: 1, approval_rate: 0.6667 },
        { payment_method: 'PIX', payments: 1, approved: 0, declined: 0 },
      ],
    });
    expect(figures.methods[1]).not.toHaveProperty('approval_rate');
  });

  it('adds amounts up exactly, each currency by itself', () => {
    const figures = figuresOf(
      ...['0.10', '0.2', '9007199254740993.01'].map((amount) => ({ state: yes, amount, currency: 'USD' })),
      { state: yes, amount: '1.234', currency: 'KWD' },
      { state: yes, amount: '1000.00', currency: 'JPY' },
      { state: no('2001'), amount: '5.00', currency: 'USD' },
    );
    expect(figures.approved).toEqual([
      { currency: 'USD', count: 3, amount: '0.30' },
      { currency: 'JPY', count: 1, amount: '1000.00' },
      { currency: 'KWD', count: 1, amount: '1.234' },
    ]);
    const most = figuresOf(...Array.from({ length: 9 }, () => ({ state: yes, amount: '999999999999999.99' })));
    expect(most.approved).toEqual([{ currency: 'BRL', count: 9, amount: '8999999999999999.91' }]);
  });

  it('names the most frequent decline codes', () => {
    const rare = Array.from({ length: 60 }, (_, n) => ({ state: no(`3${n}`) }));
    const { decline_codes, outcomes } = figuresOf({ state: no('2001') }, { state: no('2001') }, ...rare);
    expect(outcomes.declined).toBe(62);
    expect(decline_codes).toHaveLength(50);
    expect(decline_codes[0]).toEqual({ code: '2001', count: 2 });
  });

  it('takes the latency of what the gateway answered itself', () => {
    const answeredIn = (ms: number, state: AttemptState): Partial<Attempt> => ({
      state,
      settled_at: new Date(Date.parse(at(0)) + ms).toISOString(),
    });
    const byQuery: AttemptState = { status: 'declined', result: { code: '1', message: '' }, proof: 'record' };
    const figures = figuresOf(
      ...Array.from({ length: 100 }, (_, n) => answeredIn(n + 1, n % 2 ? yes : no('1'))),
      answeredIn(60_000, { status: 'approved' }),
      answeredIn(60_000, byQuery),
      { state: yes },
    );
    expect(figures.latency).toEqual({ answers: 100, p50_ms: 50, p95_ms: 95, p99_ms: 99 });
  });
});

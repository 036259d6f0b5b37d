import { describe, expect, it } from 'vitest';
import type { Operation } from '../payments/operation.ts';
import { afterLook, withFirstLook } from './refund-lookup.ts';

const since = '2026-11-21T09:00:00.000Z';
const resolve = { first_ms: 1000, max_ms: 60_000, absent_ms: 900_000, give_up_ms: 86_400_000 };
const at = (seconds: number): Date => new Date(Date.parse(since) + 1000 * seconds);

const refund: Operation = {
  id: 'op_1',
  account: 'demo',
  name: 'refund',
  created_at: since,
  version: 2,
  request: {},
  state: { status: 'unknown', reason: 'timeout', since, evidence: {} },
  lookup: { before: [], asked_at: since, looks: 0 },
};

describe('the looks at an unknown refund', () => {
  it('begin after a moment, and only where there is something to compare with', () => {
    expect(withFirstLook(refund, at(0), resolve).lookup?.next_look_at).toBe('2026-11-21T09:00:01.000Z');
    const { lookup: _, ...blind } = refund;
    expect(withFirstLook(blind, at(0), resolve)).toEqual(blind);
    const known: Operation = { ...refund, state: { status: 'not_sent' } };
    expect(withFirstLook(known, at(0), resolve)).toEqual(known);
  });

  it('back off, twice as long each time up to the longest', () => {
    let current = withFirstLook(refund, at(0), resolve);
    const waits: number[] = [];
    for (let looks = 0; looks < 8; looks++) {
      const now = new Date(current.lookup?.next_look_at ?? '');
      current = afterLook(current, { kind: 'absent' }, now, resolve);
      waits.push((Date.parse(current.lookup?.next_look_at ?? '') - now.getTime()) / 1000);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
    expect(current.lookup).toMatchObject({ looks: 8, last_look: { found: 'absent' } });
    expect(current.version).toBe(refund.version + 8);
  });

  it.each(['absent', 'ambiguous', 'undecided', 'search_unanswered', 'search_refused'] as const)(
    'go on after one that was %s, and end when the search is given up',
    (kind) => {
      const before = afterLook(refund, { kind }, at(86_399), resolve);
      expect(before.lookup?.next_look_at).toBeDefined();
      const last = afterLook(before, { kind }, at(86_400), resolve);
      expect(last).toMatchObject({ state: { status: 'unknown' }, lookup: { looks: 2, last_look: { found: kind } } });
      expect(last.lookup?.next_look_at).toBeUndefined();
    },
  );
});

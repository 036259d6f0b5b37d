import { describe, expect, it } from 'vitest';
import { since, unknownRefund } from '../../../test/support/payments/operations.ts';
import { afterRefundSearch, withFirstSearch } from './after-refund-search.ts';
import { gaveUp, needsPerson, nextLookAt, type Operation } from './operation.ts';
import { countedRefunds } from './refund-rule.ts';

const resolve = { first_ms: 1000, max_ms: 60_000, absent_ms: 900_000, give_up_ms: 86_400_000 };
const at = (seconds: number): Date => new Date(Date.parse(since) + 1000 * seconds);

const refund = unknownRefund();

describe('the searches for an unknown refund', () => {
  it('begin after a moment, where something can be compared', () => {
    expect(withFirstSearch(refund, at(0), resolve).lookup?.next_look_at).toBe('2026-11-21T09:00:01.000Z');
    const { lookup: _, ...blind } = refund;
    expect(withFirstSearch(blind, at(0), resolve)).toEqual(blind);
    const known: Operation = { ...refund, state: { status: 'not_sent' } };
    expect(withFirstSearch(known, at(0), resolve)).toEqual(known);
  });

  it('back off, twice as long each time up to the longest', () => {
    let current = withFirstSearch(refund, at(0), resolve);
    const waits: number[] = [];
    for (let looks = 0; looks < 8; looks++) {
      const now = new Date(current.lookup?.next_look_at ?? '');
      current = afterRefundSearch(current, { kind: 'absent' }, now, resolve);
      waits.push((Date.parse(current.lookup?.next_look_at ?? '') - now.getTime()) / 1000);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
    expect(current.lookup).toMatchObject({ looks: 8, last_look: { found: 'absent' } });
    expect(current.version).toBe(refund.version + 8);
  });

  it.each(['absent', 'ambiguous', 'undecided', 'search_unanswered', 'search_refused'] as const)(
    'continue after one that was %s, until the search is abandoned',
    (kind) => {
      const before = afterRefundSearch(refund, { kind }, at(86_399), resolve);
      expect(before.lookup?.next_look_at).toBeDefined();
      const last = afterRefundSearch(before, { kind }, at(86_400), resolve);
      expect(last).toMatchObject({ state: { status: 'unknown' }, lookup: { looks: 2, last_look: { found: kind } } });
      expect(last.lookup?.next_look_at).toBeUndefined();
    },
  );
});

describe('the searches for a refund that was refused', () => {
  const refused: Operation = { ...refund, state: { status: 'refused', evidence: {}, reserved: true } };

  it('begin also where nobody knows what was there before', () => {
    const { lookup: _, ...blind } = refused;
    const searched = withFirstSearch(blind, at(5), resolve);
    expect(searched.lookup).toMatchObject({ looks: 0, next_look_at: at(6).toISOString() });
    expect(searched.lookup).not.toHaveProperty('before');
    expect(withFirstSearch({ ...refund, state: { status: 'refused', evidence: {} } }, at(5), resolve).lookup).toEqual(
      refund.lookup,
    );
  });

  it('release it when nothing new is there', () => {
    const released = afterRefundSearch(withFirstSearch(refused, at(0), resolve), { kind: 'absent' }, at(1), resolve);
    expect(released).toMatchObject({ state: { status: 'refused', evidence: {} }, settled_at: at(1).toISOString() });
    expect(released.state).not.toHaveProperty('reserved');
    expect(countedRefunds({ ...released, request: { refund_orders: [{}] } })).toEqual([false]);
  });

  it.each(['ambiguous', 'undecided', 'search_unanswered', 'search_refused'] as const)(
    'keep its reservation after one that was %s, until a person decides',
    (kind) => {
      const before = withFirstSearch(refused, at(0), resolve);
      const later = afterRefundSearch(before, { kind }, at(1), resolve);
      expect(later).toMatchObject({ state: { reserved: true }, lookup: { looks: 1 } });
      expect([nextLookAt(later), needsPerson(later)]).toEqual([at(3).toISOString(), false]);
      const last = afterRefundSearch(later, { kind }, at(86_400), resolve);
      expect(last.state).toMatchObject({ reserved: true });
      expect([nextLookAt(last), needsPerson(last), gaveUp(later, last)]).toEqual([undefined, true, true]);
      expect(countedRefunds({ ...last, request: { refund_orders: [{}] } })).toEqual([]);
    },
  );
});

describe('the searches for a refund with an unlisted code', () => {
  const item = { transaction_id: 'T', currency: 'BRL', amount: '9.00', refund_amount: '1.00' };
  const answered = (refund_reference_id?: string): Operation => {
    const { lookup: _, ...blind } = refund;
    const answer = { refund_orders: [{ ...item, refund_status: '7', refund_message: 'X', refund_reference_id }] };
    const state: Operation['state'] = { status: 'answered', answer, items: ['unknown'] };
    return { ...blind, request: { refund_orders: [item] }, state };
  };

  it('begin if the answer named it or earlier refunds are known', () => {
    expect(nextLookAt(withFirstSearch(answered('R-1'), at(0), resolve))).toBe(at(1).toISOString());
    expect(nextLookAt(withFirstSearch(answered(), at(0), resolve))).toBeUndefined();
    const known = { ...answered(), lookup: { before: [], asked_at: since, looks: 0 } };
    expect(nextLookAt(withFirstSearch(known, at(0), resolve))).toBe(at(1).toISOString());
  });

  it('settle it with what was found, and keep its answer', () => {
    const found = { kind: 'found', items: ['failed'], refund_reference_ids: ['R-1'] } as const;
    const before = withFirstSearch(answered('R-1'), at(0), resolve);
    const settled = afterRefundSearch(
      before,
      { ...found, items: [...found.items], refund_reference_ids: ['R-1'] },
      at(1),
      resolve,
    );
    expect(settled.state).toMatchObject({
      status: 'settled',
      answer: {},
      settlement: { by: 'refund_search', items: ['failed'] },
    });
    expect(countedRefunds(settled)).toEqual([false]);
  });
});

import { describe, expect, it } from 'vitest';
import { since, unknownRefund } from '../../../test/support/payments/operations.ts';
import { afterRefundSearch, withFirstSearch } from './after-refund-search.ts';
import { countedRefunds } from './counted-refunds.ts';
import type { Match } from './match-refunds.ts';
import { canBeSettled, gaveUp, needsPerson, nextSearchAt, type StoredOperation } from './operation.ts';

/** A search that begins so many seconds after the refund was sent, at the one process of these tests. */
const search = (
  operation: StoredOperation,
  found: Parameters<typeof afterRefundSearch>[1],
  seconds: number,
): StoredOperation => {
  const begun = { at: at(seconds).toISOString(), process: 'run_1', monotonic_ms: 1000 * seconds };
  return afterRefundSearch(operation, found, begun, at(seconds), resolve);
};

const absent = { kind: 'absent', items: ['unknown'], refund_reference_ids: [] } satisfies Match;

const resolve = { first_ms: 1000, max_ms: 60_000, absent_ms: 900_000, give_up_ms: 86_400_000 };
const at = (seconds: number): Date => new Date(Date.parse(since) + 1000 * seconds);

const refund = unknownRefund();

describe('the searches for an unknown refund', () => {
  it('begin after a moment, where something can be compared', () => {
    expect(withFirstSearch(refund, at(0), resolve).lookup?.next_look_at).toBe('2026-11-21T09:00:01.000Z');
    const { lookup: _, ...blind } = refund;
    expect(withFirstSearch(blind, at(0), resolve)).toEqual(blind);
    const known: StoredOperation = { ...refund, state: { status: 'not_sent' } };
    expect(withFirstSearch(known, at(0), resolve)).toEqual(known);
  });

  it('back off, twice as long each time up to the longest', () => {
    let current = withFirstSearch(refund, at(0), resolve);
    const waits: number[] = [];
    for (let looks = 0; looks < 8; looks++) {
      const now = new Date(current.lookup?.next_look_at ?? '');
      current = search(current, absent, (now.getTime() - Date.parse(since)) / 1000);
      waits.push((Date.parse(current.lookup?.next_look_at ?? '') - now.getTime()) / 1000);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
    expect(current.lookup).toMatchObject({ looks: 8, last_look: { found: 'absent' } });
    expect(current.version).toBe(refund.version + 8);
  });

  it.each(['ambiguous', 'undecided', 'search_unanswered', 'search_refused'] as const)(
    'continue after one that was %s, until the search is abandoned',
    (kind) => {
      const before = search(refund, { kind }, 86_399);
      expect(before.lookup?.next_look_at).toBeDefined();
      const last = search(before, { kind }, 86_400);
      expect(last).toMatchObject({ state: { status: 'unknown' }, lookup: { looks: 2, last_look: { found: kind } } });
      expect(last.lookup?.next_look_at).toBeUndefined();
    },
  );
});

describe('searches that do not show a refund of two items', () => {
  const two = unknownRefund({ request: { refund_orders: [{}, {}] } });
  const nothing: Match = { kind: 'absent', items: ['unknown', 'unknown'], refund_reference_ids: [] };
  const second: Match = { kind: 'absent', items: ['unknown', 'succeeded'], refund_reference_ids: ['R-2'] };
  const both: Match = { kind: 'found', items: ['succeeded', 'succeeded'], refund_reference_ids: ['R-1', 'R-2'] };
  const searched = (found: Match, times: number[], from = two): StoredOperation =>
    times.reduce((one, seconds) => search(one, found, seconds), withFirstSearch(from, at(0), resolve));

  it.each([
    ['one, however late', [80_000]],
    ['two over the time', [1, 901]],
    ['three at its end', [900, 901, 902]],
    ['three over a tenth of it', [1, 45, 91]],
  ])('prove nothing: %s', (_, times) => {
    expect(searched(nothing, times).state).toEqual(two.state);
  });

  it('settle it as not made, and go on ever more rarely', () => {
    const settled = searched(nothing, [1, 450, 901]);
    const settlement = { by: 'refund_search', items: ['failed', 'failed'], refund_reference_ids: [], absent: [0, 1] };
    expect(settled).toMatchObject({ state: { status: 'settled', settlement }, settled_at: at(901).toISOString() });
    expect([countedRefunds(settled), canBeSettled(settled), needsPerson(settled)]).toEqual([
      [false, false],
      false,
      false,
    ]);
    const gaps: number[] = [];
    for (let watched = settled, now = 901; ; ) {
      const next = nextSearchAt(watched);
      if (next === undefined) break;
      gaps.push((Date.parse(next) - at(now).getTime()) / 1000);
      now = (Date.parse(next) - Date.parse(since)) / 1000;
      watched = search(watched, nothing, now);
      expect(watched.state).toEqual(settled.state);
    }
    expect(gaps.slice(0, 4)).toEqual([60, 60, 120, 240]);
    expect(Math.max(...gaps)).toBe(86_400);
    expect(gaps.reduce((sum, gap) => sum + gap)).toBeGreaterThanOrEqual(30 * 86_400);
  });

  it('count those that were shown apart, in the order of the request', () => {
    const late = search(searched(nothing, [1, 450]), second, 901);
    expect(late.state, 'it counts anew').toEqual(two.state);
    const settled = [1350, 1802].reduce((one, seconds) => search(one, second, seconds), late);
    const settlement = { items: ['failed', 'succeeded'], refund_reference_ids: ['R-2'], absent: [0] };
    expect(settled.state).toMatchObject({ status: 'settled', settlement });
    expect(countedRefunds(settled)).toEqual([false, true]);
  });

  it('are contradicted by one that shows it late', () => {
    for (const from of [
      two,
      { ...two, state: { status: 'refused', evidence: {}, reserved: true } } satisfies StoredOperation,
    ]) {
      const absentFor = searched(nothing, [1, 450, 901], from);
      const one = search(absentFor, second, 2000);
      const settlement = { items: ['failed', 'succeeded'], absent: [0], late: true };
      expect(one.state).toMatchObject({ status: 'settled', settlement });
      expect(nextSearchAt(one)).toBeDefined();
      const found = search(one, both, 3000);
      expect(found.state).toMatchObject({ settlement: { items: ['succeeded', 'succeeded'], late: true } });
      expect(found.state).not.toHaveProperty('settlement.absent');
      expect([countedRefunds(found), nextSearchAt(found)]).toEqual([[true, true], undefined]);
    }
  });

  it('count no further after one that shows something undecided', () => {
    const undecided = search(searched(nothing, [1, 450]), { kind: 'ambiguous' }, 600);
    expect(search(undecided, nothing, 901).state).toEqual(two.state);
    for (const kind of ['search_unanswered', 'search_refused'] as const) {
      const uncounted = search(searched(nothing, [1, 450]), { kind }, 600);
      expect(search(uncounted, nothing, 901).state).toMatchObject({ status: 'settled' });
    }
  });

  it('end nothing that the gateway answered, though for another message', () => {
    const answered = {
      ...two,
      state: { status: 'unknown', reason: 'echo_mismatch', since, evidence: {} },
    } satisfies StoredOperation;
    expect(searched(nothing, [1, 450, 901, 2000], answered).state).toEqual(answered.state);
  });
});

describe('searches for a refund whose earlier ones are not known', () => {
  const { lookup: _, ...rest } = refund;
  const blind: StoredOperation = { ...rest, lookup: { asked_at: since, looks: 0 } };

  it('need a person after absent_ms where something may be it', () => {
    const one = search(withFirstSearch(blind, at(0), resolve), { kind: 'ambiguous' }, 899);
    expect(nextSearchAt(one)).toBeDefined();
    const last = search(one, { kind: 'ambiguous' }, 900);
    expect([nextSearchAt(last), gaveUp(one, last)]).toEqual([undefined, true]);
  });
});

describe('the searches for a refund that was refused', () => {
  const refused: StoredOperation = { ...refund, state: { status: 'refused', evidence: {}, reserved: true } };

  it('begin also where it is unknown what was there before', () => {
    const { lookup: _, ...blind } = refused;
    const searched = withFirstSearch(blind, at(5), resolve);
    expect(searched.lookup).toMatchObject({ looks: 0, next_look_at: at(6).toISOString() });
    expect(searched.lookup).not.toHaveProperty('before');
    expect(withFirstSearch({ ...refund, state: { status: 'refused', evidence: {} } }, at(5), resolve).lookup).toEqual(
      refund.lookup,
    );
  });

  it('release it when three over the time show nothing new', () => {
    const early = [1, 450, 899].reduce(
      (one, seconds) => search(one, absent, seconds),
      withFirstSearch(refused, at(0), resolve),
    );
    expect(early).toMatchObject({ state: { reserved: true } });
    const released = search(early, absent, 901);
    expect(released).toMatchObject({ state: { status: 'refused', evidence: {} }, settled_at: at(901).toISOString() });
    expect(released.state).not.toHaveProperty('reserved');
    expect(countedRefunds({ ...released, request: { refund_orders: [{}] } })).toEqual([false]);
    expect([needsPerson(released), nextSearchAt(released)]).toEqual([false, at(961).toISOString()]);
  });

  it('keep the other refunds on release, to recognise a late one', () => {
    const { lookup: _, ...blind } = refused;
    const others = { ...absent, others: ['R-01'] };
    const asked = withFirstSearch(blind, at(0), resolve);
    expect(search(asked, others, 1).lookup).not.toHaveProperty('before');
    const released = [1, 450, 901].reduce((one, seconds) => search(one, others, seconds), asked);
    expect(released.lookup).toMatchObject({ before: ['R-01'] });
    const known = [1, 450, 901].reduce(
      (one, seconds) => search(one, others, seconds),
      withFirstSearch(
        { ...refused, lookup: { ...asked.lookup, asked_at: since, looks: 0, before: [] } },
        at(0),
        resolve,
      ),
    );
    expect(known.lookup).toMatchObject({ before: [] });
  });

  it.each(['ambiguous', 'undecided', 'search_unanswered', 'search_refused'] as const)(
    'keep its reservation after one that was %s, until a person decides',
    (kind) => {
      const before = withFirstSearch(refused, at(0), resolve);
      const later = search(before, { kind }, 1);
      expect(later).toMatchObject({ state: { reserved: true }, lookup: { looks: 1 } });
      expect([nextSearchAt(later), needsPerson(later)]).toEqual([at(3).toISOString(), false]);
      const last = search(later, { kind }, 86_400);
      expect(last.state).toMatchObject({ reserved: true });
      expect([nextSearchAt(last), needsPerson(last), gaveUp(later, last)]).toEqual([undefined, true, true]);
      expect(countedRefunds({ ...last, request: { refund_orders: [{}] } })).toEqual([]);
    },
  );
});

describe('the searches for a refund with an unlisted code', () => {
  const item = { transaction_id: 'T', currency: 'BRL', amount: '9.00', refund_amount: '1.00' };
  const answered = (refund_reference_id?: string): StoredOperation => {
    const { lookup: _, ...blind } = refund;
    const answer = { refund_orders: [{ ...item, refund_status: '7', refund_message: 'X', refund_reference_id }] };
    const state: StoredOperation['state'] = { status: 'answered', answer, items: ['unknown'] };
    return { ...blind, request: { refund_orders: [item] }, state };
  };

  it('begin if the answer named it or earlier refunds are known', () => {
    expect(nextSearchAt(withFirstSearch(answered('R-1'), at(0), resolve))).toBe(at(1).toISOString());
    expect(nextSearchAt(withFirstSearch(answered(), at(0), resolve))).toBeUndefined();
    const known = { ...answered(), lookup: { before: [], asked_at: since, looks: 0 } };
    expect(nextSearchAt(withFirstSearch(known, at(0), resolve))).toBe(at(1).toISOString());
  });

  it('settle it with what was found, and keep its answer', () => {
    const found = { kind: 'found', items: ['failed'], refund_reference_ids: ['R-1'] } as const;
    const before = withFirstSearch(answered('R-1'), at(0), resolve);
    const settled = search(before, { ...found, items: [...found.items], refund_reference_ids: ['R-1'] }, 1);
    expect(settled.state).toMatchObject({
      status: 'settled',
      answer: {},
      settlement: { by: 'refund_search', items: ['failed'] },
    });
    expect(countedRefunds(settled)).toEqual([false]);
  });
});

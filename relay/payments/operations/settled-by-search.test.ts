import { describe, expect, it } from 'vitest';
import { since, unknownRefund } from '../../../test/support/payments/operations.ts';
import { afterRefundSearch, settledBy, showsMore, unknownSince } from './after-refund-search.ts';
import type { Match } from './match-refunds.ts';
import {
  nextSearchAt,
  type OperationState,
  type RefundsFound,
  type Settlement,
  type StoredOperation,
} from './operation.ts';

const pace = { first_ms: 1000, max_ms: 60_000, absent_ms: 900_000, give_up_ms: 86_400_000 };
const DAY = 86_400;
const at = (seconds: number): Date => new Date(Date.parse(since) + 1000 * seconds);
const begunAt = (seconds: number) => {
  return { at: at(seconds).toISOString(), process: 'run_1', monotonic_ms: 1000 * seconds };
};

const search = (operation: StoredOperation, found: Match, seconds: number): StoredOperation => {
  return afterRefundSearch(operation, found, begunAt(seconds), at(seconds), pace);
};

const evidence = { http_status: 400 };
const nothing: Match = { kind: 'absent', items: ['unknown', 'unknown'], refund_reference_ids: [] };
const second: Match = { kind: 'absent', items: ['unknown', 'succeeded'], refund_reference_ids: ['R-2'] };
const found: Match = { kind: 'found', items: ['failed', 'succeeded'], refund_reference_ids: ['R-1', 'R-2'] };
const ofSearch: RefundsFound = { by: 'refund_search', items: ['failed', 'succeeded'], refund_reference_ids: ['R-2'] };
const byPerson: Settlement = { by: 'person', who: 'ops', items: ['succeeded'] };

describe('a refund that a search finds', () => {
  it('is settled at once, which ends its search', () => {
    const unknown = unknownRefund({ lookup: { before: [], asked_at: since, looks: 2, next_look_at: since } });
    expect(search(unknown, found, 60)).toEqual({
      ...unknown,
      version: 3,
      settled_at: at(60).toISOString(),
      state: { ...unknown.state, status: 'settled', settlement: { ...ofSearch, refund_reference_ids: ['R-1', 'R-2'] } },
      lookup: { before: [], asked_at: since, looks: 3 },
    });
  });

  it('in part, after a refusal, is settled with what is there', () => {
    const refused = unknownRefund({ state: { status: 'refused', evidence, reserved: true } });
    const settled = [1, 450, 901].reduce((one, seconds) => search(one, second, seconds), refused);
    expect(settled.state).toEqual({ status: 'settled', evidence, settlement: { ...ofSearch, absent: [0] } });
    expect(settled.settled_at).toBe(at(901).toISOString());
    expect(nextSearchAt(settled)).toBe(at(961).toISOString());
  });
});

describe('a search that comes too late', () => {
  it.each<[string, StoredOperation]>([
    ['is settled by a person', unknownRefund({ state: { status: 'settled', settlement: byPerson } })],
    ['was answered in full', unknownRefund({ state: { status: 'answered', answer: {}, items: ['succeeded'] } })],
    ['was not sent', unknownRefund({ state: { status: 'not_sent' } })],
  ])('changes nothing of a refund that %s', (_, operation) => {
    expect(search(operation, found, 60)).toEqual({ ...operation, version: 3 });
  });

  it('changes nothing of a refund without a search', () => {
    const { lookup: _, ...blind } = unknownRefund();
    expect(search(blind, found, 60)).toEqual({ ...blind, version: 3 });
  });
});

describe('a refund that counts as not made', () => {
  const absent = unknownRefund({
    settled_at: since,
    state: { status: 'settled', settlement: { ...ofSearch, absent: [0] } },
  });

  it.each([
    [0, 60],
    [59, 60],
    [61, 61],
    [3600, 3600],
    [DAY - 1, DAY - 1],
    [DAY + 1, DAY],
    [30 * DAY - 1, DAY],
  ])('is searched for after %i seconds again %i later', (age, wait) => {
    expect(nextSearchAt(search(absent, second, age))).toBe(at(age + wait).toISOString());
  });

  it('is searched for no more after thirty days', () => {
    expect(nextSearchAt(search(absent, second, 30 * DAY))).toBeUndefined();
  });

  it('is searched for though a clock that was behind dated its end', () => {
    const behind = { ...absent, settled_at: at(-31 * DAY).toISOString() };
    expect(nextSearchAt(search(behind, second, 60))).toBeDefined();
  });

  it('is searched for longer where a clock was set ahead', () => {
    const [ahead, steady] = [30 * DAY, 60];
    const searched = afterRefundSearch(absent, second, begunAt(ahead), at(ahead), pace, at(steady));
    expect(nextSearchAt(searched)).toBe(at(ahead + DAY).toISOString());
    const open = afterRefundSearch(unknownRefund(), nothing, begunAt(ahead), at(ahead), pace, at(steady));
    expect(nextSearchAt(open)).toBeDefined();
  });

  it('is as it was after a search that shows no more', () => {
    const matches: Match[] = [nothing, second, { kind: 'ambiguous', contested: true }];
    for (const match of matches) {
      const after = search(absent, match, 60);
      expect(after.state).toEqual(absent.state);
      expect(after.lookup).toMatchObject({ looks: 1, last_look: { at: at(60).toISOString(), found: match.kind } });
    }
  });

  it.each<Match>([{ kind: 'ambiguous' }, { kind: 'undecided' }])('is open again after one that shows %j', (match) => {
    const was: OperationState = { status: 'unknown', reason: 'timeout', since, evidence };
    const settlement = { ...ofSearch, absent: [0] };
    const states: [OperationState, OperationState][] = [
      [{ ...was, status: 'settled', settlement }, was],
      [
        { status: 'settled', evidence, settlement },
        { status: 'refused', evidence, reserved: true },
      ],
      [
        { status: 'refused', evidence },
        { status: 'refused', evidence, reserved: true },
      ],
    ];
    for (const [state, open] of states) {
      const { settled_at: _, ...counted } = { ...absent, state };
      const reopened_at = at(31 * DAY).toISOString();
      expect(search({ ...absent, state }, match, 31 * DAY)).toEqual({
        ...counted,
        version: 3,
        state: open,
        lookup: {
          ...absent.lookup,
          ...{ looks: 1, last_look: { at: reopened_at, found: match.kind }, reopened_at },
          ...{ since: reopened_at, next_look_at: at(31 * DAY + 60).toISOString() },
        },
      });
    }
  });

  it('shows more if there are more refunds than known', () => {
    expect(showsMore(absent, second)).toBe(false);
    expect(showsMore(absent, found)).toBe(true);
    expect(showsMore(absent, { kind: 'ambiguous', contested: true })).toBe(false);
    expect(showsMore(absent, { kind: 'ambiguous' })).toBe(true);
    expect(showsMore(absent, { kind: 'undecided' })).toBe(true);
    expect(showsMore(absent, { kind: 'search_unanswered' })).toBe(false);
    const refused = unknownRefund({ state: { status: 'refused', evidence } });
    expect(showsMore(refused, nothing)).toBe(false);
    expect(showsMore(refused, second)).toBe(true);
    const decided = unknownRefund({ state: { status: 'settled', settlement: byPerson } });
    expect(showsMore(decided, second)).toBe(true);
  });
});

describe('an operation that a person settles', () => {
  it.each<[OperationState, OperationState]>([
    [
      { status: 'answered', answer: { a: 1 }, items: ['unknown'] },
      { status: 'settled', answer: { a: 1 }, items: ['unknown'], settlement: byPerson },
    ],
    [
      { status: 'unknown', reason: 'timeout', since, evidence },
      { status: 'settled', reason: 'timeout', since, evidence, settlement: byPerson },
    ],
    [
      { status: 'refused', evidence, reserved: true },
      { status: 'settled', evidence, settlement: byPerson },
    ],
    [{ status: 'in_flight' }, { status: 'in_flight' }],
    [{ status: 'not_sent' }, { status: 'not_sent' }],
    [
      { status: 'settled', settlement: ofSearch },
      { status: 'settled', settlement: ofSearch },
    ],
  ])('%j becomes %j', (state, settled) => {
    expect(settledBy(state, byPerson)).toEqual(settled);
  });

  it('is unknown since its first search, else since it was so', () => {
    const asked_at = at(-60).toISOString();
    const unknown: OperationState = { status: 'unknown', reason: 'timeout', since, evidence: {} };
    const lookup = { asked_at, looks: 0 };
    expect(unknownSince({ ...lookup, since: at(5).toISOString() }, unknown)).toBe(at(5).toISOString());
    expect(unknownSince(lookup, unknown)).toBe(since);
    expect(unknownSince(lookup, { status: 'refused', evidence })).toBe(asked_at);
  });
});

import { describe, expect, it } from 'vitest';
import { since, unknownRefund } from '../../../test/support/payments/operations.ts';
import {
  canBeSettled,
  gaveUp,
  hadNoEffect,
  heldRequestId,
  type ItemOutcome,
  isCompleted,
  isWatched,
  itemsOf,
  knownItems,
  needsPerson,
  nextSearchAt,
  type OperationState,
  outcomeAt,
  type StoredOperation,
  searchPlannedAt,
} from './operation.ts';

const next_look_at = '2026-11-21T10:00:00.000Z';
const lookup = { asked_at: since, looks: 1, next_look_at };
const byPerson: OperationState = {
  status: 'settled',
  settlement: { by: 'person', who: 'ops', items: ['succeeded', 'failed'] },
};
const bySearch = (absent?: number[]): OperationState => ({
  status: 'settled',
  settlement: {
    by: 'refund_search',
    items: ['succeeded', 'failed'],
    refund_reference_ids: ['R-1'],
    ...(absent ? { absent } : {}),
  },
});
const answered = (...items: ('succeeded' | 'failed' | 'unknown')[]): OperationState => ({
  status: 'answered',
  answer: {},
  items,
});
const unknown: OperationState = { status: 'unknown', reason: 'timeout', since, evidence: {} };
const refused: OperationState = { status: 'refused', evidence: {} };
const reserved: OperationState = { status: 'refused', evidence: {}, reserved: true };

const refund = (state: OperationState, more: Partial<StoredOperation> = {}): StoredOperation =>
  unknownRefund({ state, request: { refund_orders: [{}, {}] }, lookup, ...more });

describe('an operation', () => {
  it.each<[string, OperationState, string[], string[] | undefined]>([
    ['in flight', { status: 'in_flight' }, [], undefined],
    ['unknown', unknown, ['open', 'due', 'person'], undefined],
    ['answered', answered('succeeded', 'failed'), [], ['succeeded', 'failed']],
    ['answered in part', answered('succeeded', 'unknown'), ['open', 'due', 'person'], undefined],
    ['refused', refused, ['nothing', 'watched', 'due'], ['failed', 'failed']],
    ['refused, and reserved', reserved, ['open', 'due'], undefined],
    ['not sent', { status: 'not_sent' }, ['nothing'], ['failed', 'failed']],
    ['settled by a person', byPerson, [], ['succeeded', 'failed']],
    ['found by a search', bySearch(), [], ['succeeded', 'failed']],
    ['found by a search in part', bySearch([1]), ['watched', 'due'], ['succeeded', 'failed']],
  ])('that is %s shows which items are open', (_, state, expected, items) => {
    const one = refund(state);
    const traits = {
      nothing: hadNoEffect,
      open: canBeSettled,
      watched: isWatched,
      due: (of: StoredOperation) => nextSearchAt(of) === next_look_at,
      person: needsPerson,
    };
    for (const [name, is] of Object.entries(traits)) expect(is(one), name).toBe(expected.includes(name));
    expect(knownItems(one)).toEqual(items);
  });

  it('needs a person once the search for a refused refund ends', () => {
    const { next_look_at: _, ...over } = lookup;
    expect(needsPerson(refund(reserved, { lookup: over }))).toBe(true);
    expect(needsPerson(refund(refused, { lookup: over }))).toBe(false);
  });

  it('of another kind that was refused is not watched', () => {
    expect(isWatched(refund(refused, { name: 'capture' }))).toBe(false);
  });

  it('needs no person for a payout that is on its way', () => {
    const payout = refund(answered('unknown'), { name: 'payout' });
    expect(needsPerson(payout)).toBe(false);
    expect(
      needsPerson({ ...payout, state: { status: 'answered', answer: {}, items: ['unknown'], disputed: since } }),
    ).toBe(true);
    expect(needsPerson({ ...payout, state: unknown })).toBe(true);
    expect(needsPerson({ ...payout, name: 'refund' })).toBe(true);
  });

  it('keeps a payout’s request_id, unless nothing was sent', () => {
    const of = (state: OperationState) => heldRequestId(refund(state, { name: 'payout', request_id: 'id-1' }));
    expect([of({ status: 'in_flight' }), of(refused), of(unknown)]).toEqual(['id-1', 'id-1', 'id-1']);
    expect(of({ status: 'not_sent' })).toBeUndefined();
  });

  it('has the items that were asked for', () => {
    const items = [{ transaction_id: 'T1' }, { transaction_id: 'T2' }];
    expect(itemsOf({ name: 'refund', request: { refund_orders: items } })).toEqual(items);
    expect(itemsOf({ name: 'cancel', request: { cancel_orders: items } })).toEqual(items);
    expect(itemsOf({ name: 'payout', request: { request_id: 'id-1' } })).toEqual([{ request_id: 'id-1' }]);
    expect(itemsOf({ name: 'refund', request: {} })).toEqual([{}]);
  });

  it('has the time when its next search was planned', () => {
    expect(searchPlannedAt(refund(unknown))).toBeUndefined();
    const begun = { ...lookup, since };
    expect(searchPlannedAt(refund(unknown, { lookup: begun }))).toBe(since);
    const last_look = { at: next_look_at, found: 'absent' } as const;
    expect(searchPlannedAt(refund(unknown, { lookup: { ...begun, last_look } }))).toBe(next_look_at);
  });
});

describe('what an operation did becomes known', () => {
  const completed = (before: OperationState, after: OperationState) => isCompleted(refund(before), refund(after));

  it.each<[string, OperationState, OperationState, boolean]>([
    ['by an answer', { status: 'in_flight' }, answered('succeeded', 'failed'), true],
    ['by a person', unknown, byPerson, true],
    ['by a search', answered('succeeded', 'unknown'), bySearch(), true],
    ['otherwise than before', bySearch([1]), answered('succeeded', 'succeeded'), true],
    ['as it was known', byPerson, bySearch(), false],
    ['not yet', { status: 'in_flight' }, unknown, false],
    ['in part alone', unknown, answered('succeeded', 'unknown'), false],
    ['by a refusal, which its caller reads', { status: 'in_flight' }, refused, false],
    ['by not being sent, which its caller reads', { status: 'in_flight' }, { status: 'not_sent' }, false],
    ['by not being sent, after it was unknown', unknown, { status: 'not_sent' }, true],
    ['by searches that release its reservation', reserved, refused, false],
  ])('%s', (_, before, after, expected) => {
    expect(completed(before, after)).toBe(expected);
  });
});

describe('the search for an operation', () => {
  const { next_look_at: _, ...over } = lookup;

  it('is given up where it ends without an outcome', () => {
    expect(gaveUp(refund(unknown), refund(unknown, { lookup: over }))).toBe(true);
    expect(gaveUp(refund(unknown), refund(unknown))).toBe(false);
    expect(gaveUp(refund(unknown, { lookup: over }), refund(unknown, { lookup: over }))).toBe(false);
    expect(gaveUp(refund(unknown), refund(bySearch(), { lookup: over }))).toBe(false);
  });
});

describe('the outcome of an item', () => {
  const items: ItemOutcome[] = ['succeeded', 'failed', 'unknown'];

  it.each<[OperationState, (ItemOutcome | undefined)[]]>([
    [{ status: 'in_flight' }, ['unknown', 'unknown']],
    [{ status: 'unknown', reason: 'timeout', since: '', evidence: {} }, ['unknown', 'unknown']],
    [{ status: 'not_sent' }, ['failed', 'failed']],
    [{ status: 'refused', evidence: {} }, ['failed', 'failed']],
    [{ status: 'refused', evidence: {}, reserved: true }, ['unknown', 'unknown']],
    [{ status: 'answered', answer: {}, items }, ['succeeded', 'failed', 'unknown', undefined]],
    [{ status: 'settled', settlement: { by: 'person', who: 'ops', items } }, ['succeeded', 'failed', 'unknown']],
  ])('follows from the state %#', (state, outcomes) => {
    expect(outcomes.map((_, at) => outcomeAt(state, at))).toEqual(outcomes);
  });
});

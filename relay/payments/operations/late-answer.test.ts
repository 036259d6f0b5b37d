import { describe, expect, it } from 'vitest';
import { since, unknownRefund } from '../../../test/support/payments/operations.ts';
import { codeBook } from '../../gateway/profile.ts';
import { afterLateAnswer } from './answered-state.ts';
import type { OperationState, Settlement, StoredOperation } from './operation.ts';

const codes = codeBook.parse({ payout_status: { completed: ['COMPLETED'], failed: ['FAILED'] } });
const settlement: Settlement = { by: 'person', who: 'ops', items: ['succeeded'] };
const settled: OperationState = { status: 'settled', settlement };
const done: OperationState = { status: 'answered', answer: { a: 1 }, items: ['succeeded'] };

/** What the answer that was read makes of an operation that is at its ninth version meanwhile. */
const late = (current: Partial<StoredOperation>, read: Partial<StoredOperation>) =>
  afterLateAnswer(unknownRefund({ version: 9, ...current }), unknownRefund(read), codes, since);

describe('a late answer', () => {
  const searched = { before: [], asked_at: since, looks: 7, next_look_at: '2026-11-21T10:00:00.000Z' };

  it('without an outcome keeps the search as it is', () => {
    expect(late({ lookup: searched }, {})).toMatchObject({ version: 10, lookup: searched });
    const { lookup: _, ...current } = unknownRefund({ version: 9 });
    expect(afterLateAnswer(current, unknownRefund(), codes, since)).toEqual(unknownRefund({ version: 10 }));
  });

  it('settles an operation that was thought lost', () => {
    expect(late({ lookup: searched }, { state: done })).toEqual(unknownRefund({ version: 10, state: done }));
  });

  it('overrides a person, whose decision is kept', () => {
    expect(late({ state: settled }, { state: done })).toEqual(
      unknownRefund({ version: 10, state: { status: 'answered', answer: { a: 1 }, items: ['succeeded'], settlement } }),
    );
    expect(late({ state: settled }, {})).toBeUndefined();
  });

  it.each<[OperationState]>([
    [{ status: 'answered', answer: { b: 1 }, items: ['failed'] }],
    [{ status: 'settled', answer: { a: 1 }, items: ['unknown'], settlement }],
    [{ status: 'in_flight' }],
    [{ status: 'refused', evidence: {} }],
    [{ status: 'not_sent' }],
  ])('changes nothing of an operation that is %j', (state) => {
    expect(late({ state }, { state: done })).toBeUndefined();
  });

  it('keeps which notifications were applied', () => {
    expect(late({ applied: ['a'.repeat(64)] }, { state: done })?.applied).toEqual(['a'.repeat(64)]);
  });
});

describe('the late answer of a payout', () => {
  const answered = (status: string, more: object = {}): OperationState => ({
    status: 'answered',
    answer: { status, ...more },
    items: [status === 'COMPLETED' ? 'succeeded' : 'unknown'],
  });
  const payout = (current: Partial<StoredOperation>, read: OperationState) =>
    late({ name: 'payout', ...current }, { name: 'payout', state: read, settled_at: '2026-11-21T11:00:00.000Z' });

  it('adds what the notification did not say', () => {
    const notified = payout(
      { state: answered('COMPLETED'), settled_at: '2026-11-21T09:30:00.000Z' },
      answered('PENDING', { payout_id: 'P-1' }),
    );
    expect(notified).toMatchObject({
      version: 10,
      settled_at: '2026-11-21T09:30:00.000Z',
      state: { status: 'answered', answer: { status: 'COMPLETED', payout_id: 'P-1' }, items: ['succeeded'] },
    });
  });

  it('ends it now where it was on its way', () => {
    expect(payout({ state: answered('PENDING') }, answered('COMPLETED'))).toMatchObject({
      settled_at: since,
      state: { items: ['succeeded'] },
    });
    expect(
      payout({ state: settled }, { status: 'answered', answer: { status: 'FAILED' }, items: ['failed'] }),
    ).toMatchObject({
      state: { items: ['failed'], settlement },
    });
  });

  it('has no end where it is disputed', () => {
    const disputed = payout(
      { state: answered('COMPLETED'), settled_at: since },
      { status: 'answered', answer: { status: 'FAILED' }, items: ['failed'] },
    );
    expect(disputed).toMatchObject({ state: { items: ['unknown'], disputed: since } });
    expect(disputed).not.toHaveProperty('settled_at');
  });

  it('changes nothing where it says nothing new', () => {
    expect(payout({ state: answered('COMPLETED') }, answered('COMPLETED'))).toBeUndefined();
    const unknown: OperationState = { status: 'unknown', reason: 'timeout', since, evidence: {} };
    expect(payout({ state: answered('COMPLETED') }, unknown)).toBeUndefined();
  });
});

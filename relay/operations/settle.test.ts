import { describe, expect, it } from 'vitest';
import { since, unknownRefund } from '../../test/support/payments/operations.ts';
import { auditAs } from '../../test/support/relays/audit.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { momentOf } from '../context/context.ts';
import type { Reservation } from '../payments/ledger/accounting.ts';
import { afterRefundSearch } from '../payments/operations/after-refund-search.ts';
import type { OperationState, StoredOperation } from '../payments/operations/operation.ts';
import { settle } from './settle.ts';

it('a settlement survives a concurrent write by a poll', async () => {
  const context = await testContext();
  const refund = unknownRefund({ version: 1, request: { refund_orders: [{}] } });
  await context.store.operations.begin(refund, []);
  const searched = afterRefundSearch(
    refund,
    { kind: 'undecided' },
    momentOf(context),
    new Date(since),
    context.config.resolve,
  );
  expect(await context.store.operations.finish({ operation: searched, events: [] })).toBe(true);
  const settled = await settle(
    context,
    refund,
    { outcome: 'succeeded', note: 'card 4111111111111111 seen' },
    auditAs('ops'),
  );
  expect(JSON.stringify(settled)).not.toContain('4111111111111111');
  expect(settled).toMatchObject({
    version: 3,
    state: {
      status: 'settled',
      settlement: { who: 'ops', items: ['succeeded'], note: expect.stringMatching(/ seen$/) },
    },
  });
  expect(await context.store.operations.get('op_1')).toEqual(settled);
  await expect(settle(context, refund, { outcome: 'failed' }, auditAs('ops'))).rejects.toMatchObject({
    code: 'operation_not_unknown',
    message: 'This operation became known meanwhile.',
    operation_id: 'op_1',
  });
  await context.store.close();
});

/** A refund of two items that is kept in this state; each takes 1.00 of its payment. */
async function setUp(state?: OperationState) {
  const context = await testContext({ now: () => new Date('2026-11-22T10:00:00.000Z') });
  const items = ['T-1', 'T-2'].map((transaction_id) => ({ transaction_id, order_no: `A-${transaction_id}` }));
  const reserved = items.map(({ transaction_id }): Reservation => {
    return { name: 'refund', transaction_id, currency: 'BRL', amount: 100n, original: 1000n };
  });
  const refund = unknownRefund({
    ...{ version: 1, request: { refund_orders: items } },
    ...(state ? { state } : {}),
  });
  await context.store.operations.begin(refund, reserved);
  const written: unknown[] = [];
  const { by, audit } = auditAs('ops');
  const use = { by, audit: { ...audit, written: () => void written.push(1) } };
  return {
    context,
    refund,
    written,
    settle: (body: Parameters<typeof settle>[2], answered?: Parameters<typeof settle>[4]) =>
      settle(context, refund, body, use, answered),
    sums: async () =>
      (await context.store.operations.refunded('demo', ['T-1', 'T-2'])).map(({ transaction_id }) => transaction_id),
  };
}

describe('a person who settles an operation', () => {
  it('reports the result of all items', async () => {
    const { context, refund, written, settle, sums } = await setUp();
    expect(await sums()).toEqual(['T-1', 'T-2']);
    const settled: StoredOperation = await settle({ outcome: 'failed' });
    expect(settled).toEqual({
      ...refund,
      ...{ version: 2, settled_at: '2026-11-22T10:00:00.000Z' },
      state: {
        ...{ status: 'settled', reason: 'timeout', since, evidence: {} },
        settlement: { by: 'person', who: 'ops', items: ['failed', 'failed'] },
      },
    });
    expect(await sums()).toEqual([]);
    expect(written).toEqual([1]);
    expect(await context.store.people.listAudit({ account: 'demo', limit: 2 })).toMatchObject([
      { action: 'operation.settle', subject: 'op_1', orders: ['A-T-1', 'A-T-2'], by: 'ops' },
    ]);
    const logged = context.logLines.find((line) => line.includes('operation settled by a person')) ?? '{}';
    expect(JSON.parse(logged)).toMatchObject({ operation: 'op_1', by: 'ops', items: 'failed failed' });
  });

  it('may settle each item by itself', async () => {
    const { settle, sums } = await setUp();
    const { state } = await settle({ outcome: 'succeeded', items: ['failed', 'succeeded'] });
    expect(state).toMatchObject({ settlement: { items: ['failed', 'succeeded'] } });
    expect(await sums()).toEqual(['T-2']);
  });

  it('keeps what the gateway reported', async () => {
    const { settle } = await setUp({ status: 'answered', answer: {}, items: ['failed', 'unknown'] });
    const { state } = await settle({ outcome: 'succeeded' });
    expect(state).toMatchObject({ status: 'settled', settlement: { items: ['failed', 'succeeded'] } });
  });

  it('cannot contradict the gateway', async () => {
    const { context, settle, written } = await setUp({ status: 'answered', answer: {}, items: ['failed', 'unknown'] });
    await expect(settle({ outcome: 'failed', items: ['succeeded', 'succeeded'] })).rejects.toMatchObject({
      ...{ code: 'invalid_request', message: 'Correct the items that are named.' },
      errors: [{ path: 'items.0', message: 'the gateway said that this item failed' }],
    });
    expect(await context.store.operations.get('op_1')).toMatchObject({ version: 1 });
    expect(written).toEqual([]);
    const { state } = await settle({ outcome: 'failed', items: ['failed', 'succeeded'] });
    expect(state).toMatchObject({ settlement: { items: ['failed', 'succeeded'] } });
  });

  it.each([[['failed']], [['failed', 'failed', 'failed']]] as const)('names every item once: not %j', async (items) => {
    const { settle } = await setUp();
    await expect(settle({ outcome: 'failed', items: [...items] })).rejects.toMatchObject({
      errors: [{ path: 'items', message: 'must have 2 entries, one for each item of the operation' }],
    });
  });

  it('keeps the answer to the request with it', async () => {
    const { context, settle } = await setUp();
    const key = { account: 'demo', route: '/r', key: 'k' };
    const claim = { ...key, fingerprint: 'f', claimed_at: since };
    await context.store.keys.claim(claim, since);
    await settle({ outcome: 'failed' }, ({ version }) => ({ ...key, reply: `version ${version}` }));
    expect(await context.store.keys.claim(claim, since)).toEqual({ kind: 'answered', reply: 'version 2' });
  });

  it.each<[OperationState, string]>([
    [{ status: 'in_flight' }, 'in_progress'],
    [{ status: 'not_sent' }, 'operation_not_unknown'],
    [{ status: 'answered', answer: {}, items: ['failed', 'succeeded'] }, 'operation_not_unknown'],
  ])('settles only what is not known: not %j', async (state, code) => {
    const { settle, context } = await setUp(state);
    await expect(settle({ outcome: 'failed' })).rejects.toMatchObject({
      ...{ code, operation_id: 'op_1' },
      message: 'Only an operation whose outcome is unknown can be settled. Look at GET /v1/operations/:id.',
    });
    expect(await context.store.operations.get('op_1')).toMatchObject({ version: 1 });
  });
});

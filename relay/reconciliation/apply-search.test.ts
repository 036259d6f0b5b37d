import { describe, expect, it } from 'vitest';
import type { RefundRecord } from '../../shared/gateway/refund.ts';
import { since, unknownRefund } from '../../test/support/payments/operations.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { accountOf, momentOf } from '../context/context.ts';
import { refundReservations } from '../payments/ledger/reservations.ts';
import type { OperationState, StoredOperation } from '../payments/operations/operation.ts';
import { applySearch, lateRefund, writeSearch } from './apply-search.ts';

const webhook = { url: 'https://shop.example/webhooks', secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`] };
const item = (amount = '1.00') => ({ transaction_id: 'T-1', currency: 'BRL', amount: '10.00', refund_amount: amount });
const shown = (id: string, amount = '1.00', more: object = {}): RefundRecord => {
  return {
    transaction_id: 'T-1',
    currency: 'BRL',
    refund_amount: amount,
    refund_reference_id: id,
    refund_status: '1',
    ...more,
  };
};

async function setUp() {
  let time = Date.parse(since);
  const context = await testContext({ account: { webhook }, now: () => new Date(time) });
  const metric = async () => {
    const text = await context.metrics.registry.metrics();
    return (
      text.split('\n').find((line) => line.startsWith('turnpike_gave_up_total{') && line.includes('operation')) ?? ''
    );
  };
  const kept = async (id: string): Promise<StoredOperation> => {
    const operation = await context.store.operations.get(id);
    if (!operation) throw new Error(`no operation ${id}`);
    return operation;
  };
  return {
    ...{ context, kept, metric },
    pass: (ms: number) => {
      time += ms;
    },
    /** Keeps a refund of 1.00, unknown by default. */
    async refund(id: string, more: Partial<StoredOperation> = {}): Promise<StoredOperation> {
      const operation = unknownRefund({ id, version: 1, request: { refund_orders: [item()] }, ...more });
      await context.store.operations.begin(operation, refundReservations(operation.request));
      return operation;
    },
    search: async (operation: StoredOperation, records: RefundRecord[], whole = true) => {
      await applySearch(context, operation, { counted: true, records, whole }, momentOf(context));
      return kept(operation.id);
    },
    late: (...records: RefundRecord[]) =>
      lateRefund(context, accountOf(context, 'demo'), [item()], { records, whole: true }, context.now()),
    lateOf: (told: Parameters<typeof lateRefund>[3], begun = context.now()) =>
      lateRefund(context, accountOf(context, 'demo'), [item()], told, begun),
    refunded: async () => (await context.store.operations.refunded('demo', ['T-1'])).map(({ sum }) => sum),
    events: async () => {
      const events = await context.store.outbox.list({ account: 'demo', limit: 100 });
      return events.reverse().map(({ type, subject }) => `${type} ${subject}`);
    },
    logged: (text: string) => context.logLines.filter((line) => line.includes(text)).map((line) => JSON.parse(line)),
  };
}

describe('a search for a refund', () => {
  it('settles it where it is there', async () => {
    const { refund, search, events, logged, refunded } = await setUp();
    const settled = await search(await refund('op_1'), [shown('R-1')]);
    expect(settled).toMatchObject({
      version: 2,
      settled_at: since,
      state: {
        status: 'settled',
        settlement: { by: 'refund_search', items: ['succeeded'], refund_reference_ids: ['R-1'] },
      },
    });
    expect(await events()).toEqual(['operation.settled op_1', 'operation.completed op_1']);
    expect(logged('refund reconciled')).toMatchObject([
      { operation: 'op_1', name: 'refund', outcome: 'found', status: 'settled' },
    ]);
    expect(await refunded()).toEqual([100n]);
    expect(logged('it may have been made twice')).toEqual([]);
  });

  it('frees what it took where it is there and failed', async () => {
    const { refund, search, refunded } = await setUp();
    await search(await refund('op_1'), [shown('R-1', '1.00', { refund_status: '0' })]);
    expect(await refunded()).toEqual([]);
  });

  it('leaves it unknown where it is not there, and its reservation', async () => {
    const { refund, search, events, refunded } = await setUp();
    const searched = await search(await refund('op_1'), []);
    expect(searched).toMatchObject({
      state: { status: 'unknown' },
      lookup: { last_look: { found: 'absent' }, looks: 1 },
    });
    expect(searched).not.toHaveProperty('settled_at');
    expect(await events()).toEqual([]);
    expect(await refunded()).toEqual([100n]);
  });

  it('with other refunds too does not prove its absence', async () => {
    const { refund, search } = await setUp();
    const operation = await refund('op_1');
    expect(await search(operation, [], false)).toMatchObject({ lookup: { last_look: { found: 'undecided' } } });
    const other = await refund('op_2');
    expect(await search(other, [shown('R-1')], false)).toMatchObject({ lookup: { last_look: { found: 'ambiguous' } } });
  });

  it('that has other refunds too finds it all the same', async () => {
    const { refund, search } = await setUp();
    expect(await search(await refund('op_1'), [shown('R-1')], false)).toMatchObject({ state: { status: 'settled' } });
  });

  it('leaves the refunds of other operations to them', async () => {
    const { refund, search } = await setUp();
    const settlement = { by: 'refund_search', items: ['succeeded'], refund_reference_ids: ['R-1'] } as const;
    await refund('op_1', {
      settled_at: '2026-11-21T08:00:00.000Z',
      state: { status: 'settled', settlement: { ...settlement, items: ['succeeded'], refund_reference_ids: ['R-1'] } },
    });
    const operation = await refund('op_2');
    expect(await search(operation, [shown('R-1')])).toMatchObject({ lookup: { last_look: { found: 'absent' } } });
  });

  it('is given up after a day, and reported to a person', async () => {
    const { context, refund, kept, pass, events, logged, metric } = await setUp();
    const operation = await refund('op_1', { lookup: { before: [], asked_at: since, looks: 9, next_look_at: since } });
    pass(86_400_000);
    const begun = momentOf(context);
    expect(await writeSearch(context, operation, { kind: 'search_unanswered' }, begun)).toBe(true);
    expect(await kept('op_1')).toMatchObject({ lookup: { last_look: { found: 'search_unanswered' } } });
    expect((await kept('op_1')).lookup).not.toHaveProperty('next_look_at');
    expect(await events()).toEqual(['operation.unknown op_1']);
    expect(logged('a person must check')).toMatchObject([
      { operation: 'op_1', name: 'refund', msg: 'outcome still unknown: a person must check the gateway’s books' },
    ]);
    expect(await metric()).toMatch(/ 1$/);
  });

  it('writes nothing over a change made meanwhile', async () => {
    const { context, refund, search, kept, logged } = await setUp();
    const operation = await refund('op_1');
    await search(operation, []);
    expect(await writeSearch(context, operation, { kind: 'undecided' }, momentOf(context))).toBe(false);
    expect(await kept('op_1')).toMatchObject({ version: 2 });
    expect(logged('refund reconciled')).toHaveLength(1);
  });
});

describe('a refund that counts as not made', () => {
  const absent = { by: 'refund_search', items: ['failed'], refund_reference_ids: [], absent: [0] } as const;
  const watched = (next?: string): Partial<StoredOperation> => ({
    settled_at: since,
    state: { status: 'settled', settlement: { ...absent, items: ['failed'], refund_reference_ids: [], absent: [0] } },
    lookup: { before: [], asked_at: since, looks: 3, ...(next ? { next_look_at: next } : {}) },
  });
  const due = watched('2026-11-21T09:05:00.000Z');
  const released: OperationState = {
    ...{ status: 'settled', reason: 'timeout', since, evidence: {} },
    settlement: { ...absent, items: ['failed'], refund_reference_ids: [], absent: [0] },
  };

  it('is found before another one is sent, and reported', async () => {
    const { refund, late, kept, logged, events } = await setUp();
    await refund('op_1', due);
    expect(await late(shown('R-1'))).toMatchObject({ isThere: true, operation: { id: 'op_1' } });
    expect(await kept('op_1')).toMatchObject({
      ...{ version: 2, state: { settlement: { items: ['succeeded'], late: true, refund_reference_ids: ['R-1'] } } },
    });
    expect(await events()).toEqual(['operation.settled op_1', 'operation.completed op_1']);
    expect(logged('made twice')).toMatchObject([
      {
        operation: 'op_1',
        name: 'refund',
        msg: 'a refund that counted as not made was found: it may have been made twice',
      },
    ]);
  });

  it('is not found where nothing of it is there', async () => {
    const { context, refund, late, kept } = await setUp();
    await refund('op_1', due);
    expect(await late(shown('R-1', '2.00'))).toMatchObject({ kind: 'none' });
    expect(await kept('op_1')).toMatchObject({ version: 1 });
    context.store.operations.refundsOf = () => Promise.reject(new Error('asked for'));
    expect(await late()).toMatchObject({ kind: 'none' });
  });

  it('is looked for only while it is searched for', async () => {
    const { context, refund, late, kept, logged } = await setUp();
    const operation = await refund('op_1', watched());
    expect(await late(shown('R-1'))).toMatchObject({ kind: 'none' });
    expect(await kept('op_1')).toMatchObject({ version: 1 });
    // What shows nothing new is no alarm.
    const contested = { kind: 'ambiguous', contested: true } as const;
    expect(await writeSearch(context, operation, contested, momentOf(context))).toBe(true);
    expect(logged('made twice')).toEqual([]);
  });

  it('keeps another one from beginning once it is found later', async () => {
    const { context, refund, late, kept, search } = await setUp();
    const operation = await refund('op_1');
    const settled = { ...operation, ...due, state: released, version: 2 };
    await context.store.operations.finish({ operation: settled, counted: [false], events: [] });
    const checked = await late(shown('R-9', '2.00'));
    if (checked.kind === 'late') throw new Error('found too early');
    await search(await kept('op_1'), [shown('R-1')]);
    const other = unknownRefund({ id: 'op_2', version: 1, request: { refund_orders: [item()] } });
    expect(await context.store.operations.begin(other, refundReservations(other.request, checked.refunded))).toEqual({
      kind: 'refunded_meanwhile',
      item: 0,
    });
  });

  it('is there where a search found it while the sums were read', async () => {
    const { context, refund, late, kept, search, pass } = await setUp();
    await refund('op_1', due);
    const { refunded } = context.store.operations;
    context.store.operations.refunded = async (...asked) => {
      context.store.operations.refunded = refunded;
      const sums = await refunded(...asked);
      pass(1000);
      await search(await kept('op_1'), [shown('R-1')]);
      return sums;
    };
    expect(await late(shown('R-9', '2.00'))).toMatchObject({ kind: 'late', operation: { id: 'op_1' } });
  });

  it('is not what is unknown', async () => {
    const { refund, late, kept } = await setUp();
    await refund('op_1');
    expect(await late(shown('R-1'))).toMatchObject({ kind: 'none' });
    expect(await kept('op_1')).toMatchObject({ version: 1 });
  });

  it('is the first of several', async () => {
    const { refund, late } = await setUp();
    await refund('op_1', {
      ...due,
      created_at: '2026-11-21T08:00:00.000Z',
      request: { refund_orders: [item('2.00')] },
    });
    await refund('op_2', due);
    expect(await late(shown('R-2'))).toMatchObject({ operation: { id: 'op_2' } });
  });

  it('is there where another write found it meanwhile', async () => {
    const { context, refund, late } = await setUp();
    const operation = await refund('op_1', due);
    const { refundsOf } = context.store.operations;
    context.store.operations.refundsOf = async (...asked) => {
      const found = await refundsOf(...asked);
      await context.store.operations.finish({ operation: { ...operation, version: 2 }, events: [] });
      return found;
    };
    expect(await late(shown('R-1'))).toMatchObject({ isThere: true, operation: { id: 'op_1' } });
  });

  it.each([
    ['has an unlisted status', { refund_status: '7' }],
    ['names no currency', { currency: null }],
  ])('counts as refunded again where what is there %s', async (_, more) => {
    const { context, refund, late, kept, logged, events, refunded } = await setUp();
    const operation = await refund('op_1');
    const settled = { ...operation, ...due, version: 2 };
    await context.store.operations.finish({ operation: { ...settled, state: released }, counted: [false], events: [] });
    expect(await refunded()).toEqual([]);
    expect(await late(shown('R-1', '1.00', more))).toMatchObject({ isThere: true, operation: { id: 'op_1' } });
    expect(await kept('op_1')).toMatchObject({ version: 3, state: { status: 'unknown', reason: 'timeout' } });
    expect(await refunded()).toEqual([100n]);
    expect(await events()).toEqual(['operation.unknown op_1']);
    expect(logged('made twice')).toHaveLength(1);
  });

  it.each([
    ['counted as not made', shown('R-1'), { ...watched(), state: released }],
    ['counted as not made', shown('R-1', '1.00', { refund_status: '7' }), { ...watched(), state: released }],
    ['was refused', shown('R-1'), { state: { status: 'refused', evidence: {}, reserved: true } } as const],
  ])('is there where it %s until another search showed it meanwhile', async (_, seen, more) => {
    const { context, refund, late, lateOf, kept, search, pass } = await setUp();
    const operation = await refund('op_1');
    const version = operation.version + 1;
    await context.store.operations.finish({ operation: { ...operation, ...due, ...more, version }, events: [] });
    const begun = context.now();
    pass(3000);
    await search(await kept('op_1'), [seen]);
    pass(3000);
    expect(await lateOf({ records: [seen], whole: true }, begun)).toMatchObject({
      ...{ isThere: true, operation: { id: 'op_1' } },
    });
    expect(await late(seen), 'its shop knows it').toMatchObject({ kind: 'none' });
  });

  it('is unknown without a counted search, or with other refunds', async () => {
    const { refund, lateOf, kept } = await setUp();
    expect(await lateOf(undefined)).toMatchObject({ kind: 'none' });
    expect(await lateOf({ records: [], whole: false })).toMatchObject({ kind: 'none' });
    await refund('op_1', due);
    const untold = { isThere: false, operation: { id: 'op_1' } };
    expect(await lateOf(undefined)).toMatchObject(untold);
    expect(await lateOf({ records: [], whole: false })).toMatchObject(untold);
    expect(await lateOf({ records: [shown('R-1', '2.00')], whole: false })).toMatchObject(untold);
    expect(await lateOf({ records: [shown('R-1', '2.00')], whole: true })).toMatchObject({ kind: 'none' });
    expect(await kept('op_1')).toMatchObject({ version: 1 });
  });
});

describe('a refund that was refused, before another one is sent', () => {
  const refused: Partial<StoredOperation> = { state: { status: 'refused', evidence: {}, reserved: true } };

  it('is found, and settled', async () => {
    const { refund, late, kept, events } = await setUp();
    await refund('op_1', refused);
    expect(await late(shown('R-1'))).toMatchObject({ isThere: true, operation: { id: 'op_1' } });
    expect(await kept('op_1')).toMatchObject({ version: 2, state: { settlement: { items: ['succeeded'] } } });
    expect(await events()).toEqual(['operation.settled op_1', 'operation.completed op_1']);
  });

  it('may be there, and waits for its searches', async () => {
    const { refund, late, kept } = await setUp();
    await refund('op_1', refused);
    expect(await late(shown('R-1', '1.00', { refund_status: '7' }))).toMatchObject({ isThere: true });
    expect(await kept('op_1')).toMatchObject({ version: 1 });
  });

  it('is not there where a search shows nothing of it', async () => {
    const { refund, late, lateOf, kept } = await setUp();
    await refund('op_1', refused);
    expect(await late(shown('R-1', '2.00'))).toMatchObject({ kind: 'none' });
    expect(await kept('op_1')).toMatchObject({ version: 1 });
    expect(await lateOf(undefined)).toMatchObject({ isThere: false, operation: { id: 'op_1' } });
  });
});

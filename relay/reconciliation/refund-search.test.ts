import { describe, expect, it } from 'vitest';
import { since, unknownRefund } from '../../test/support/payments/operations.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { accountOf } from '../context/context.ts';
import type { CallResult } from '../gateway/call.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import type { FailureCause } from './content-fault.ts';
import { MAX_NAMES, paymentNames, refundsBefore, searchFor, searchRefunds } from './refund-search.ts';

const refund = (transaction_id: string, order_no?: string) => ({
  transaction_id,
  currency: 'BRL',
  amount: '2.00',
  refund_amount: '1.00',
  ...(order_no === undefined ? {} : { order_no }),
});

it('a payment is searched once by its order and transaction', () => {
  expect(paymentNames([refund('T-1', 'A-1'), refund('T-2'), refund('T-1', 'A-1')], ',')).toEqual(['A-1', 'T-1', 'T-2']);
});

it('a name with the separator is omitted if another one exists', () => {
  expect(paymentNames([refund('T-1', 'A,1')], ',')).toEqual(['T-1']);
  expect(paymentNames([refund('T,1', 'A-1')], ',')).toEqual(['A-1']);
  expect(paymentNames([refund('T-1'), refund('T,2')], ',')).toBeUndefined();
});

it('names are not asked for that make a separator together', () => {
  expect(paymentNames([refund('T-1', 'A|')], '||')).toBeUndefined();
});

it('a search holds the names of a whole batch', () => expect(MAX_NAMES).toBe(100));

describe('the search for a refund', () => {
  const answered = (ids: readonly (string | undefined)[], items: ('succeeded' | 'unknown')[]): StoredOperation => {
    const asked = ids.map((_, at) => refund(`T-${at}`));
    const results = ids.map((refund_reference_id, at) => ({ ...asked[at], refund_reference_id, refund_status: '7' }));
    return unknownRefund({
      request: { refund_orders: asked },
      state: { status: 'answered', answer: { refund_orders: results }, items },
    });
  };

  it('asks for its payments', () => {
    expect(searchFor(unknownRefund({ request: { refund_orders: [refund('T-1', 'A-1')] } }), ',')).toEqual({
      ...{ list: 'refund_orders', names: ['A-1', 'T-1'] },
    });
    expect(searchFor(unknownRefund({ request: { refund_orders: [refund('T,1')] } }), ',')).toBeUndefined();
  });

  it('asks for what is unknown by the ids of its answer', () => {
    expect(searchFor(answered(['R-0', 'R-1', 'R-2'], ['unknown', 'succeeded', 'unknown']), ',')).toEqual({
      ...{ list: 'refund_references', names: ['R-0', 'R-2'] },
    });
    const byPayments = { list: 'refund_orders', names: ['T-0', 'T-1'] };
    expect(searchFor(answered(['R-0', undefined], ['unknown', 'unknown']), ',')).toEqual(byPayments);
    expect(searchFor(answered(['R,0', 'R-1'], ['unknown', 'unknown']), ',')).toEqual(byPayments);
    expect(searchFor(answered(['R,0', 'R-1'], ['unknown', 'unknown']), '|')).toMatchObject({ names: ['R,0', 'R-1'] });
  });
});

const own = { merchant_id: '100001', account_id: '200001' };
const answering = (message: object): CallResult => ({
  kind: 'answer',
  message: { ...own, ...message },
  evidence: () => ({}),
});
const found = (...refund_orders: object[]): CallResult => answering({ return_status: '1', refund_orders });

/** A gateway that answers a search so. */
async function setUp(called: CallResult, profile: object = {}) {
  let time = 1_000_000;
  const context = await testContext({
    config: { gateway: { base_url: 'http://127.0.0.1:8081', profile } },
    now: () => new Date(since),
  });
  const calls: unknown[][] = [];
  context.monotonic = () => time;
  context.call = async (...asked) => {
    calls.push(asked);
    return called;
  };
  const account = accountOf(context, 'demo');
  return {
    ...{ context, calls, account },
    pass: (ms: number) => {
      time += ms;
    },
    search: (names = ['A', 'B'], within?: number) =>
      searchRefunds(context, account, { list: 'refund_orders', names }, within),
    look: (...items: Parameters<typeof refundsBefore>[2]) => refundsBefore(context, account, items),
  };
}

describe('a refund search', () => {
  it('asks the gateway once for all names', async () => {
    const { calls, account, search, context } = await setUp(found({ order_no: 'A' }), { list_separator: '|' });
    expect(await search(['A', 'B'], 700)).toEqual({ counted: true, records: [{ order_no: 'A' }], whole: true });
    expect(calls).toEqual([['refund_search', account, { refund_orders: 'A|B' }, {}, 700]]);
    expect(context.lastAnswers.refund_search.get('demo')).toBe(1_000_000);
  });

  it.each([
    ['by their order', { order_no: 'A', transaction_id: 'T-9' }, true],
    ['by their payment', { order_no: 'X', transaction_id: 'B' }, true],
    ['by themselves', { refund_reference_id: 'B' }, true],
    ['by nothing', { order_no: 'X', transaction_id: 'T-9', refund_reference_id: 'R-9' }, false],
    ['by nothing at all', {}, false],
  ])('shows whether it has only the requested refunds %s', async (_, record, whole) => {
    const { search } = await setUp(found({ order_no: 'A' }, record));
    expect(await search()).toMatchObject({ counted: true, whole });
  });

  it.each<[string, CallResult, string, FailureCause]>([
    ['refused', { kind: 'refused', status: 403, evidence: {} }, 'search_refused', 'gateway'],
    ['refused for its content', { kind: 'refused', status: 400, evidence: {} }, 'search_refused', 'content'],
    ['not configured', { kind: 'not_configured', detail: 'x' }, 'search_refused', 'gateway'],
    ['not sent', { kind: 'not_sent' }, 'search_unanswered', 'gateway'],
    ['lost', { kind: 'unusable', fault: 'connection_lost', evidence: {} }, 'search_unanswered', 'gateway'],
    ['too large', { kind: 'unusable', fault: 'answer_too_large', evidence: {} }, 'search_unanswered', 'content'],
    [
      'another merchant’s',
      answering({ merchant_id: '9', return_status: '1', refund_orders: [] }),
      'search_unanswered',
      'gateway',
    ],
    [
      'another account’s',
      answering({ account_id: '9', return_status: '1', refund_orders: [] }),
      'search_unanswered',
      'gateway',
    ],
    ['no success', answering({ return_status: '0', refund_orders: [] }), 'search_refused', 'content'],
    ['without a status', answering({ refund_orders: [] }), 'search_refused', 'content'],
    ['without a list', answering({ return_status: '1' }), 'search_unanswered', 'gateway'],
  ])('does not count that is %s', async (_, called, result, cause) => {
    const { search, context } = await setUp(called);
    expect(await search()).toEqual({ counted: false, result, cause });
    const hasAnswered =
      called.kind === 'answer' && called.message.return_status === '1' && called.message.account_id === '200001';
    expect(context.lastAnswers.refund_search.has('demo')).toBe(hasAnswered && called.message.merchant_id === '100001');
  });

  it('without a list is logged, or counts as empty by profile', async () => {
    const one = await setUp(answering({ return_status: '1' }));
    await one.search();
    const logged = one.context.logLines.find((line) => line.includes('without refund_orders')) ?? '{}';
    expect(JSON.parse(logged)).toMatchObject({
      account: 'demo',
      msg: 'a refund search was answered without refund_orders, so it does not count',
    });
    const other = await setUp(answering({ return_status: '1' }), { query_without_list: 'empty' });
    expect(await other.search()).toEqual({ counted: true, records: [], whole: true });
  });

  it('that times out may fail for its content', async () => {
    const { context, search, pass } = await setUp({ kind: 'unusable', fault: 'timeout', evidence: {} });
    expect(await search()).toMatchObject({ cause: 'unclear' });
    context.lastAnswers.refund_search.set('demo', 1_000_000);
    pass(59_999);
    expect(await search()).toMatchObject({ cause: 'content' });
    pass(1);
    expect(await search()).toMatchObject({ cause: 'unclear' });
  });

  it('that times out late may be for its content all the same', async () => {
    const { context, search, pass } = await setUp({ kind: 'unusable', fault: 'timeout', evidence: {} });
    const { call } = context;
    context.call = (...asked) => {
      pass(90_000);
      return call(...asked);
    };
    context.lastAnswers.refund_search.set('demo', 1_000_000);
    pass(59_999);
    expect(await search()).toMatchObject({ cause: 'content' });
    context.lastAnswers.refund_search.set('demo', context.monotonic() - 60_000);
    expect(await search()).toMatchObject({ cause: 'unclear' });
  });
});

describe('before a refund is sent', () => {
  const item = refund('T-1', 'A-1');
  const asked_at = since;

  it('it is searched for what its payments have, once and within time', async () => {
    const mine = { transaction_id: 'T-1', refund_reference_id: 'R-1' };
    const nameless = { refund_reference_id: 'R-2' };
    const { look, calls, context } = await setUp(
      found(mine, { transaction_id: 'T-9', refund_reference_id: 'R-9' }, nameless, mine),
    );
    expect(await look(item)).toEqual({
      lookup: { asked_at, looks: 0, before: ['R-1', 'R-2'] },
      shown: { records: [mine, nameless, mine], whole: false },
    });
    expect(calls).toMatchObject([
      ['refund_search', {}, { refund_orders: 'A-1,T-1' }, {}, context.config.resolve.search_ms],
    ]);
  });

  it('knows no earlier refunds if none are given', async () => {
    const { look } = await setUp({ kind: 'unusable', fault: 'timeout', evidence: {} });
    expect(await look(item)).toEqual({ lookup: { asked_at, looks: 0 } });
  });

  it.each([{}, { refund_reference_id: '' }, { refund_reference_id: null }])(
    'nor where a refund without a name is there: %j',
    async (of) => {
      const record = { transaction_id: 'T-1', ...of };
      const { look } = await setUp(found(record, { transaction_id: 'T-1', refund_reference_id: 'R-1' }));
      expect(await look(item)).toMatchObject({
        ...{ lookup: { asked_at, looks: 0 }, shown: { records: [record, {}], whole: true } },
      });
      expect((await look(item))?.lookup).not.toHaveProperty('before');
    },
  );

  it('sends no search without a refund or its reference', async () => {
    const { look, calls } = await setUp(found());
    expect(await look()).toBeUndefined();
    expect(await look(refund('T,1'))).toEqual({});
    expect(calls).toEqual([]);
  });

  it('nothing is asked where refunds cannot be signed', async () => {
    const signing = { scheme: 'concat', algorithm: 'sha256', secret: 'append', fields: {}, answer_fields: {} };
    const verify = {
      direct_payment: 'off',
      refund: 'off',
      refund_search: 'off',
      review: 'off',
      capture: 'off',
      cancel: 'off',
    };
    const { look, calls } = await setUp(found(), {
      signing,
      verify: { ...verify, apm_payment: 'off', query: 'off', subscription_cancel: 'off', payout: 'off' },
    });
    expect(await look(item)).toBeUndefined();
    expect(calls).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { approvedBy, lost, record, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import { attempt, DAY, moment, orderWith, session } from '../../test/support/payments/sessions.ts';
import { ProblemError } from '../base/errors.ts';
import type { AttemptState } from '../payments/attempt.ts';
import type { OrderPayment, StoredOrder } from '../payments/order.ts';
import type { SessionState } from '../payments/session.ts';
import { checkFree, checkOpen, holderOf, orderProblem, queryBeforePaying } from './conflicts.ts';

/** The problem that this throws: its code, and whose session it names. */
function problemOf(work: () => void): object | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { code: error.code, session_id: error.session_id, detail: error.message };
  }
}

const since = moment(0).toISOString();
const search = { since, looks: 0, needs_attention: false };
const unknown: AttemptState = { status: 'unknown', reason: 'timeout', evidence: {} };
const payment: OrderPayment = { transaction_id: 'T1', amount: '10.00', currency: 'BRL', proof: 'record', date: since };

describe('an order that cannot be paid now', () => {
  it('is paid, or another payment holds it', () => {
    expect(orderProblem('order_already_paid', 'cs_1')).toMatchObject({
      code: 'order_already_paid',
      session_id: 'cs_1',
      message: expect.stringContaining('is paid'),
    });
    expect(orderProblem('order_in_progress')).toMatchObject({
      code: 'order_in_progress',
      session_id: undefined,
      message: expect.stringContaining('under way'),
    });
  });

  it.each([
    ['paid', 'order_already_paid'],
    ['held', 'order_in_progress'],
    ['free', undefined],
  ] as const)('by its hold: %s', (hold, code) => {
    expect(problemOf(() => checkFree({ ...orderWith({}), hold }, 'cs_1'))).toEqual(
      code && { code, session_id: 'cs_1', detail: expect.any(String) },
    );
  });
});

describe('the session that holds an order', () => {
  const sessions = [
    session('cs_1'),
    session('cs_2', { state: { status: 'pending', attempt_id: 'at_0', search } }),
    session('cs_3', { state: { status: 'unknown', attempt_id: 'at_0', search: { ...search, reason: 'timeout' } } }),
  ];
  const over: AttemptState = { status: 'not_paid', reason: 'absent' };
  const undecided = { reason: 'amount_differs', since, records: [] } as const;

  it.each<[string, Partial<StoredOrder>, string | undefined]>([
    [
      'that of the attempt which paid it',
      {
        attempts: [attempt('at_0', { session_id: 'cs_0' }), attempt('at_1')],
        payments: [{ ...payment, attempt_id: 'at_1' }],
        sessions,
      },
      'cs_1',
    ],
    [
      'that of any payment with an attempt',
      { attempts: [attempt('at_1')], payments: [payment, { ...payment, attempt_id: 'at_1' }] },
      'cs_1',
    ],
    ['none where no attempt paid it', { attempts: [attempt('at_1')], payments: [payment], sessions }, undefined],
    [
      'that of an unsettled attempt',
      {
        attempts: [attempt('at_1', { state: over }), attempt('at_2', { session_id: 'cs_9', state: unknown })],
        sessions,
      },
      'cs_9',
    ],
    ['one that is pending', { attempts: [attempt('at_1', { state: over })], sessions }, 'cs_2'],
    ['one that is unknown', { sessions: [sessions[0], sessions[2]].flatMap((one) => one ?? []) }, 'cs_3'],
    [
      'that of the latest attempt that was sent, where a record holds it',
      {
        attempts: [
          attempt('at_1', { state: over }),
          attempt('at_2', { session_id: 'cs_2', state: over }),
          attempt('at_3', { session_id: 'cs_3', state: { status: 'not_sent' } }),
        ],
        undecided,
      },
      'cs_2',
    ],
    ['none where nothing holds it', { attempts: [attempt('at_1', { state: over })], sessions: [session()] }, undefined],
  ])('is %s', (_, order, expected) => {
    expect(holderOf(orderWith(order))).toBe(expected);
  });
});

describe('a session that cannot be paid now', () => {
  it.each<[SessionState, string | undefined, string]>([
    [{ status: 'open' }, undefined, ''],
    [{ status: 'processing', attempt_id: 'at_1' }, 'attempt_in_flight', 'under way'],
    [{ status: 'redirected', attempt_id: 'at_1' }, 'attempt_in_flight', 'under way'],
    [{ status: 'pending', attempt_id: 'at_1', search }, 'attempt_in_flight', 'under way'],
    [
      { status: 'unknown', attempt_id: 'at_1', search: { ...search, reason: 'timeout' } },
      'attempt_in_flight',
      'under way',
    ],
    [{ status: 'approved', attempt_id: 'at_1', transaction_id: 'T1' }, 'session_final', 'is paid'],
    [{ status: 'failed' }, 'session_final', 'no more payments'],
    [{ status: 'expired' }, 'session_final', 'no more payments'],
  ])('in the state %j: %s', (state, code, detail) => {
    const problem = problemOf(() => checkOpen(session('cs_1', { state }), moment(0)));
    expect(problem).toEqual(code && { code, session_id: undefined, detail: expect.stringContaining(detail) });
  });

  it('is over at its end', () => {
    expect(problemOf(() => checkOpen(session(), moment(DAY - 1)))).toBeUndefined();
    expect(problemOf(() => checkOpen(session(), moment(DAY)))).toMatchObject({
      code: 'session_final',
      detail: expect.stringContaining('expired'),
    });
  });
});

describe('an order that is queried before it is paid', () => {
  it('is as it was where nothing of it may be charged', async () => {
    const { context, session: create, orderOf, queries } = await setUpResolving();
    const order = await orderOf(await create('A'));
    expect(await queryBeforePaying(context, order)).toBe(order);
    expect(queries).toEqual([]);
  });

  it('may be paid once the gateway shows nothing', async () => {
    const { context, session: create, orderOf, abandon, queries } = await setUpResolving();
    const one = await create('A');
    await abandon(one);
    const asked = queries.length;
    const order = await queryBeforePaying(context, await orderOf(one), one.id);
    expect(queries).toHaveLength(asked + 1);
    expect(order).toMatchObject({
      hold: 'free',
      queries: { last: { at: context.now().toISOString(), counted: true } },
    });
  });

  it('names its holder to the shop’s server alone', async () => {
    const { context, session: create, orderOf, pay } = await setUpResolving();
    const [one, other] = [await create('A'), await create('A')];
    await pay(one, lost);
    const order = await orderOf(one);
    await expect(queryBeforePaying(context, order)).rejects.toMatchObject({
      code: 'order_in_progress',
      session_id: one.id,
    });
    await expect(queryBeforePaying(context, order, other.id)).rejects.toMatchObject({
      code: 'order_in_progress',
      session_id: undefined,
    });
  });

  it('ends the session that asked where it is paid', async () => {
    const { context, session: create, orderOf, pay, truth } = await setUpResolving();
    const [one, other] = [await create('A'), await create('A')];
    const before = await orderOf(one);
    await pay(one, approvedBy('T1'));
    const open = { ...(await orderOf(one)), sessions: before.sessions };
    await expect(queryBeforePaying(context, open)).rejects.toMatchObject({
      code: 'order_already_paid',
      session_id: one.id,
    });
    await expect(queryBeforePaying(context, open, other.id)).rejects.toMatchObject({ code: 'order_already_paid' });
    expect(await truth(other)).toMatchObject({ status: 'failed', reason: 'order_already_paid' });
  });

  it('is not paid without an answer, and reports why', async () => {
    const { context, session: create, orderOf, abandon, books, pass } = await setUpResolving();
    const one = await create('A');
    await abandon(one);
    books.change = { return_status: '0' };
    await expect(queryBeforePaying(context, await orderOf(one), one.id)).rejects.toMatchObject({
      code: 'gateway_unreachable',
      message: 'The gateway cannot be queried, so nothing was sent. Try again.',
    });
    books.change = {};
    pass(2 * SECOND);
    books.records = [record('A', 'T9', '3000', { amount: '20.00' })];
    await expect(queryBeforePaying(context, await orderOf(one))).rejects.toMatchObject({
      code: 'order_in_progress',
      session_id: one.id,
    });
  });
});

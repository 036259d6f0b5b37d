import { describe, expect, it } from 'vitest';
import { since, unknownRefund } from '../../test/support/payments/operations.ts';
import { ProblemError } from '../base/errors.ts';
import type { OperationState, StoredOperation } from '../payments/operations/operation.ts';
import { refusalProblem } from './refusal-problem.ts';
import {
  declined,
  earlierRefundFound,
  earlierRefundUnreported,
  outcomeUnknown,
  refusedText,
  replyOf,
} from './reply.ts';

const inState = (state: OperationState, more: Partial<StoredOperation> = {}) =>
  replyOf(unknownRefund({ state, ...more }));

/** A problem as it is answered; a reply as it is. */
const told = (reply: unknown): unknown => {
  if (!(reply instanceof ProblemError)) return reply;
  const { code, message, operation_id, errors } = reply;
  return { code, message, operation_id, errors };
};

const mayBeDone =
  'The gateway may have done this. Do not send it again: GET /v1/operations/op_1 shows when it is known.';

describe('the reply to an operation', () => {
  it('is the gateway’s answer', () => {
    expect(inState({ status: 'answered', answer: { a: '1' }, items: ['succeeded'] })).toEqual({
      status: 200,
      type: 'application/json',
      headers: { 'X-Operation-Id': 'op_1' },
      body: '{"a":"1","operation_id":"op_1"}',
    });
  });

  it('has the outcome beside each result, in the order of the results', () => {
    const [one, other] = [{ transaction_id: 'T-1' }, { transaction_id: 'T-2' }];
    const reply = inState(
      { status: 'answered', answer: { refund_orders: [other, one] }, items: ['succeeded', 'failed'] },
      { request: { refund_orders: [one, other] } },
    );
    if (reply instanceof ProblemError) throw reply;
    expect(JSON.parse(reply.body)).toEqual({
      operation_id: 'op_1',
      refund_orders: [
        { ...other, outcome: 'failed' },
        { ...one, outcome: 'succeeded' },
      ],
    });
  });

  it.each<[StoredOperation['name'], OperationState, string]>([
    ['payout', { status: 'answered', answer: {}, items: ['unknown'] }, 'unknown'],
    ['payout', { status: 'answered', answer: {}, items: [] }, 'unknown'],
    ['subscription_cancel', { status: 'answered', answer: {}, items: ['failed'] }, 'failed'],
  ])('has the outcome of a %s', (name, state, outcome) => {
    expect(inState(state, { name })).toMatchObject({ body: JSON.stringify({ operation_id: 'op_1', outcome }) });
  });

  it('asks for a new key, a payout for a new request_id', () => {
    const of = (name: StoredOperation['name'], evidence: { http_status?: number } = { http_status: 404 }) => {
      const reply = inState({ status: 'refused', evidence }, { name });
      if (reply instanceof ProblemError) throw reply;
      const { body, ...rest } = reply;
      return { ...rest, body: JSON.parse(body) };
    };
    expect(of('refund')).toMatchObject({
      status: 422,
      type: 'application/problem+json',
      headers: { 'X-Operation-Id': 'op_1' },
      body: {
        code: 'gateway_refused',
        detail: 'The gateway did not take the refund: HTTP 404. Correct it. Use a new key.',
        operation_id: 'op_1',
      },
    });
    expect(of('payout').body.detail).toMatch(/ Use a new key and a new request_id\.$/);
    expect(of('capture', {}).body.detail).toBe(
      'The gateway did not take the capture: HTTP 400. Correct it. Use a new key.',
    );
  });

  it.each<[string, OperationState, object]>([
    [
      'was refused and may be made',
      { status: 'refused', evidence: { http_status: 429 }, reserved: true },
      {
        code: 'gateway_refused',
        message:
          'The gateway did not take the refund: HTTP 429. Wait before you try again. The gateway may still make it: read GET /v1/operations/op_1 before you send another one.',
      },
    ],
    [
      'was not sent',
      { status: 'not_sent' },
      { code: 'gateway_unreachable', message: 'The gateway cannot be reached; nothing was sent. Try again.' },
    ],
    [
      'was not sent for a reason',
      { status: 'not_sent', detail: 'Signing failed.' },
      { code: 'gateway_unreachable', message: 'Signing failed.' },
    ],
    [
      'cannot be signed',
      { status: 'not_sent', not_configured: 'Set signing.fields.' },
      { code: 'operation_not_configured', message: 'Set signing.fields.' },
    ],
    ['is being sent', { status: 'in_flight' }, { code: 'outcome_unknown', message: mayBeDone }],
    [
      'is not known',
      { status: 'unknown', reason: 'timeout', since, evidence: {} },
      { code: 'outcome_unknown', message: mayBeDone },
    ],
    [
      'was settled',
      { status: 'settled', settlement: { by: 'person', who: 'ops', items: ['failed'] } },
      {
        code: 'operation_settled',
        message: 'GET /v1/operations/op_1 shows its outcome. It is not sent again.',
      },
    ],
  ])('that %s is a problem', (_, state, problem) => {
    expect(told(inState(state))).toEqual({ ...problem, operation_id: 'op_1', errors: [] });
  });
});

it.each([
  [400, ' Correct it.'],
  [404, ' Correct it.'],
  [401, ' The relay’s operator must check the account’s credentials at the gateway.'],
  [
    403,
    ' It answers registered addresses only: the relay’s operator must have the relay’s addresses registered with it, or else check the account’s credentials.',
  ],
  [429, ' Wait before you try again.'],
  [410, ''],
])('a refusal with HTTP %i says what to do', (status, advice) => {
  expect(refusedText('query', status)).toBe(`The gateway did not take the query: HTTP ${status}.${advice}`);
});

it('an unknown outcome and a late refund name their operation', () => {
  expect(told(outcomeUnknown('op_2'))).toEqual({
    ...{ code: 'outcome_unknown', message: mayBeDone.replace('op_1', 'op_2') },
    ...{ operation_id: 'op_2', errors: [] },
  });
  expect(told(earlierRefundFound(unknownRefund()))).toEqual({
    code: 'refund_exceeds_payment',
    message:
      'The gateway has an earlier refund of this payment, which was not known to be made: read GET /v1/operations/op_1 before you send another one.',
    operation_id: 'op_1',
    errors: [],
  });
});

it('holds a refund while an earlier one is not reported', () => {
  const untold =
    'The gateway may have made an earlier refund of this payment, and does not report it now: GET /v1/operations/op_1. Nothing was sent. Try again';
  const problem = { code: 'gateway_unreachable', operation_id: 'op_1', errors: [] };
  const refused = (reserved: object) => unknownRefund({ state: { status: 'refused', evidence: {}, ...reserved } });
  expect(told(earlierRefundUnreported(refused({})))).toEqual({ ...problem, message: `${untold}.` });
  expect(told(earlierRefundUnreported(refused({ reserved: true })))).toEqual({
    ...problem,
    message: `${untold}, or settle that one.`,
  });
});

describe('an operation that the gateway declined', () => {
  const why = (answer: Record<string, unknown>) => declined(unknownRefund({}), answer).result;
  const item = (result: object) => ({ return_status: '1', return_message: 'OK', refund_orders: [result] });

  it.each([
    [item({ refund_status: '0', refund_message: 'V0006:Cancelled: by you' }), 'V0006', 'Cancelled: by you'],
    [item({ refund_status: '0', refund_message: '2001 : No' }), '2001', 'No'],
    [item({ refund_status: '0', refund_message: 'Declined: no' }), '0', 'Declined: no'],
    [item({ refund_status: '0', refund_message: ' ', error_message: 'No' }), '0', 'No'],
    [{ return_status: '7', return_message: 'Closed' }, '7', 'Closed'],
  ])('names the code and the message: case %#', (answer, code, message) => {
    expect(why(answer)).toEqual({ code, message });
  });

  it('may give no reason', () => {
    expect(why({})).toEqual({ message: 'The gateway gives no reason.' });
    expect(declined(unknownRefund({}), {})).toMatchObject({ code: 'operation_declined', operation_id: 'op_1' });
  });
});

describe('an operation that must not begin', () => {
  const item = { transaction_id: 'T', amount: 90_000n };
  const items = (['BRL', 'KWD'] as const).map((currency) => ({ name: 'cancel' as const, ...item, currency }));
  const used = 'Use a new request_id for a new payout';

  it.each<[Parameters<typeof refusalProblem>[0], object]>([
    [
      { kind: 'request_id_used' },
      { code: 'request_id_used', message: `${used}. The payout that had this one is no longer kept.` },
    ],
    [
      { kind: 'request_id_used', id: 'op_7' },
      {
        code: 'request_id_used',
        message: `${used}, or read the one that has it: GET /v1/operations/op_7.`,
        operation_id: 'op_7',
      },
    ],
    [
      { kind: 'reference_used', item: 1, id: 'op_7' },
      {
        code: 'reference_used',
        message:
          'Read the outcome of the item that has this reference: GET /v1/operations/op_7. Use a new reference for a new item.',
        operation_id: 'op_7',
        errors: [{ path: 'references.1', message: 'is that of an item of op_7' }],
      },
    ],
    [{ kind: 'key_lost' }, { code: 'in_progress', message: expect.any(String) }],
    [
      { kind: 'currency_differs', item: 1, currency: 'BRL' },
      {
        code: 'currency_differs',
        message: 'This payment was made in BRL.',
        errors: [{ path: 'refund_orders.1.currency', message: 'must be BRL' }],
      },
    ],
    [
      { kind: 'refunded_meanwhile', item: 0 },
      {
        code: 'refund_exceeds_payment',
        message: 'This payment was refunded meanwhile. Look again.',
      },
    ],
    [
      { kind: 'refund_exceeds_payment', item: 1, left: 120n },
      {
        code: 'refund_exceeds_payment',
        message: '0.120 of this payment can still be refunded.',
        errors: [{ path: 'refund_orders.1.refund_amount', message: 'must not be more than 0.120' }],
      },
    ],
    [
      { kind: 'refund_exceeds_payment', item: 0, left: 5n },
      {
        code: 'refund_exceeds_payment',
        message: '0.05 of this payment can still be refunded.',
        errors: [{ path: 'refund_orders.0.refund_amount', message: 'must not be more than 0.05' }],
      },
    ],
    [
      { kind: 'other_form', item: 1, known: 'T-1' },
      {
        code: 'transaction_id_form',
        message: expect.any(String),
        errors: [{ path: 'refund_orders.1.transaction_id', message: 'must be "T-1" exactly' }],
      },
    ],
    [
      { kind: 'amount_differs', item: 1, amount: 1500n },
      {
        code: 'amount_differs',
        message: 'This payment is of 1.500.',
        errors: [{ path: 'refund_orders.1.amount', message: 'must be 1.500' }],
      },
    ],
    [
      { kind: 'capture_exceeds_payment', item: 0, left: 5n },
      {
        code: 'capture_exceeds_payment',
        message: '0.05 of this payment can still be captured.',
        errors: [{ path: 'refund_orders.0.amount', message: 'must not be more than 0.05' }],
      },
    ],
    ...(['nothing_to_capture', 'payment_cancelled', 'payment_rejected'] as const).map(
      (code): [Parameters<typeof refusalProblem>[0], object] => [
        { kind: code, item: 1 },
        {
          code,
          message: expect.any(String),
          errors: [{ path: 'refund_orders.1.transaction_id', message: expect.any(String) }],
        },
      ],
    ),
    [
      { kind: 'operation_undecided', item: 0, ids: ['op_7', 'op_8'] },
      {
        code: 'operation_undecided',
        message:
          'The gateway may have done another operation on this payment: read GET /v1/operations/op_7 until its outcome is known. If the gateway refused it, try again later.',
        operation_id: 'op_7',
        errors: [{ path: 'refund_orders.0.transaction_id', message: 'waits for op_7, op_8' }],
      },
    ],
  ])('says why: case %#', (begun, problem) => {
    expect(told(refusalProblem(begun, { name: 'refund' }, items))).toEqual({
      operation_id: undefined,
      errors: [],
      ...problem,
    });
  });
});

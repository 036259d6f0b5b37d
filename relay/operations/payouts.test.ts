import { describe, expect, it } from 'vitest';
import { since } from '../../test/support/payments/operations.ts';
import { testContext } from '../../test/support/stores/context.ts';
import type { OperationState, StoredOperation } from '../payments/operations/operation.ts';
import { summaries, wholeAnswer } from './payouts.ts';

const request_id = '3c4a6f2e-0000-4000-8000-000000000001';

const answered: OperationState = { status: 'answered', answer: { status: 'PENDING' }, items: ['unknown'] };

function payoutWith(state: OperationState, request: object = {}, id = 'op_1'): StoredOperation {
  return {
    ...{ id, account: 'demo', name: 'payout', by: 'server', created_at: since, version: 1, request_id },
    request: { request_id, ...request },
    state,
  };
}

/** Sends this number of notifications of a payout, a minute apart. */
async function notified(id: string, count: number) {
  const context = await testContext();
  const at = (minute: number) => `2026-11-21T09:0${minute}:00.000Z`;
  for (let minute = 0; minute < count; minute++) {
    const kept = { kind: 'payout', subject: id, account: 'demo', bytes: 1, fields: {} } as const;
    await context.store.notifications.add({ ...kept, sha256: String(minute), received_at: at(minute) });
  }
  return context;
}

describe('a payout', () => {
  it('is shown with its status at the gateway and its notifications', async () => {
    const context = await notified('op_1', 3);
    expect(await wholeAnswer(context, payoutWith(answered))).toMatchObject({
      id: 'op_1',
      answer: { status: 'PENDING' },
      payout: { payout_status: 'PENDING', notifications: 3, notified_at: '2026-11-21T09:02:00.000Z' },
    });
  });

  it.each<[string, OperationState]>([
    ['was not answered', { status: 'in_flight' }],
    ['has an answer without a status', { status: 'answered', answer: {}, items: ['unknown'] }],
    [
      'was settled without an answer',
      { status: 'settled', settlement: { by: 'person', who: 'ops', items: ['failed'] } },
    ],
  ])('that %s has no status there', async (_, state) => {
    expect((await wholeAnswer(await testContext(), payoutWith(state))).payout).toStrictEqual({ notifications: 0 });
  });

  it('that was settled after its answer keeps its status there', async () => {
    const state: OperationState = {
      ...{ status: 'settled', settlement: { by: 'person', who: 'ops', items: ['failed'] } },
      answer: { status: 'PENDING' },
    };
    expect((await wholeAnswer(await testContext(), payoutWith(state))).payout).toEqual({
      payout_status: 'PENDING',
      notifications: 0,
    });
  });
});

it('what is no payout has no notifications', async () => {
  const context = await notified('op_2', 1);
  const refund: StoredOperation = { ...payoutWith(answered), name: 'refund', id: 'op_2' };
  expect(await wholeAnswer(context, refund)).not.toHaveProperty('payout');
  context.store.notifications.listNewest = () => Promise.reject(new Error('asked for'));
  expect(await summaries(context, [refund])).not.toHaveProperty('0.payout');
});

describe('the list of operations', () => {
  it('shows each payout with its own notifications, and no answers', async () => {
    const context = await notified('op_2', 1);
    const refund: StoredOperation = {
      ...payoutWith(answered),
      name: 'refund',
      id: 'op_0',
      request: { refund_orders: [] },
    };
    const unanswered = payoutWith({ status: 'unknown', reason: 'timeout', since, evidence: { body: 'x' } }, {}, 'op_2');
    const listed = await summaries(context, [refund, payoutWith(answered), unanswered]);
    expect(listed).toMatchObject([
      { id: 'op_0', request: { refund_orders: [] } },
      { id: 'op_1', payout: { payout_status: 'PENDING', notifications: 0 } },
      { id: 'op_2', payout: { notifications: 1, notified_at: '2026-11-21T09:00:00.000Z' } },
    ]);
    expect(listed[0]).not.toHaveProperty('payout');
    for (const one of listed) {
      expect(one).not.toHaveProperty('answer');
      expect(one).not.toHaveProperty('evidence');
    }
  });

  const shown = async (request: object) =>
    (await summaries(await testContext(), [payoutWith(answered, request)]))[0]?.request;

  it('shows amount, reason and payee of a payout’s request', async () => {
    const request = {
      ...{ payment_amount: '10', payment_currency: 'USD', reason: 'Goods', beneficiary_id: 'b' },
      ...{ payer: { company_name: 'Shop' }, client_data: 'ours', notify_url: 'https://shop.example/n' },
    };
    expect(await shown(request)).toEqual({
      request_id,
      ...{ payment_amount: '10', payment_currency: 'USD', reason: 'Goods', beneficiary_id: 'b' },
    });
  });

  it('shows the payee’s first name and the account number’s end', async () => {
    const beneficiary = {
      ...{ entity_type: 'PERSON', company_name: 'Folha', first_name: 'Ada', last_name: '𝒜byron' },
      ...{ date_of_birth: '1990-02-28', address: { city: 'Recife' } },
      bank_details: {
        ...{ bank_name: 'Banco', bank_country_code: 'BR', swift_code: 'X', account_name: 'Ada' },
        ...{ account_number: '000 1234\t56 7', iban: '1 2 3 4 5 6 7' },
      },
    };
    expect(await shown({ beneficiary })).toEqual({
      request_id,
      beneficiary: {
        ...{ entity_type: 'PERSON', company_name: 'Folha', first_name: 'Ada', last_name: '𝒜.' },
        bank_details: { bank_name: 'Banco', bank_country_code: 'BR', account_number: '•••• 4567', iban: '•••• 67' },
      },
    });
  });

  it('shows nothing of a payee in its place where there is little', async () => {
    expect(await shown({ beneficiary: { last_name: '', first_name: 7, bank_details: 'none' } })).toEqual({
      request_id,
      beneficiary: { bank_details: {} },
    });
    expect(await shown({ beneficiary: 'a person' })).toEqual({ request_id });
  });
});

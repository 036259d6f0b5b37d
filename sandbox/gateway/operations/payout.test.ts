import { expect, test } from 'vitest';
import type { Message } from '../../../shared/gateway/signature.ts';
import { startGateway, startListener } from '../testing.ts';

const beneficiary = {
  company_name: 'Chá da Serra Ltda',
  entity_type: 'COMPANY',
  bank_details: { account_name: 'Chá da Serra', account_number: '12345-6', bank_country_code: 'BR' },
  person_documents: [{ file_type: 'application/pdf', file_url: 'https://files.example/1', labels: ['contract'] }],
};

function payoutOf(fields: Message = {}): Message {
  return {
    request_id: '7b0c2d1e-0f7a-4c58-9d3e-5a1f6b2c3d4e',
    payment_amount: '1000',
    payment_currency: 'BRL',
    source_amount: '1000',
    source_currency: 'BRL',
    fee_paid_by: 'PAYER',
    reference: 'Harvest',
    beneficiary,
    payer: { company_name: 'Demo Shop' },
    ...fields,
  };
}

async function withClock() {
  return startGateway({ now: () => new Date('2026-11-21T10:20:30Z') });
}

test('a payout completes at once, and echoes the request with its result', async () => {
  const { ask } = await withClock();
  expect(await ask('payout', payoutOf())).toEqual({
    merchant_id: '100001',
    account_id: '200001',
    ...payoutOf(),
    beneficiary: { ...beneficiary, bank_details: { ...beneficiary.bank_details, local_clearing_system: 'STR' } },
    amount_beneficiary_receives: 1000,
    amount_payer_pays: 1010,
    fee_amount: 10,
    fee_currency: 'BRL',
    created_at: '2026-11-21T10:20:30+0000',
    last_updated_at: '2026-11-21T10:20:30+0000',
    failure_reason: '',
    failure_type: '',
    payer_id: expect.stringMatching(/^PY-\w{8}$/),
    transaction_id: expect.stringMatching(/^\d{20}$/),
    short_reference_id: expect.stringMatching(/^PO-\w{8}$/),
    status: 'COMPLETED',
    encryption_data: expect.any(String),
  });
});

test.each([
  ['0.07', 0.01, 0.07, 0.08],
  ['0.29', 0.01, 0.29, 0.3],
  ['1.10', 0.02, 1.1, 1.12],
  ['33.33', 0.34, 33.33, 33.67],
  ['1000000.01', 10000.01, 1000000.01, 1010000.02],
])(
  'of a payout of %s the fee is exactly %d',
  async (amount, fee_amount, amount_beneficiary_receives, amount_payer_pays) => {
    const { ask } = await withClock();
    const asked = payoutOf({ payment_amount: amount, source_amount: undefined, source_currency: undefined });
    const answer = await ask('payout', asked);
    expect(answer).toMatchObject({
      payment_amount: amount,
      source_amount: amount,
      fee_amount,
      amount_beneficiary_receives,
      amount_payer_pays,
    });
  },
);

test('a beneficiary that pays the fee gets less', async () => {
  const { ask } = await withClock();
  const asked = payoutOf({ fee_paid_by: 'BENEFICIARY', payment_amount: '200.00', payment_currency: 'USD' });
  expect(await ask('payout', asked)).toMatchObject({
    payment_amount: '200.00',
    source_amount: '1000',
    amount_beneficiary_receives: 198,
    amount_payer_pays: 1000,
    fee_amount: 2,
    fee_currency: 'USD',
  });
});

test.each([
  ['without any amount', { payment_amount: undefined, source_amount: undefined }],
  ['without any currency', { payment_currency: undefined, source_currency: undefined }],
  ['without a beneficiary', { beneficiary: undefined }],
  ['of more than a number holds exactly', { payment_amount: '99999999999999.99' }],
])('a payout %s is invalid input, and leaves its request_id free', async (_, fields) => {
  const { send, ask } = await withClock();
  expect((await send('payout', payoutOf(fields))).status).toBe(400);
  expect(await ask('payout', payoutOf())).toMatchObject({ status: 'COMPLETED' });
});

test('the same request again gives the same payout, not a second one', async () => {
  const { ask, books } = await withClock();
  const first = await ask('payout', payoutOf());
  expect(await ask('payout', payoutOf())).toEqual(first);
  expect(books.payouts.list()).toHaveLength(1);
});

test('another payout under the same request_id is invalid input', async () => {
  const { ask, send, books } = await withClock();
  await ask('payout', payoutOf());
  const response = await send('payout', payoutOf({ payment_amount: '1000.01' }));
  expect(response.status).toBe(400);
  expect(await response.text()).toBe('Invalid input: request_id: names another payout already');
  expect(books.payouts.list()).toHaveLength(1);
});

test('a failed payout has a reason', async () => {
  const { ask } = await withClock();
  expect(await ask('payout', payoutOf({ reference: 'sandbox:fail' }))).toMatchObject({
    status: 'FAILED',
    failure_type: 'BENEFICIARY_BANK',
    failure_reason: expect.stringMatching(/refused/),
  });
});

test.each([
  ['reference', 'sandbox:pending', 'COMPLETED'],
  ['client_data', 'sandbox:pending', 'COMPLETED'],
  ['reference', 'sandbox:pending-fail', 'FAILED'],
])('a payout with %s %s becomes %s after a minute, with notifications', async (field, keyword, end) => {
  const { url, received } = await startListener();
  const { ask, clock } = await withClock();
  const asked = payoutOf({ [field]: `Harvest ${keyword}`, notify_url: url });
  const first = await ask('payout', asked);
  expect(first).toMatchObject({ status: 'PROCESSING', failure_reason: '' });
  clock.advance(59_999);
  expect(await ask('payout', asked)).toMatchObject({ status: 'PROCESSING' });
  clock.advance(1);
  const { transaction_id } = first;
  expect(await ask('payout', asked)).toMatchObject({
    transaction_id,
    status: end,
    created_at: '2026-11-21T10:20:30+0000',
    last_updated_at: '2026-11-21T10:21:30+0000',
  });
  await expect.poll(() => received.map(({ status }) => status)).toEqual(['PROCESSING', end]);
  expect(received[1]).toMatchObject({ request_id: asked.request_id, transaction_id });
});

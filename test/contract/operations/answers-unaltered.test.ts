import { expect, it } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { operationCases } from '../../support/gateways/operation-cases.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { account, apiKey, startTestRelay } from '../../support/relays/relay.ts';

/**
 * Numbers that look like card numbers by chance: 13, 14, 15 and 16 digits in ranges of Visa, Diners Club, Amex and
 * Mastercard.
 */
const [phone, company, telex, reference] = ['4222222222222', '36227206271667', '378282246310005', '5555555555554444'];

const { merchant_id, account_id } = account;
const identity = { merchant_id, account_id };
const note = `paid with ${reference}, cvv 947`;
const masked = 'paid with 555555******4444, cvv ***';
const ok = { ...identity, return_status: '1', return_message: 'OK' };

async function ask(path: string, body: object, answer: object): Promise<Record<string, unknown>> {
  const signed = { ...answer, encryption_data: sign({ ...answer }, account.signingSecret) };
  const gateway = await scriptedGateway((_received, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(signed));
  });
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  return (await relay.post(path, apiKey, body)).body;
}

it('returns the documented numbers of a query unchanged, with reasons masked', async () => {
  const record = {
    order_no: reference,
    transaction_id: reference,
    reference_no: company,
    shopper_phone: phone,
    delivery_information: { delivery_postal_code: company },
    subscription_result: { recurring_id: telex },
  };
  const answer = { ...ok, orders_list: [{ ...record, decline_reason: note }] };
  expect(await ask('/v1/query', { orders: [reference] }, answer)).toMatchObject({
    orders_list: [{ ...record, decline_reason: masked }],
  });
});

it('returns the documented numbers of a refund search unchanged, with reasons masked', async () => {
  const record = {
    order_no: reference,
    transaction_id: telex,
    refund_reference: reference,
    refund_reference_id: company,
  };
  const answer = { ...ok, refund_orders: [{ ...record, refund_reason: note }] };
  expect(await ask('/v1/refund/search', { refund_orders: [reference] }, answer)).toMatchObject({
    refund_orders: [{ ...record, refund_reason: masked }],
  });
});

it('returns the documented numbers of a payout unchanged, with reasons masked', async () => {
  const { full } = operationCases.payout;
  const numbers = {
    reference,
    beneficiary_id: company,
    beneficiary: {
      additional_info: {
        business_phone_number: phone,
        business_registration_number: company,
        personal_id_number: telex,
        personal_mobile_number: phone,
      },
      bank_details: { owner_document_number: company, account_number: reference, transaction_reference: reference },
    },
    payer: { additional_info: { external_id: reference } },
  };
  const answer = {
    ...identity,
    ...full,
    ...numbers,
    status: 'COMPLETED',
    payer_id: telex,
    short_reference_id: company,
  };
  expect(await ask('/v1/payout', { ...full, ...numbers }, { ...answer, failure_reason: note })).toMatchObject({
    ...numbers,
    payer_id: telex,
    short_reference_id: company,
    failure_reason: masked,
  });
});

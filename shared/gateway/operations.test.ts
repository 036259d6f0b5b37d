import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apmPaymentRequest } from './apm-payment.ts';
import { directPaymentRequest } from './direct-payment.ts';
import { operationNames, operations } from './operations.ts';
import { printedOrder } from './printed-order.ts';
import { queryRequest } from './query.ts';

/** §4.1. */
const queryFields = `merchant_id, account_id, orders, trades, platform_source, order_status, query_start, query_end,
  encryption_data`;

/** §2.5 to §2.10, §4.2: request and answer of the other operations, `list:` before the fields of its items. */
const tables: Record<string, { request: string; answer: string }> = {
  refund: {
    request: `merchant_id, account_id, encryption_data, refund_orders: transaction_id, order_no, currency, amount,
      refund_amount, refund_reason`,
    answer: `merchant_id, account_id, return_status, return_message, encryption_data, refund_orders: amount, currency,
      order_no, refund_amount, refund_message, refund_reason, refund_reference, refund_reference_id, refund_status,
      transaction_id`,
  },
  refund_search: {
    request: 'merchant_id, account_id, refund_orders, refund_references, merchant_refunds, encryption_data',
    answer: `account_id, merchant_id, return_status, return_message, encryption_data, refund_orders: transaction_id,
      order_no, amount, refund_status, payment_status, refund_amount, refund_reference, currency, refund_reason,
      refund_reference_id, refund_date, refund_processing_date`,
  },
  review: {
    request: `merchant_id, account_id, encryption_data, review_orders: transaction_id, order_no, currency, amount,
      review_flag`,
    answer: `merchant_id, account_id, return_status, return_message, encryption_data, review_orders: amount, currency,
      error_message, order_no, review_flag, review_status, transaction_id`,
  },
  capture: {
    request: 'merchant_id, account_id, encryption_data, capture_orders: transaction_id, order_no, currency, amount',
    answer: `merchant_id, account_id, return_status, return_message, encryption_data, capture_orders: amount,
      capture_status, currency, error_message, order_no, transaction_id`,
  },
  cancel: {
    request: 'merchant_id, account_id, encryption_data, cancel_orders: transaction_id, order_no, currency, amount',
    answer: `merchant_id, account_id, return_status, return_message, encryption_data, cancel_orders: amount,
      cancel_status, currency, error_message, order_no, transaction_id`,
  },
  subscription_cancel: {
    request: 'merchant_id, account_id, recurring_id, contract_name, encryption_data',
    answer: 'merchant_id, account_id, recurring_id, contract_name, cancel_status, error_message, encryption_data',
  },
};

const payoutAdds = `amount_beneficiary_receives, amount_payer_pays, fee_amount, fee_currency, created_at,
  last_updated_at, failure_reason, failure_type, payer_id, transaction_id, short_reference_id, status`;
const party = 'company_name, date_of_birth, entity_type, first_name, last_name, additional_info, address';
const payoutParts: Record<string, string> = {
  beneficiary: `${party}, person_documents, bank_details`,
  'beneficiary.additional_info': `business_area, business_phone_number, business_registration_number, personal_email,
    personal_id_number, personal_id_type, personal_mobile_number, personal_net_monthly_average_income,
    personal_phone_country_code, personal_phone_area_code, personal_fiscal_country`,
  'beneficiary.address': 'city, country_code, postcode, state, street, number, street_address, complement',
  'beneficiary.person_documents': 'file_type, file_url, labels',
  'beneficiary.bank_details': `account_currency, account_name, owner_document_number, account_number,
    bank_account_category, bank_branch, bank_country_code, bank_code, bank_name, bank_street_address,
    binding_mobile_number, iban, swift_code, transaction_reference`,
  payer: party,
  'payer.additional_info': `business_registration_number, business_registration_type, external_id, personal_email,
    personal_id_number, job`,
  'payer.address': 'city, country_code, postcode, state, street_address',
};

/** The fields of an object schema, or of the objects inside an array schema. */
function fieldsOf(schema: unknown): string[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray) return fieldsOf(inner.element);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape).sort() : [];
}

function memberOf(schema: unknown, path: string): unknown {
  return path.split('.').reduce((from: unknown, name) => {
    const inner = unwrapped(from);
    return inner instanceof z.ZodObject ? inner.shape[name] : undefined;
  }, schema);
}

function unwrapped(schema: unknown): unknown {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch;
  return isWrapped ? unwrapped(schema.unwrap()) : schema;
}

const names = (table: string): string[] => table.split(/[\s,]+/).sort();

const payment = { merchant_id: '1', account_id: '2', order_no: 'A', currency: 'BRL', amount: '1.00' };

describe('the gateway’s messages', () => {
  it('have exactly the fields of the spec’s tables', () => {
    expect(Object.keys(directPaymentRequest.shape).sort()).toEqual(
      [...printedOrder.direct_payment, 'encryption_data'].sort(),
    );
    expect(Object.keys(apmPaymentRequest.shape).sort()).toEqual(
      [...printedOrder.apm_payment, 'encryption_data'].sort(),
    );
    expect(Object.keys(queryRequest.shape).sort()).toEqual(names(queryFields));
  });

  it.each(Object.entries(tables))('of %s have the fields of their tables', (name, table) => {
    const operation = operations[operationNames.find((known) => known === name) ?? 'query'];
    for (const side of ['request', 'answer'] as const) {
      const [top = '', items] = table[side].split(/(?<=, \w+|^\w+): /);
      expect(fieldsOf(operation[side])).toEqual(names(top));
      const list = top.split(/[\s,]+/).at(-1) ?? '';
      if (items) expect(fieldsOf(memberOf(operation[side], list))).toEqual(names(items));
    }
  });

  it('of payouts have every nested field, and answers add their own', () => {
    const { request, answer } = operations.payout;
    expect(fieldsOf(request)).toEqual([...printedOrder.payout, 'encryption_data'].sort());
    expect(fieldsOf(answer)).toEqual([...printedOrder.payout, 'encryption_data', ...names(payoutAdds)].sort());
    for (const [path, table] of Object.entries(payoutParts)) {
      expect(fieldsOf(memberOf(request, path)), path).toEqual(names(table));
      const adds = path === 'beneficiary.bank_details' ? ', local_clearing_system' : '';
      expect(fieldsOf(memberOf(answer, path)), path).toEqual(names(table + adds));
    }
  });

  it('hold the limits of §8', () => {
    const limits = operationNames.flatMap((name) => Object.entries(operations[name].lists));
    expect(limits).toEqual([
      ['orders', 100],
      ['trades', 100],
      ['refund_orders', 50],
      ['refund_orders', 100],
      ['refund_references', 100],
      ['merchant_refunds', 100],
      ['review_orders', 100],
      ['capture_orders', 50],
      ['cancel_orders', 50],
    ]);
  });

  it('must be signed in the answers where §2 and §4 list encryption_data', () => {
    const listed = [
      operations.direct_payment,
      ...Object.keys(tables).map((name) => operations[operationNames.find((known) => known === name) ?? 'query']),
    ];
    for (const { verify } of listed) expect(verify).toBe('required');
    for (const name of ['apm_payment', 'query', 'payout'] as const) expect(operations[name].verify).toBe('if_present');
  });

  it('tell numbers from strings in a payout’s answer', () => {
    const { answer } = operations.payout;
    expect(answer.safeParse({ fee_amount: 1.5, payment_amount: '10', status: 'COMPLETED', more: 1 }).success).toBe(
      true,
    );
    expect(z.toJSONSchema(answer, { io: 'output', metadata: z.registry() }).properties).toMatchObject({
      fee_amount: { type: ['number', 'null'] },
      payment_amount: { type: ['string', 'null'] },
    });
    expect(answer.safeParse({ payment_amount: 10 }).success).toBe(false);
    expect(answer.safeParse({ beneficiary: null, fee_amount: null }).success).toBe(true);
  });

  it('accept an odd type in an answer field that decides nothing', () => {
    const odd = { is3ds: 1, fraud_check_result: 'none', delivery_information: [], transaction_date: 20261121093059 };
    const record = { order_no: 'A', amount: '1.00', currency: 'BRL', payment_status: '3000', transaction_id: 'T' };
    const { answer } = operations.query;
    expect(answer.parse({ orders_list: [{ ...record, ...odd }] })).toMatchObject({ orders_list: [record] });
    for (const field of Object.keys(record)) {
      expect(answer.safeParse({ orders_list: [{ ...record, [field]: 1 }] }).success, field).toBe(false);
    }
    expect(operations.payout.answer.safeParse({ status: 'COMPLETED', fee_amount: '1.50', payer: 'me' }).success).toBe(
      true,
    );
    expect(operations.payout.answer.safeParse({ status: 1 }).success).toBe(false);
  });

  it('require nothing of a payment but identity, order and amount', () => {
    expect(directPaymentRequest.safeParse(payment).success).toBe(true);
    expect(apmPaymentRequest.safeParse({ ...payment, payment_method: 'PIX' }).success).toBe(true);
  });

  it('refuse a misspelt field, also deep inside', () => {
    expect(directPaymentRequest.safeParse({ ...payment, shiping: '1.00' }).success).toBe(false);
    const person = { documents: { labels: { bank_account: { bank: { cod: '1' } } } } };
    expect(apmPaymentRequest.safeParse({ ...payment, payment_method: 'PIX', person }).success).toBe(false);
  });

  it('hold numbers where the spec has numbers and strings elsewhere', () => {
    expect(directPaymentRequest.safeParse({ ...payment, checkout_time: 1_790_000_000 }).success).toBe(true);
    expect(directPaymentRequest.safeParse({ ...payment, checkout_time: '1790000000' }).success).toBe(false);
    expect(directPaymentRequest.safeParse({ ...payment, color_depth: 24 }).success).toBe(false);
    expect(directPaymentRequest.safeParse({ ...payment, subscription: { billing_cycle: '12' } }).success).toBe(false);
  });

  it('refuse text that XML, JSON or a form could not carry', () => {
    for (const note of ['\u0000', 'a\u0007b', '\ud800', 'x\u007f']) {
      expect(directPaymentRequest.safeParse({ ...payment, note }).success, JSON.stringify(note)).toBe(false);
    }
    expect(directPaymentRequest.safeParse({ ...payment, note: 'line\n\ttab 😀' }).success).toBe(true);
  });

  it('are re-sent only where reading is all that the operation does', () => {
    expect(operationNames.filter((name) => operations[name].resend)).toEqual(['query', 'refund_search']);
  });
});

import type { RoutedName } from '../../../shared/gateway/operations.ts';
import { account } from '../relays/relay.ts';

/** A case of one operation: the shop's request, the message on the wire, and the gateway's answer. */
type OperationCase = {
  /** A request with every field in the specification's table. */
  full: Record<string, unknown>;
  /** A request with only the necessary fields. */
  least: Record<string, unknown>;
  /** `full` on the wire, without identity and signature, if it differs. */
  wire?: Record<string, unknown>;
  /** The gateway's answer to `full`, without identity and signature, with a field that is in no specification. */
  answer: Record<string, unknown>;
  /** The text that a person reads about a successful `full`. */
  items?: string[];
};

const transaction = { transaction_id: '00012345678901234567', order_no: 'A-1', currency: 'BRL' };
const other = { transaction_id: '00012345678901234568', currency: 'JPY' };
const ok = { return_status: '1', return_message: 'OK', a_field_of_next_year: { kept: [1, true, null] } };

const plainBatch = (name: 'capture' | 'cancel'): OperationCase => {
  const list = `${name}_orders`;
  const done = { error_message: '', [`${name}_status`]: '1' };
  return {
    full: {
      [list]: [
        { ...transaction, amount: '129.9' },
        { ...other, amount: '1000' },
      ],
    },
    least: { [list]: [{ ...other, amount: '1000' }] },
    wire: {
      [list]: [
        { ...transaction, amount: '129.90' },
        { ...other, amount: '1000.00' },
      ],
    },
    answer: {
      ...ok,
      [list]: [
        { ...transaction, amount: '129.90', ...done },
        { ...other, order_no: 'B-2', amount: '1000.00', error_message: 'not authorised', [`${name}_status`]: '0' },
      ],
    },
    items: ['succeeded', 'failed'],
  };
};

const beneficiary = {
  company_name: 'Folha Ltda',
  date_of_birth: '1990-02-28',
  entity_type: 'COMPANY',
  first_name: 'Ada',
  last_name: 'Byron',
  additional_info: {
    business_area: 'tea',
    business_phone_number: '+55 81 5550100',
    business_registration_number: '12.345.678/0001-95',
    personal_email: 'ada@shop.example',
    personal_id_number: 'X-1',
    personal_id_type: 'PASSPORT',
    personal_mobile_number: '+55 81 5550101',
    personal_net_monthly_average_income: '1000.00',
    personal_phone_country_code: '55',
    personal_phone_area_code: '81',
    personal_fiscal_country: 'BR',
  },
  address: {
    city: 'Recife',
    country_code: 'BR',
    postcode: '50030-230',
    state: 'PE',
    street: 'Rua do Bom Jesus',
    number: '1',
    street_address: 'Rua do Bom Jesus, 1',
    complement: 'loja “2”',
  },
  person_documents: [{ file_type: 'image/png', file_url: 'https://shop.example/id.png', labels: ['front', 'id'] }],
  bank_details: {
    account_currency: 'BRL',
    account_name: 'Folha',
    owner_document_number: 'X-1',
    account_number: '000123-4',
    bank_account_category: 'CHECKING,SAVINGS',
    bank_branch: '0001',
    bank_country_code: 'BR',
    bank_code: '001',
    bank_name: 'Banco',
    bank_street_address: 'Rua 1',
    binding_mobile_number: '+55 81 5550101',
    iban: 'BR15 0000 0000 0000 1093 2840 814P 2',
    swift_code: 'BRASBRRJ',
    transaction_reference: 'tea',
  },
};

const payer = {
  company_name: 'Folha Ltda',
  date_of_birth: '1990-02-28',
  entity_type: 'COMPANY',
  first_name: 'Ada',
  last_name: 'Byron',
  additional_info: {
    business_registration_number: '12',
    business_registration_type: 'CNPJ',
    external_id: 'E-1',
    personal_email: 'ada@shop.example',
    personal_id_number: 'X-1',
    job: 'merchant',
  },
  address: { city: 'Recife', country_code: 'BR', postcode: '50030', state: 'PE', street_address: 'Rua 1' },
};

const payout = {
  beneficiary_id: 'ben-1',
  client_data: 'run 7',
  fee_paid_by: 'PAYER',
  payment_amount: '1000',
  payment_currency: 'JPY',
  source_amount: '35.5',
  source_currency: 'BRL',
  payment_date: '2026-11-30',
  payment_method: 'SWIFT',
  reason: 'tea',
  reference: 'PO-1',
  request_id: '7f9c24e8-3b12-4fef-91d0-0123456789ab',
  swift_charge_option: 'SHARED',
  fund_source: 'DepositAccount',
  notify_url: 'https://shop.example/payouts',
  beneficiary,
  payer,
};

/** One case for every operation with a separate route. */
export const operationCases: Record<RoutedName, OperationCase> = {
  query: {
    full: {
      orders: ['A-1', 'Ação 2'],
      trades: ['T-1'],
      platform_source: 'web',
      order_status: '1',
      query_start: '2026-11-01 00:00:00',
      query_end: '2026-11-20 23:59:59',
    },
    least: { orders: ['A-1'] },
    wire: {
      orders: 'A-1,Ação 2',
      trades: 'T-1',
      platform_source: 'web',
      order_status: '1',
      query_start: '2026-11-01 00:00:00',
      query_end: '2026-11-20 23:59:59',
    },
    answer: {
      ...ok,
      orders_list: [
        { ...transaction, amount: '129.90', service: 's', payment_status: '3000', transaction_date: '20261121093059' },
        { order_no: null, payment_status: '4100', fraud_check_result: [{ check_items: 'x', status: 'REJECT' }] },
      ],
    },
  },
  refund: {
    full: {
      refund_orders: [
        { ...transaction, amount: '129.9', refund_amount: '29.9', refund_reason: 'café “frio”' },
        { ...transaction, amount: '129.90', refund_amount: '29.90' },
        { ...other, amount: '1000', refund_amount: '1000' },
      ],
    },
    least: { refund_orders: [{ ...other, amount: '1000', refund_amount: '1' }] },
    wire: {
      refund_orders: [
        { ...transaction, amount: '129.90', refund_amount: '29.90', refund_reason: 'café “frio”' },
        { ...transaction, amount: '129.90', refund_amount: '29.90' },
        { ...other, amount: '1000.00', refund_amount: '1000.00' },
      ],
    },
    answer: {
      ...ok,
      refund_orders: ['01', '02', '03'].map((number, at) => ({
        ...(at < 2 ? transaction : other),
        amount: at < 2 ? '129.90' : '1000.00',
        refund_amount: at < 2 ? '29.90' : '1000.00',
        refund_message: at < 2 ? 'V0000:OK' : 'V0009:Too late',
        refund_reason: '',
        refund_reference: '',
        refund_reference_id: `00012345678901234567-${number}`,
        refund_status: at < 2 ? '1' : '0',
      })),
    },
    items: ['succeeded', 'succeeded', 'failed'],
  },
  refund_search: {
    full: { refund_orders: ['A-1'], refund_references: ['T-1-01', 'T-1-02'], merchant_refunds: ['M 1'] },
    least: { merchant_refunds: ['M'] },
    wire: { refund_orders: 'A-1', refund_references: 'T-1-01,T-1-02', merchant_refunds: 'M 1' },
    answer: {
      ...ok,
      refund_orders: [
        { ...transaction, amount: '129.90', refund_amount: '29.90', refund_status: '1', refund_processing_date: '' },
      ],
    },
  },
  review: {
    full: {
      review_orders: [
        { ...transaction, amount: '129.9', review_flag: '1' },
        { ...other, amount: '1000', review_flag: '0' },
      ],
    },
    least: { review_orders: [{ ...other, amount: '1000', review_flag: '0' }] },
    wire: {
      review_orders: [
        { ...transaction, amount: '129.90', review_flag: '1' },
        { ...other, amount: '1000.00', review_flag: '0' },
      ],
    },
    answer: {
      ...ok,
      review_orders: [
        { ...transaction, amount: '129.90', error_message: '', review_flag: '1', review_status: '1' },
        { ...other, amount: '1000.00', error_message: '', review_flag: '0', review_status: '1' },
      ],
    },
    items: ['succeeded', 'succeeded'],
  },
  capture: plainBatch('capture'),
  cancel: plainBatch('cancel'),
  subscription_cancel: {
    full: { recurring_id: 'R-1', contract_name: 'Tea of the month' },
    least: { recurring_id: 'R-1' },
    answer: {
      recurring_id: 'R-1',
      contract_name: 'Tea of the month',
      cancel_status: '1',
      error_message: '',
      a_field_of_next_year: 'kept',
    },
    items: ['succeeded'],
  },
  payout: {
    full: payout,
    least: {
      beneficiary_id: 'ben-1',
      payment_amount: '1000.50',
      payment_currency: 'BRL',
      request_id: '7f9c24e8-3b12-4fef-91d0-0123456789ac',
    },
    answer: {
      ...payout,
      beneficiary: { ...beneficiary, bank_details: { ...beneficiary.bank_details, local_clearing_system: 'STR' } },
      amount_beneficiary_receives: 1000,
      amount_payer_pays: 36.55,
      fee_amount: 1.05,
      fee_currency: 'BRL',
      created_at: '2026-11-21T09:30:59+1100',
      last_updated_at: '2026-11-21T09:30:59+1100',
      failure_reason: '',
      failure_type: '',
      payer_id: 'pay-1',
      transaction_id: '00012345678901234569',
      short_reference_id: 'P1',
      status: 'COMPLETED',
      a_field_of_next_year: null,
    },
    items: ['succeeded'],
  },
};

/** The sender of every message. */
export const identity = { merchant_id: account.merchant_id, account_id: account.account_id };

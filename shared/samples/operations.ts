import type { z } from 'zod';
import type { OperationAnswer } from '../api/operation.ts';
import type { PayoutAnswer, payoutBody as schema } from '../gateway/payout/payout.ts';
import { operationId, time, transactionId } from './ids.ts';

export const exampleCapture = { transaction_id: transactionId, order_no: 'A-1001', currency: 'BRL', amount: '129.90' };
export const exampleRefund = { ...exampleCapture, refund_amount: '29.90' };
export const exampleOperation = { id: operationId, operation: 'capture', created_at: time, by: 'server' } as const;

export const unknownOperation: OperationAnswer = {
  ...exampleOperation,
  status: 'unknown',
  request: { capture_orders: [exampleCapture] },
  unknown: { reason: 'timeout', since: '2027-03-31T10:15:30.000Z', needs_attention: true },
  evidence: {},
};

export const foundOperation: OperationAnswer = {
  ...exampleOperation,
  operation: 'refund',
  status: 'settled',
  settled_at: '2027-03-31T10:15:33.000Z',
  request: { refund_orders: [exampleRefund] },
  items: ['succeeded'],
  evidence: {},
  settlement: { by: 'refund_search', items: ['succeeded'], refund_reference_ids: [`${transactionId}-01`] },
};

export const payoutBody: z.input<typeof schema> = {
  request_id: '7b6e2a3c-4d5f-4a1b-9c8d-0e1f2a3b4c5d',
  payment_amount: '1000',
  payment_currency: 'USD',
  payment_date: '2027-04-02',
  payment_method: 'SWIFT',
  swift_charge_option: 'SHARED',
  fee_paid_by: 'PAYER',
  fund_source: 'DepositAccount',
  reason: 'Goods',
  reference: 'Invoice 1042',
  beneficiary: {
    entity_type: 'COMPANY',
    company_name: 'Example Tea Gardens Ltd',
    address: { city: 'Colombo', country_code: 'LK', street_address: '1 Example Road' },
    bank_details: {
      account_currency: 'USD',
      account_name: 'Example Tea Gardens Ltd',
      account_number: '000123456',
      bank_country_code: 'LK',
      bank_name: 'Example Bank',
      swift_code: 'EXAMLKLX',
    },
  },
};

export const payoutAnswer: PayoutAnswer = {
  ...payoutBody,
  beneficiary: {
    ...payoutBody.beneficiary,
    bank_details: { ...payoutBody.beneficiary?.bank_details, local_clearing_system: 'SWIFT' },
  },
  amount_beneficiary_receives: 1000,
  amount_payer_pays: 1015,
  fee_amount: 15,
  fee_currency: 'USD',
  created_at: '2027-03-31T10:15:00+0000',
  last_updated_at: '2027-03-31T10:15:02+0000',
  payer_id: 'payer-17',
  transaction_id: '20270331101502000043',
  short_reference_id: 'P-20417',
  status: 'COMPLETED',
};

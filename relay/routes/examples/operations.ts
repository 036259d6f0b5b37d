import type { OperationName } from '../../../shared/gateway/operations.ts';
import { transactionId } from '../../../shared/samples/ids.ts';
import { payoutAnswer, payoutBody } from '../../../shared/samples/operations.ts';

/** A request and its answer, valid under the operation's schemas. */
type Sample = { request: object; answer: object };

const identity = { merchant_id: '100001', account_id: '200001' };
const signature = '5f1c3c0c8a1f4f0b9c35e1a4c1d7e2f6a8b9c0d1e2f3a4b5c6d7e8f90a1b2c3d';
const accepted = { ...identity, return_status: '1', return_message: 'OK', encryption_data: signature };
const item = { transaction_id: transactionId, order_no: 'A-1001', currency: 'BRL', amount: '129.90' };
const refund = { ...item, refund_amount: '50.00', refund_reason: 'One cup was broken' };
const done = { refund_status: '1', refund_reference: '', refund_reference_id: `${transactionId}-01` };

/** One example for each operation that has a route. */
export const samples: Record<Exclude<OperationName, 'direct_payment' | 'apm_payment'>, Sample> = {
  query: {
    request: { orders: ['A-1001'] },
    answer: {
      ...accepted,
      orders_list: [
        {
          ...item,
          payment_status: '3000',
          query_result: '1',
          transaction_date: '20270331101501',
          shopper_email: 'ada@example.com',
        },
      ],
    },
  },
  refund: {
    request: { refund_orders: [refund], references: ['refund-2041'] },
    answer: { ...accepted, refund_orders: [{ ...refund, ...done, refund_message: 'V0000:OK' }] },
  },
  refund_search: {
    request: { refund_orders: ['A-1001'] },
    answer: {
      ...accepted,
      refund_orders: [
        { ...refund, ...done, payment_status: '3000', refund_date: '20270401090000', refund_processing_date: '' },
      ],
    },
  },
  review: {
    request: { review_orders: [{ ...item, review_flag: 'ACCEPT' }] },
    answer: {
      ...accepted,
      review_orders: [{ ...item, review_flag: 'ACCEPT', review_status: '1', error_message: '' }],
    },
  },
  capture: {
    request: { capture_orders: [item] },
    answer: { ...accepted, capture_orders: [{ ...item, capture_status: '1', error_message: '' }] },
  },
  cancel: {
    request: { cancel_orders: [item] },
    answer: { ...accepted, cancel_orders: [{ ...item, cancel_status: '1', error_message: '' }] },
  },
  subscription_cancel: {
    request: { recurring_id: 'REC-30417', contract_name: 'Tea of the month' },
    answer: {
      ...identity,
      recurring_id: 'REC-30417',
      contract_name: 'Tea of the month',
      cancel_status: '1',
      error_message: '',
      encryption_data: signature,
    },
  },
  payout: { request: payoutBody, answer: { ...identity, ...payoutAnswer, encryption_data: signature } },
};

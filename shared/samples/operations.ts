import type { OperationAnswer } from '../api/operation.ts';
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

import type { z } from 'zod';
import type { OperationAnswer, settleBody } from '../../../shared/api/operation.ts';
import type { Example } from '../route.ts';
import { operationId, time, transactionId } from './ids.ts';

const capture = { transaction_id: transactionId, order_no: 'A-1001', currency: 'BRL', amount: '129.90' };
const common = { id: operationId, operation: 'capture', created_at: time, by: 'server' } as const;

const answered: OperationAnswer = {
  ...common,
  status: 'answered',
  settled_at: '2027-03-31T10:15:01.000Z',
  request: { capture_orders: [capture] },
  answer: { return_status: '1', return_message: 'OK', capture_orders: [{ ...capture, capture_status: '1' }] },
  items: ['succeeded'],
};

const unknown: OperationAnswer = {
  ...common,
  status: 'unknown',
  request: { capture_orders: [capture] },
  unknown: { reason: 'timeout', since: '2027-03-31T10:15:30.000Z', needs_attention: true },
  evidence: {},
};

const refund = { ...capture, refund_amount: '29.90' };

const searched: OperationAnswer = {
  ...common,
  operation: 'refund',
  status: 'unknown',
  request: { refund_orders: [refund] },
  unknown: {
    reason: 'connection_lost',
    since: '2027-03-31T10:15:30.000Z',
    looks: 1,
    next_look_at: '2027-03-31T10:15:33.000Z',
    last_look: { at: '2027-03-31T10:15:31.000Z', found: 'absent' },
    needs_attention: false,
  },
  evidence: {},
};

const found: OperationAnswer = {
  ...common,
  operation: 'refund',
  status: 'settled',
  settled_at: '2027-03-31T10:15:33.000Z',
  request: { refund_orders: [refund] },
  items: ['succeeded'],
  evidence: {},
  settlement: { by: 'refund_search', items: ['succeeded'], refund_reference_ids: [`${transactionId}-01`] },
};

const settled: OperationAnswer = {
  ...common,
  status: 'settled',
  settled_at: '2027-03-31T11:02:00.000Z',
  request: { capture_orders: [capture] },
  items: ['succeeded'],
  evidence: {},
  settlement: { by: 'person', who: 'support', items: ['succeeded'], note: 'Captured, says the merchant portal.' },
};

export const operationExamples: Example[] = [
  { name: 'answered', summary: 'The gateway did it', value: answered },
  { name: 'unknown', summary: 'Waits for a person', value: unknown },
  { name: 'looked_for', summary: 'A refund that the relay asks the gateway for', value: searched },
  { name: 'found', summary: 'A refund that it found there', value: found },
];

export const settledExamples: Example[] = [{ name: 'settled', summary: 'Settled by a person', value: settled }];

const settle: z.input<typeof settleBody> = { outcome: 'succeeded', note: 'Captured, says the merchant portal.' };

export const settleExamples: Example[] = [{ name: 'succeeded', summary: 'It was done', value: settle }];

export { found as foundOperation, unknown as unknownOperation };

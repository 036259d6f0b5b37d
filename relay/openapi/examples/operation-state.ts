import type { z } from 'zod';
import type { OperationAnswer, OperationList, OperationSummary, settleBody } from '../../../shared/api/operation.ts';
import {
  exampleCapture,
  exampleOperation,
  exampleRefund,
  foundOperation,
  unknownOperation,
} from '../../../shared/samples/operations.ts';
import type { Example } from '../route.ts';

const answered: OperationAnswer = {
  ...exampleOperation,
  status: 'answered',
  settled_at: '2027-03-31T10:15:01.000Z',
  request: { capture_orders: [exampleCapture] },
  answer: { return_status: '1', return_message: 'OK', capture_orders: [{ ...exampleCapture, capture_status: '1' }] },
  items: ['succeeded'],
};

const searched: OperationAnswer = {
  ...exampleOperation,
  operation: 'refund',
  status: 'unknown',
  request: { refund_orders: [exampleRefund] },
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

const settled: OperationAnswer = {
  ...exampleOperation,
  status: 'settled',
  settled_at: '2027-03-31T11:02:00.000Z',
  request: { capture_orders: [exampleCapture] },
  items: ['succeeded'],
  evidence: {},
  settlement: { by: 'person', who: 'support', items: ['succeeded'], note: 'Captured, says the merchant portal.' },
};

/** Without what the gateway sent. */
function summaryOf({ answer: _, evidence: __, ...summary }: OperationAnswer): OperationSummary {
  return summary;
}

const page: OperationList = {
  operations: [searched, answered].map(summaryOf),
  next: `1806488100000-${answered.id}`,
};

export const operationListExamples: Example[] = [
  { name: 'page', summary: 'A page, and there is another', value: page },
];

export const operationExamples: Example[] = [
  { name: 'answered', summary: 'The gateway did it', value: answered },
  { name: 'unknown', summary: 'Waits for a person', value: unknownOperation },
  { name: 'looked_for', summary: 'A refund that the relay asks the gateway for', value: searched },
  { name: 'found', summary: 'A refund that it found there', value: foundOperation },
];

export const settledExamples: Example[] = [{ name: 'settled', summary: 'Settled by a person', value: settled }];

const settle: z.input<typeof settleBody> = { outcome: 'succeeded', note: 'Captured, says the merchant portal.' };

export const settleExamples: Example[] = [{ name: 'succeeded', summary: 'It was done', value: settle }];

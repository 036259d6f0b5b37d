import type { z } from 'zod';
import {
  type OperationAnswer,
  type OperationList,
  type OperationSummary,
  operationAnswer,
  operationList,
  operationQuery,
  settleBody,
} from '../../shared/api/operation.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { effectNames, operations } from '../../shared/gateway/operations.ts';
import { operationId } from '../../shared/samples/ids.ts';
import {
  exampleCapture,
  exampleOperation,
  exampleRefund,
  foundOperation,
  unknownOperation,
} from '../../shared/samples/operations.ts';
import { type Example, json, key, type Parameter, type Routes } from './route.ts';

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
    queries: 1,
    next_query_at: '2027-03-31T10:15:33.000Z',
    last_query: { at: '2027-03-31T10:15:31.000Z', found: 'absent' },
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

/** The gateway's message is left out. */
function summaryOf({ answer: _, evidence: __, ...summary }: OperationAnswer): OperationSummary {
  return summary;
}

const page: OperationList = {
  operations: [searched, answered].map(summaryOf),
  next: `1806488100000-${answered.id}`,
};

const operationListExamples: Example[] = [{ name: 'page', summary: 'A page with a next page', value: page }];

const operationExamples: Example[] = [
  { name: 'answered', summary: 'Done by the gateway', value: answered },
  { name: 'unknown', summary: 'Waits for a person', value: unknownOperation },
  { name: 'looked_for', summary: 'A refund that the relay searches for', value: searched },
  { name: 'found', summary: 'A refund that was found', value: foundOperation },
];

const settledExamples: Example[] = [{ name: 'settled', summary: 'Settled by a person', value: settled }];

const settle: z.input<typeof settleBody> = { outcome: 'succeeded', note: 'Captured, says the merchant portal.' };

const settleExamples: Example[] = [{ name: 'succeeded', summary: 'It succeeded', value: settle }];

const scopes: Scope[] = effectNames.map((name) => operations[name].route.scope);

const id: Parameter = {
  name: 'id',
  in: 'path',
  description: 'The id of the operation, from `X-Operation-Id` or a problem’s `operation_id`.',
  example: operationId,
};

/** The outcome of an operation, and a person's decision about it. */
export const operationStateRoutes = {
  listOperations: {
    method: 'get',
    path: '/v1/operations',
    summary: 'List operations',
    description:
      'Lists the refunds, captures, cancellations, reviews, ends of subscriptions and payouts that were requested, the newest first, without the gateway’s answers. An operation must match all given filters. A parameter that is not listed here is an error.\n\nWith `Accept: text/csv` or `format=csv`, the answer is one CSV file of all operations that match, one line for each item, as for `GET /v1/orders`.',
    access: key('console'),
    query: operationQuery,
    answers: [
      json(200, 'One page of operations; or all that match, as CSV.', operationList, operationListExamples, {
        or: 'text/csv',
      }),
    ],
    problems: ['invalid_request', 'too_many_attempts', 'store_unavailable'],
  },
  getOperation: {
    method: 'get',
    path: '/v1/operations/{id}',
    summary: 'Read an operation',
    description:
      'Returns a batch, the end of a subscription or a payout: your request, the gateway’s answer, and the outcome of each item.',
    access: { kind: 'api_key', scopes, which: 'that of the operation' },
    parameters: [id],
    answers: [json(200, 'The operation.', operationAnswer, operationExamples)],
    problems: ['not_found', 'store_unavailable'],
  },
  settleOperation: {
    method: 'post',
    path: '/v1/operations/{id}/settle',
    summary: 'Settle an unknown operation',
    description: `For a person who checked the gateway’s records. Settles an operation whose outcome is unknown; nothing is sent to the gateway. Send \`outcome\` for the whole operation, and \`items\` if the items differ.

Only an unknown outcome can be settled, and only once.`,
    access: {
      kind: 'api_key',
      scopes: ['settle', ...scopes],
      which: '`settle`, and that of the operation',
    },
    repeatable: 'kept_answer',
    audit: 'operation.settle',
    parameters: [id],
    body: { kind: 'json', schema: settleBody, examples: settleExamples },
    rules: [
      '`items` must have one entry for each item of the operation, which agrees with the gateway’s answer if there is one',
    ],
    answers: [json(200, 'The operation after the settlement.', operationAnswer, settledExamples)],
    problems: ['not_found', 'operation_not_unknown', 'store_unavailable'],
  },
} as const satisfies Routes;

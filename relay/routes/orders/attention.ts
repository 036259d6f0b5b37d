import { type Attention, type AttentionGroup, attention, attentionKinds } from '../../../shared/api/attention.ts';
import {
  type Reconciliation,
  type ReconciliationReport,
  reconciliation,
  reconciliationReport,
} from '../../../shared/api/reconciliation.ts';
import { operationId, sessionId, time, transactionId } from '../../../shared/samples/ids.ts';
import { json, key, type Routes } from '../route.ts';

const found: readonly AttentionGroup[] = [
  {
    ...{ kind: 'order_unknown', count: 1, oldest: '2027-03-30T10:02:00.000Z' },
    cases: [
      {
        ...{ since: '2027-03-30T10:02:00.000Z', why: 'timeout', order_no: 'A-1001', session_id: sessionId },
        ...{ amount: '129.90', currency: 'BRL', next_query_at: '2027-04-01T10:02:00.000Z' },
      },
    ],
  },
  {
    ...{ kind: 'operation_unknown', count: 1, oldest: time },
    cases: [
      {
        ...{ since: time, why: 'timeout', operation_id: operationId, operation: 'capture', items: 1 },
        ...{ order_no: 'A-1002', transaction_id: transactionId, amount: '59.00', currency: 'BRL' },
      },
    ],
  },
];

const waiting: Attention = {
  at: time,
  groups: attentionKinds.map((kind) => found.find((group) => group.kind === kind) ?? { kind, count: 0, cases: [] }),
  reconciliation: {
    ...{ reported_at: time, from: '2027-03-30T00:00:00.000Z', to: '2027-03-31T00:00:00.000Z' },
    ...{ orders: 412, total: 0 },
  },
};

const report: ReconciliationReport = {
  ...{ from: '2027-03-30T00:00:00Z', to: '2027-03-31T00:00:00Z', orders: 412, uncompared: 0, total: 1 },
  differences: [
    {
      ...{ class: 'missing_here', order_no: 'A-1007', transaction_id: transactionId, known: true },
      there: { status: 'approved', amount: '129.90', currency: 'BRL' },
    },
  ],
};

const kept: Reconciliation = {
  ...{ reported_at: time, by: 'nightly', from: '2027-03-30T00:00:00.000Z', to: '2027-03-31T00:00:00.000Z' },
  ...{ orders: 412, uncompared: 0, total: 1, differences: report.differences },
};

/** The cases that wait for a person. */
export const attentionRoutes = {
  getAttention: {
    method: 'get',
    path: '/v1/attention',
    summary: 'Read what waits for a person',
    description: `Lists everything in your account that waits for a person, by kind, the most urgent first: orders that were paid twice, that are unknown for too long or that the gateway contradicts, operations that only a person can settle, requests that wait for another person’s approval, differences of the last reconciliation, and webhooks that were given up. The last three kinds need no person yet: what the relay still queries, and pending payments.

The answer contains the oldest 20 cases of each kind, and counts up to 100. \`GET /v1/orders?needs_attention=true\` and \`GET /v1/events?status=failed\` list all of their cases.`,
    access: key('console'),
    answers: [json(200, 'The cases.', attention, [{ name: 'cases', summary: 'Two cases', value: waiting }])],
    problems: ['store_unavailable'],
  },
} as const satisfies Routes;

/** The results of reconciliations. */
export const reconciliationRoutes = {
  reportReconciliation: {
    method: 'post',
    path: '/v1/reconciliations',
    summary: 'Report a reconciliation',
    description: `Stores the result of a comparison of a period’s orders with the gateway’s records; \`GET /v1/attention\` then shows its differences. \`turnpike reconcile\` sends it after each run. This request compares nothing, and changes no order.

The relay stores the last report of an account for its \`retention_days\`. A new report replaces it. Card numbers in it are masked.`,
    access: key('query'),
    repeatable: 'kept_answer',
    audit: 'reconciliation.report',
    body: {
      kind: 'json',
      schema: reconciliationReport,
      examples: [{ name: 'difference', summary: 'A payment that the relay does not know', value: report }],
    },
    rules: ['`from` must be before `to`', '`total` must not be less than the number of `differences`'],
    answers: [
      json(201, 'The report as it is stored.', reconciliation, [
        { name: 'kept', summary: 'The stored report', value: kept },
      ]),
    ],
    problems: ['store_unavailable'],
  },
  getLastReconciliation: {
    method: 'get',
    path: '/v1/reconciliations/last',
    summary: 'Read the last reconciliation',
    description: 'Returns the last reconciliation that was reported. 404 if there is none.',
    access: key('console'),
    answers: [json(200, 'The report.', reconciliation, [{ name: 'kept', summary: 'A difference', value: kept }])],
    problems: ['not_found', 'store_unavailable'],
  },
} as const satisfies Routes;

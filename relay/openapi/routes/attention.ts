import { type Attention, type AttentionGroup, attentionKinds } from '../../../shared/api/attention.ts';
import type { Reconciliation, ReconciliationReport } from '../../../shared/api/reconciliation.ts';
import { operationId, sessionId, time, transactionId } from '../../../shared/samples/ids.ts';
import type { RouteDoc } from '../route.ts';

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

const attention: Attention = {
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

/** What waits for a person, and what reconciliations came to. */
export const attentionRoutes: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/v1/attention',
    id: 'getAttention',
    tag: 'Orders',
    summary: 'Read what waits for a person',
    description: `Everything in your account that waits for a person, by kind, the most urgent first: orders that are paid twice, unknown for too long or contradicted by the gateway, operations that only a person can settle, differences of the last reconciliation, webhooks that were given up. The last three kinds are what the relay still finds out by itself, and payments that pend.

Of each kind the first 20 cases are told, the oldest first, and at most 100 are counted. \`GET /v1/orders?needs_attention=true\` and \`GET /v1/events?status=failed\` list all of theirs.`,
    access: { kind: 'api_key', scopes: ['console'] },
    answers: [
      {
        status: 200,
        description: 'What waits.',
        content: {
          kind: 'json',
          schema: 'Attention',
          examples: [{ name: 'cases', summary: 'Two cases', value: attention }],
        },
      },
    ],
    problems: ['store_unavailable'],
  },
  {
    method: 'post',
    path: '/v1/reconciliations',
    id: 'reportReconciliation',
    tag: 'Orders',
    summary: 'Report a reconciliation',
    description: `Keeps what a comparison of a period’s orders with the gateway’s books came to: \`GET /v1/attention\` then shows its differences. \`turnpike reconcile\` does this after each run. Nothing is compared here, and no order changes.

The last report of an account is kept, in place of the one before, until the relay’s \`retention_days\` are over. Card numbers in it are masked.`,
    access: { kind: 'api_key', scopes: ['query'] },
    repeatable: 'kept_answer',
    body: {
      kind: 'json',
      schema: 'ReconciliationReport',
      examples: [{ name: 'difference', summary: 'A payment that the relay does not know', value: report }],
    },
    rules: ['`from` must be before `to`', '`total` must not be less than how many `differences` there are'],
    answers: [
      {
        status: 201,
        description: 'The report as it is kept.',
        content: {
          kind: 'json',
          schema: 'Reconciliation',
          examples: [{ name: 'kept', summary: 'As it is kept', value: kept }],
        },
      },
    ],
    problems: ['store_unavailable'],
  },
  {
    method: 'get',
    path: '/v1/reconciliations/last',
    id: 'getLastReconciliation',
    tag: 'Orders',
    summary: 'Read the last reconciliation',
    description: 'What the last reconciliation that was reported came to. 404 where none was.',
    access: { kind: 'api_key', scopes: ['console'] },
    answers: [
      {
        status: 200,
        description: 'The report.',
        content: {
          kind: 'json',
          schema: 'Reconciliation',
          examples: [{ name: 'kept', summary: 'A difference', value: kept }],
        },
      },
    ],
    problems: ['not_found', 'store_unavailable'],
  },
];

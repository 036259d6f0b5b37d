import type { AuditList } from '../../../shared/api/audit.ts';
import { operationId, time } from '../../../shared/samples/ids.ts';
import type { RouteDoc } from '../route.ts';

const page: AuditList = {
  entries: [
    {
      ...{ id: '2041', at: time, by: 'support', action: 'refund', subject: operationId, orders: ['A-1001'] },
      ...{ ip: '203.0.113.7', request_id: 'req_H8dKq3Zx6VnRt1Yw' },
    },
    {
      ...{ id: '2040', at: time, by: 'server', action: 'payout', ip: '203.0.113.8' },
      ...{ request_id: 'req_B4nXs7Kd1QzVr8Ty', problem: 'missing_scope' },
    },
  ],
  next: '2040',
};

/** Who did what. */
export const auditRoutes: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/v1/audit',
    id: 'listAudit',
    tag: 'Audit',
    summary: 'Read the audit log',
    description:
      'Who asked for what, when and from where, the newest first: every refund, capture, cancellation, review, payout and subscription’s end, every settlement, withdrawal and reconciliation, what was done with webhooks, and who signed in to the console; what was refused too. No bodies, no card data. It is kept until the relay’s `retention_days` are over.',
    access: { kind: 'api_key', scopes: ['console'] },
    parameters: [
      {
        name: 'order_no',
        in: 'query',
        description: 'Only entries that name this order. What was asked for by `transaction_id` alone names none.',
        example: 'A-1001',
      },
      {
        name: 'by',
        in: 'query',
        description:
          'Only what was asked for with the API key of this name, or by the person of this name behind `person:`.',
        example: 'support',
      },
      {
        name: 'before',
        in: 'query',
        description: 'Only entries older than the one with this id: the `next` of the page before.',
        example: '2040',
        schema: { type: 'string', pattern: '^[1-9][0-9]{0,15}$' },
      },
      {
        name: 'limit',
        in: 'query',
        description: 'How many at once, 1 to 1000. 100, where it is left out.',
        example: '1000',
        schema: { type: 'string', pattern: '^([1-9][0-9]{0,2}|1000)$' },
      },
      {
        name: 'format',
        in: 'query',
        description: '`csv`: the same as `Accept: text/csv`, for links. `limit` does not count then.',
        example: 'csv',
        schema: { type: 'string', enum: ['json', 'csv'] },
      },
    ],
    answers: [
      {
        status: 200,
        description:
          'One page of entries; or, with `Accept: text/csv` or `format=csv`, every entry that the filters find, as CSV.',
        content: {
          kind: 'json',
          schema: 'AuditList',
          examples: [{ name: 'page', summary: 'A page, and there is another', value: page }],
          or: 'text/csv',
        },
      },
    ],
    problems: ['invalid_request', 'too_many_attempts', 'store_unavailable'],
  },
];

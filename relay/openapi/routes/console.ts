import type { AuditList } from '../../../shared/api/audit.ts';
import type { ProfileAnswer } from '../../../shared/api/profile.ts';
import { type Stats, statsPeriods } from '../../../shared/api/stats.ts';
import { operationId, time } from '../../../shared/samples/ids.ts';
import type { RouteDoc } from '../route.ts';

const auditPage: AuditList = {
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
          examples: [{ name: 'page', summary: 'A page, and there is another', value: auditPage }],
          or: 'text/csv',
        },
      },
    ],
    problems: ['invalid_request', 'too_many_attempts', 'store_unavailable'],
  },
];

const profile: ProfileAnswer = {
  gateway_time_zone: 'America/Sao_Paulo',
  codes: {
    payment_status: { approved: ['3000'], declined: ['4100'], pending: [] },
    return_status: { success: ['1'], failed: ['0'] },
    refund_status: { success: ['1'], failed: ['0'] },
  },
};

/** How to read what the gateway says. */
export const profileRoutes: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/v1/profile',
    id: 'getProfile',
    tag: 'Operations',
    summary: 'Read what the gateway’s codes mean',
    description:
      'What it takes to read the gateway’s own records, which queries and refund searches give back as they are: what their codes mean, and the time zone of their dates. It is part of the relay’s gateway profile.',
    access: { kind: 'api_key', scopes: ['query'] },
    answers: [
      {
        status: 200,
        description: 'The codes, and the time zone.',
        content: {
          kind: 'json',
          schema: 'Profile',
          examples: [{ name: 'profile', summary: 'Codes of a gateway', value: profile }],
        },
      },
    ],
    problems: [],
  },
];

const none = { refused: 0, not_paid: 0, in_flight: 0, redirected: 0, pending: 0, unknown: 0 };

const total: Stats['total'] = {
  payments: 4,
  outcomes: { ...none, approved: 2, declined: 1, pending: 1 },
  approval_rate: 0.6667,
  approved: [{ currency: 'BRL', count: 2, amount: '259.80' }],
  methods: [
    { payment_method: 'card', payments: 3, approved: 2, declined: 1, approval_rate: 0.6667 },
    { payment_method: 'BOLETO', payments: 1, approved: 0, declined: 0 },
  ],
  decline_codes: [{ code: '2001', count: 1 }],
  refunds: [{ currency: 'BRL', count: 1, amount: '29.90' }],
  latency: { answers: 3, p50_ms: 310, p95_ms: 840, p99_ms: 840 },
};

const silent: Stats['total'] = {
  ...{ payments: 0, outcomes: { ...none, approved: 0, declined: 0 } },
  ...{ approved: [], methods: [], decline_codes: [], refunds: [] },
};

const example: Stats = {
  ...{ by: 'hour', from: '2027-03-31T09:00:00.000Z', to: '2027-03-31T11:00:00.000Z', time_zone: 'UTC' },
  computed_at: '2027-03-31T11:02:13.480Z',
  total,
  periods: [
    { start: '2027-03-31T09:00:00.000Z', ...silent },
    { start: '2027-03-31T10:00:00.000Z', ...total },
  ],
};

/** Counts and sums. */
export const statsRoutes: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/v1/stats',
    id: 'getStats',
    tag: 'Stats',
    summary: 'Read counts and sums',
    description: `Payments and refunds of your account, by hour or by day in UTC: the figures of each period, those without payments too, and of all together. At most 31 days by hour, and 400 by day; what is older than the relay’s \`retention_days\` is no longer there.

A payment is an attempt that was sent, counted when it began, with what is known of it now: an answer that comes late changes figures of before. Refunds count when they began, unless they are known to have failed. The latency is that of payments which the gateway answered with yes or no at once, from the attempt’s start to its answer; its percentiles are at most 1.6 % above the exact ones, and exact below 128 ms.

An answer has what is known at this moment. It comes from tallies of past hours and days, which the relay keeps. What takes more than 30 seconds is given up with 503 \`store_unavailable\`: ask again in a moment, or about a shorter time.`,
    access: { kind: 'api_key', scopes: ['console'] },
    parameters: [
      {
        name: 'by',
        in: 'query',
        description: '`hour` or `day`; `day`, where it is left out.',
        example: 'hour',
        schema: { type: 'string', enum: [...statsPeriods] },
      },
      {
        name: 'from',
        in: 'query',
        description:
          'From the start of the period that this time is in. 24 hours, or 30 days, before `to`, where it is left out.',
        example: '2027-03-31T09:00:00Z',
      },
      {
        name: 'to',
        in: 'query',
        description: 'Before this time, or the end of the period that it is in. Now, where it is left out.',
        example: '2027-03-31T11:00:00Z',
      },
      {
        name: 'currency',
        in: 'query',
        description: 'Only payments and refunds in this currency.',
        example: 'BRL',
        schema: { type: 'string', pattern: '^[A-Z]{3}$' },
      },
    ],
    answers: [
      {
        status: 200,
        description: 'The figures.',
        content: {
          kind: 'json',
          schema: 'Stats',
          examples: [{ name: 'hours', summary: 'Two hours', value: example }],
        },
      },
    ],
    problems: ['invalid_request', 'store_unavailable'],
  },
];

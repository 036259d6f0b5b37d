import { type AuditList, auditList, auditQuery } from '../../shared/api/audit.ts';
import { type ProfileAnswer, profileAnswer } from '../../shared/api/profile.ts';
import { type Stats, stats, statsQuery } from '../../shared/api/stats.ts';
import { operationId, time, transactionId } from '../../shared/samples/ids.ts';
import { json, key, type Routes } from './route.ts';

const auditPage: AuditList = {
  entries: [
    {
      ...{ id: '2041', at: time, by: 'support', action: 'refund', subject: operationId, orders: ['A-1001'] },
      ...{ ip: '203.0.113.7', request_id: 'req_H8dKq3Zx6VnRt1Yw', outcome: 'succeeded' },
      items: [
        { transaction_id: transactionId, order_no: 'A-1001', amount: '29.90', currency: 'BRL', outcome: 'succeeded' },
      ],
    },
    {
      ...{ id: '2040', at: time, by: 'server', action: 'payout', ip: '203.0.113.8' },
      ...{ request_id: 'req_B4nXs7Kd1QzVr8Ty', problem: 'missing_scope' },
    },
  ],
  next: '2040',
};

/** The audit log. */
export const auditRoutes = {
  listAudit: {
    method: 'get',
    path: '/v1/audit',
    summary: 'Read the audit log',
    description:
      'Lists who requested what, when and from where, the newest entry first: payments by `POST /v1/payments`, changes of orders, refunds, captures, cancellations, reviews, payouts, ends of subscriptions, settlements, withdrawals, requests for approval and decisions about them, reconciliations, actions on webhooks, and sign-ins to the console, including refused requests. An entry of an operation also contains what it was asked for, payment by payment, and its outcome as it is known now. Entries contain no bodies and no card data. They are stored for the relay’s `retention_days`.',
    access: key('console'),
    query: auditQuery,
    answers: [
      json(
        200,
        'One page of entries; or with `Accept: text/csv` or `format=csv`, all entries that match the filters, as CSV.',
        auditList,
        [{ name: 'page', summary: 'A page with a next page', value: auditPage }],
        { or: 'text/csv' },
      ),
    ],
    problems: ['invalid_request', 'too_many_attempts', 'store_unavailable'],
  },
} as const satisfies Routes;

const profile: ProfileAnswer = {
  gateway_time_zone: 'America/Sao_Paulo',
  query_without_list: 'not_counted',
  codes: {
    payment_status: {
      ...{ approved: ['3000'], declined: ['4100'], pending: ['1000'], held: ['2000'] },
      ...{ charged_back: ['6000'], refunded: ['5100'], partially_refunded: ['5000'], cancelled: ['4200'] },
    },
    fraud_check: { rejected: ['REJECT'] },
    query_result: { not_found: [] },
    return_status: { success: ['1'], failed: ['0'] },
    refund_status: { success: ['1'], failed: ['0'] },
  },
};

/** The meaning of the gateway's codes. */
export const profileRoutes = {
  getProfile: {
    method: 'get',
    path: '/v1/profile',
    summary: 'Read the meaning of the gateway’s codes',
    description:
      'Returns what you need to read the gateway’s records, which queries and refund searches return unchanged: the meaning of their codes and of an answer without a list, and the time zone of their dates. All are part of the relay’s gateway profile.',
    access: key('query'),
    answers: [
      json(200, 'The codes, and the time zone.', profileAnswer, [
        { name: 'profile', summary: 'Codes of a gateway', value: profile },
      ]),
    ],
  },
} as const satisfies Routes;

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
  gross: [{ currency: 'BRL', count: 3, amount: '299.70' }],
  net: [{ currency: 'BRL', count: 2, amount: '229.90' }],
  renewals: [{ currency: 'BRL', count: 1, amount: '39.90' }],
  reversed: [{ currency: 'BRL', count: 1, amount: '39.90', rate: 0.1331 }],
  chargeback_rate: 0.3333,
  refunds: [{ currency: 'BRL', count: 1, amount: '29.90' }],
  latency: { answers: 3, p50_ms: 310, p95_ms: 840, p99_ms: 840 },
};

const silent: Stats['total'] = {
  ...{ payments: 0, outcomes: { ...none, approved: 0, declined: 0 } },
  ...{ approved: [], methods: [], decline_codes: [], gross: [], net: [], renewals: [], reversed: [], refunds: [] },
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
export const statsRoutes = {
  getStats: {
    method: 'get',
    path: '/v1/stats',
    summary: 'Read counts and sums',
    description: `Returns the payments and refunds of your account, by hour or by day in UTC: the figures of each period, including periods without payments, and of all together. At most 31 days by hour, and 400 by day. Data older than the relay’s \`retention_days\` is deleted.

A payment is an attempt that was sent. It counts in the period in which it began, with its current status, so that a late answer changes figures of the past. Refunds count when they began, unless they failed. \`reversed\` are the payments of \`gross\` whose status is \`reversed\` now, so a chargeback counts in the period of its payment. The latency is that of payments which the gateway approved or declined in its answer, from the attempt’s start to that answer. Its percentiles are exact below 128 ms, and at most 1.6 % too high above.

An answer contains what is known now. An answer that takes more than 30 seconds is 503 \`store_unavailable\`: try again later, or with a shorter period.`,
    access: key('console'),
    query: statsQuery,
    answers: [json(200, 'The figures.', stats, [{ name: 'hours', summary: 'Two hours', value: example }])],
    problems: ['invalid_request', 'store_unavailable'],
  },
} as const satisfies Routes;

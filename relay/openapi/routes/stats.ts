import { type Stats, statsPeriods } from '../../../shared/api/stats.ts';
import type { RouteDoc } from '../route.ts';

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

An answer has what is known at this moment. It comes from tallies of past hours and days, which the relay keeps; just after an upgrade from a version without them it is counted, which takes some seconds for a million payments. What takes more than 30 is given up with 503 \`store_unavailable\`: ask again in a moment, or about a shorter time.`,
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

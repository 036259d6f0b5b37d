import type { RetainedKind } from '../../facets/retention.ts';
import type { Aged } from './walk.ts';

/** The rows of each kind by age, except `counted`, which each database stores differently. */
export const agedKinds = {
  sessions: { table: 'sessions', index: 'sessions_old', time: 'created_at', key: ['id'] },
  operations: { table: 'operations', index: 'operations_old', time: 'created_at', key: ['id'] },
  webhooks: { table: 'events', index: 'events_old', time: 'created_at', key: ['seq'], where: "status <> 'pending'" },
  notifications: {
    ...{ table: 'notifications', index: 'notifications_old', time: 'last_at' },
    key: ['subject', 'sha256'],
  },
  audit: { table: 'audit', index: 'audit_old', time: 'at', key: ['seq'] },
  notes: { table: 'order_notes', index: 'order_notes_old', time: 'at', key: ['account', 'order_no', 'id'] },
  approvals: { table: 'approvals', index: 'approvals_old', time: 'expires_at', key: ['id'] },
  reconciliations: { table: 'reconciliations', index: 'reconciliations_old', time: 'reported_at', key: ['account'] },
  requests: { table: 'requests', index: 'requests_old', time: 'at', key: ['account', 'id'] },
  keys: {
    ...{ table: 'idempotency_keys', index: 'idempotency_keys_old', time: 'claimed_at' },
    key: ['account', 'route', 'key'],
  },
} as const satisfies Readonly<Record<Exclude<RetainedKind, 'counted'>, Aged>>;

export type AgedKind = keyof typeof agedKinds;

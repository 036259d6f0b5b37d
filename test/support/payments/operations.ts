import type { StoredOperation } from '../../../relay/payments/operations/operation.ts';

export const since = '2026-11-21T09:00:00.000Z';

/** A refund that was sent at `since` without an answer, before its first search. */
export function unknownRefund(more: Partial<StoredOperation> = {}): StoredOperation {
  return {
    id: 'op_1',
    account: 'demo',
    name: 'refund',
    by: 'server',
    created_at: since,
    version: 2,
    request: {},
    state: { status: 'unknown', reason: 'timeout', since, evidence: {} },
    lookup: { before: [], asked_at: since, looks: 0 },
    ...more,
  };
}

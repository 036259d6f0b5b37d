import type { AuditItem } from '../../../shared/api/audit.ts';
import type { LimitedName } from '../../../shared/api/console.ts';
import type { StoredOperation } from './operation.ts';

/** How long a request waits for another person. */
export const APPROVAL_MS = 86_400_000;

/** The state of a request. Times are ISO 8601 in UTC; `by` is `person:` and a name. */
export type ApprovalState =
  | { status: 'waiting' }
  /** The operation began with the approval, in one transaction. */
  | { status: 'approved'; by: string; at: string; operation_id: string }
  | { status: 'declined'; by: string; at: string; note?: string }
  | { status: 'withdrawn'; at: string };

/** A person's request that another person must approve before it is sent. It reserves nothing. */
export type StoredApproval = {
  id: string;
  account: string;
  name: LimitedName;
  /** Who asks: `person:` and a name. */
  by: string;
  created_at: string;
  expires_at: string;
  version: number;
  /** The items that it requests, as in the audit log. */
  items: readonly AuditItem[];
  /** What is sent once it is approved, sealed. Empty once it is declined or withdrawn. */
  sealed: string;
  state: ApprovalState;
};

/** What is sealed of a request: all that it takes to send it. */
export type HeldRequest = Pick<StoredOperation, 'request' | 'metadata' | 'references'> & {
  /** What the person was shown to be refunded before. */
  shown?: string;
};

/**
 * The status of a request. An approved request waits again if its operation was not sent.
 * @param operation the one that the approval began
 */
export function approvalStatus(
  { state, expires_at }: StoredApproval,
  operation: StoredOperation | undefined,
  now: Date,
): ApprovalState['status'] | 'expired' {
  const isSent = state.status === 'approved' && operation?.state.status !== 'not_sent';
  if (isSent || state.status === 'declined' || state.status === 'withdrawn') return state.status;
  return Date.parse(expires_at) > now.getTime() ? 'waiting' : 'expired';
}

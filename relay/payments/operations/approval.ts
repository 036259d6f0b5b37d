import type { AuditItem } from '../../../shared/api/audit.ts';
import type { LimitedName } from '../../../shared/api/console.ts';
import type { StoredOperation } from './operation.ts';

/** How long a request waits for the decision of another person. */
export const APPROVAL_MS = 86_400_000;

/** The state of a request. Times are ISO 8601 in UTC; `by` is `person:` and a name. */
export type ApprovalState =
  | { status: 'waiting' }
  /** The operation began together with the approval, in one transaction. */
  | { status: 'approved'; by: string; at: string; operation_id: string }
  | { status: 'declined'; by: string; at: string; note?: string }
  | { status: 'withdrawn'; at: string };

/** A request that another person must approve before it is sent. It reserves nothing. */
export type StoredApproval = {
  id: string;
  account: string;
  name: LimitedName;
  /** The requester: `person:` and a name. */
  by: string;
  created_at: string;
  expires_at: string;
  version: number;
  /** The requested items, as in the audit log. */
  items: readonly AuditItem[];
  /** The sealed message. It is deleted when the request is declined or withdrawn. */
  sealed: string;
  state: ApprovalState;
};

/** The sealed content of a request, from which it can be sent. */
export type HeldRequest = Pick<StoredOperation, 'request' | 'metadata' | 'references'> & {
  /** The sum of earlier refunds that the person was shown. */
  shown?: string;
};

/**
 * The status of a request. An approved request waits again if its operation was not sent.
 * @param operation the operation that began with the approval
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

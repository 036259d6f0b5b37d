import type { StoredApproval } from '../../payments/operations/approval.ts';
import type { Answered, Claim } from './keys.ts';
import type { StoredAuditEntry } from './people.ts';

/** The rows written with a request for approval: the reply under the key of its HTTP request, and the audit entry. */
export type WithApproval = { answered: Answered | undefined; audit: StoredAuditEntry };

/** Requests of people that wait for another person. `OperationStore.begin` writes the approval. */
export type ApprovalStore = {
  /** Adds a request. False, and nothing is written, if its HTTP request took so long that another request took over its key. */
  add(approval: StoredApproval, key: Claim | undefined, more: WithApproval): Promise<boolean>;
  get(id: string): Promise<StoredApproval | undefined>;
  /** The newest `limit` requests of an account that end after a moment, the oldest first, with decided ones. */
  list(account: string, endAfter: string, limit: number): Promise<StoredApproval[]>;
  /** Writes a request, if it still has the version `approval.version - 1`. */
  change(approval: StoredApproval, more: WithApproval): Promise<boolean>;
};

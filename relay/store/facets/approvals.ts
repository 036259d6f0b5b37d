import type { StoredApproval } from '../../payments/operations/approval.ts';
import type { Answered, Claim } from './keys.ts';
import type { StoredAuditEntry } from './people.ts';

/** What is written with a request for approval: the reply under the key of its HTTP request, and who did this. */
export type WithApproval = { answered: Answered | undefined; audit: StoredAuditEntry };

/** Requests of people that wait for another person. `OperationStore.begin` writes that one is approved. */
export type ApprovalStore = {
  /** Adds a request. False, and nothing is written, where its HTTP request took so long that another one took its key over. */
  add(approval: StoredApproval, key: Claim | undefined, more: WithApproval): Promise<boolean>;
  get(id: string): Promise<StoredApproval | undefined>;
  /** The newest `limit` of an account that end after a moment, the oldest of them first, decided ones too. */
  list(account: string, endAfter: string, limit: number): Promise<StoredApproval[]>;
  /** Writes a request, if it still is at `approval.version - 1`. */
  change(approval: StoredApproval, more: WithApproval): Promise<boolean>;
};

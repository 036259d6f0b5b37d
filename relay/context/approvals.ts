import { PERSON_PREFIX } from '../../shared/api/console.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { operations } from '../../shared/gateway/operations.ts';
import { seal, unseal } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import {
  type ApprovalState,
  approvalStatus,
  type HeldRequest,
  type StoredApproval,
} from '../payments/operations/approval.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import type { Context } from './context.ts';

/** A request for approval with its present status, and the operation that its approval began. */
export type KnownApproval = {
  approval: StoredApproval;
  operation: StoredOperation | undefined;
  standing: ApprovalState['status'] | 'expired';
};

/** The maximum number of listed requests, more than people can read. */
const MAX_LISTED = 500;

/** The requests of an account from the last 24 hours, oldest first, with the decided ones. Throws StoreError. */
export async function approvalsOf(context: Context, account: string): Promise<KnownApproval[]> {
  return known(context, await context.store.approvals.list(account, context.now().toISOString(), MAX_LISTED));
}

/** A request of an account; undefined if it has none with this id. Throws StoreError. */
export async function approvalOf(context: Context, account: string, id: string): Promise<KnownApproval | undefined> {
  const approval = await context.store.approvals.get(id);
  if (approval?.account !== account) return undefined;
  const [one] = await known(context, [approval]);
  return one;
}

async function known(context: Context, approvals: readonly StoredApproval[]): Promise<KnownApproval[]> {
  const ids = approvals.flatMap(({ state }) => (state.status === 'approved' ? [state.operation_id] : []));
  const begun = new Map((await context.store.operations.getMany(ids)).map((one) => [one.id, one]));
  const now = context.now();
  return approvals.map((approval) => {
    const operation = approval.state.status === 'approved' ? begun.get(approval.state.operation_id) : undefined;
    return { approval, operation, standing: approvalStatus(approval, operation, now) };
  });
}

/** Whether a person may decide about a request: another person with the scope of its operation. */
export function mayDecide(
  { by, name }: Pick<StoredApproval, 'by' | 'name'>,
  who: { by: string; scopes: readonly Scope[] },
): boolean {
  return who.by.startsWith(PERSON_PREFIX) && who.by !== by && mayDo(name, who.scopes);
}

/** Whether these scopes include that of an operation. */
export function mayDo(name: StoredApproval['name'], scopes: readonly Scope[]): boolean {
  return scopes.includes('*') || scopes.includes(operations[name].route.scope);
}

/** Encrypts a request's message, so that the store alone does not reveal it. */
export function sealedRequest({ derivedKeys }: Account, held: HeldRequest): string {
  return seal(derivedKeys, 'held request', JSON.stringify(held));
}

/** A request's message; undefined if it is no longer needed, or was encrypted with a secret that is no longer configured. */
export function heldRequest(
  { derivedKeys, previousKeys }: Account,
  { sealed }: Pick<StoredApproval, 'sealed'>,
): HeldRequest | undefined {
  for (const keys of [derivedKeys, ...previousKeys]) {
    const held = unseal(keys, 'held request', sealed);
    if (held !== undefined) return JSON.parse(held);
  }
  return undefined;
}

import { ProblemError } from '../../base/errors.ts';
import type { KnownApproval } from '../../context/approvals.ts';
import type { Context } from '../../context/context.ts';
import { jsonReply, keepReply, type Reply, type Use } from '../../http/idempotency/idempotency.ts';
import type { ApprovalState, StoredApproval } from '../../payments/operations/approval.ts';
import { decidedMeanwhile } from '../refusal-problem.ts';

/** The 409 of a request that can no longer be decided. */
export function approvalOver({ standing, operation }: Pick<KnownApproval, 'standing' | 'operation'>): ProblemError {
  const about = operation ? { operation_id: operation.id } : {};
  return new ProblemError('approval_over', `This request is ${standing}. Nothing was sent by you.`, about);
}

/**
 * Ends a request without sending it. Repeating the decision as the same person changes nothing. Throws ProblemError and
 * StoreError.
 */
export async function end(
  context: Context,
  use: Use,
  known: KnownApproval,
  state: Extract<ApprovalState, { status: 'declined' | 'withdrawn' }>,
): Promise<Reply> {
  const { approval, standing } = known;
  const reply = jsonReply(200, { id: approval.id, status: state.status });
  if (isSame(approval.state, state)) {
    await keepReply(context, use, reply);
    return reply;
  }
  if (standing !== 'waiting') throw approvalOver(known);
  const ended: StoredApproval = { ...approval, version: approval.version + 1, sealed: '', state };
  const { id, items } = approval;
  const orders = [...new Set(items.flatMap(({ order_no }) => order_no ?? []))];
  const action = state.status === 'declined' ? 'approval.decline' : 'approval.withdraw';
  const audit = use.audit.entry({ action, subject: id, orders, items });
  if (!(await context.store.approvals.change(ended, { answered: use.answered(reply), audit }))) {
    throw decidedMeanwhile();
  }
  use.audit.written();
  return reply;
}

function isSame(before: ApprovalState, now: ApprovalState): boolean {
  if (before.status === 'withdrawn') return now.status === 'withdrawn';
  return before.status === 'declined' && now.status === 'declined' && before.by === now.by;
}

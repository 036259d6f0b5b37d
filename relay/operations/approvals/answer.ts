import type { ApprovalAnswer } from '../../../shared/api/approval.ts';
import type { Account } from '../../config/load.ts';
import { heldRequest, type KnownApproval, mayDecide, mayDo } from '../../context/approvals.ts';
import type { Principal } from '../../http/access.ts';
import type { ApprovalState } from '../../payments/operations/approval.ts';

/** A request as a person sees it. Only people who may make the request themselves see the message that it sends. */
export function approvalAnswer(
  account: Account,
  { approval, standing }: KnownApproval,
  who: Pick<Principal, 'by' | 'scopes'>,
): ApprovalAnswer {
  const { id, name, by, created_at, expires_at, items, state } = approval;
  const request = mayDo(name, who.scopes) ? heldRequest(account, approval)?.request : undefined;
  return {
    ...{ id, operation: name, status: standing, by, created_at, expires_at, items: [...items] },
    ...(request ? { request: { ...request } } : {}),
    ...decidedIn(state),
    may_decide: standing === 'waiting' && mayDecide(approval, who),
    may_withdraw: standing === 'waiting' && by === who.by,
  };
}

function decidedIn(state: ApprovalState): Pick<ApprovalAnswer, 'decided' | 'operation_id'> {
  switch (state.status) {
    case 'approved':
      return { decided: { by: state.by, at: state.at }, operation_id: state.operation_id };
    case 'declined': {
      const { by, at, note } = state;
      return { decided: { by, at, ...(note === undefined ? {} : { note }) } };
    }
    case 'waiting':
    case 'withdrawn':
      return {};
  }
}

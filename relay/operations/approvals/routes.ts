import type { Request, Response, Router } from 'express';
import { PERSON_PREFIX } from '../../../shared/api/console.ts';
import { maskText } from '../../../shared/card-data/mask.ts';
import { ProblemError } from '../../base/errors.ts';
import type { Account } from '../../config/load.ts';
import { approvalOf, approvalsOf, heldRequest, type KnownApproval, mayDecide, mayDo } from '../../context/approvals.ts';
import type { Context } from '../../context/context.ts';
import { principalIn } from '../../http/access.ts';
import { keepReply, type Reply, type Use } from '../../http/idempotency/idempotency.ts';
import { serve } from '../../http/serve.ts';
import { givenReply } from '../reply.ts';
import { operationOf, replyAgain, runOperation } from '../run-operation.ts';
import { approvalAnswer } from './answer.ts';
import { approvalRoutes } from './declared.ts';
import { approvalOver, end } from './end.ts';

/** The routes of requests that another person must approve. API keys have no access. */
export function serveApprovals(context: Context): Router {
  return serve(context, approvalRoutes, {
    listApprovals: async ({ res, account }) => {
      const who = principalIn(res);
      const known = await approvalsOf(context, account.id);
      const shown = known.filter(({ approval }) => who.scopes.includes('console') || mayDo(approval.name, who.scopes));
      return { approvals: shown.map((one) => approvalAnswer(account, one, who)) };
    },
    approveRequest: {
      check: (req, res) => checkMayDecide(context, req, res),
      work: async (_body, use, req) => approve(context, use, await ownApproval(context, use.account, req)),
      keepsReplies: true,
      lookUp: async (id, account) => replyAgain(context, await operationOf(context, account, id)),
    },
    declineRequest: {
      check: (req, res) => checkMayDecide(context, req, res),
      work: async ({ note }, use, req) =>
        end(context, use, await ownApproval(context, use.account, req), {
          ...{ status: 'declined', by: use.by, at: context.now().toISOString() },
          ...(note === undefined ? {} : { note: maskText(note) }),
        }),
      keepsReplies: true,
    },
    withdrawRequest: {
      check: async (req, res) => {
        const { account, by } = principalIn(res);
        const { approval } = await ownApproval(context, account, req);
        if (approval.by === by) return;
        throw new ProblemError('missing_scope', 'Only the person who asked may withdraw this request.');
      },
      work: async (_body, use, req) =>
        end(context, use, await ownApproval(context, use.account, req), {
          ...{ status: 'withdrawn', at: context.now().toISOString() },
        }),
      keepsReplies: true,
    },
  });
}

async function ownApproval(context: Context, account: Account, req: Request): Promise<KnownApproval> {
  const known = await approvalOf(context, account.id, String(req.params.id));
  if (known) return known;
  throw new ProblemError('not_found', 'This account has no request for approval with this id.');
}

/** Throws ProblemError unless the sender is another person who may make the same request. */
async function checkMayDecide(context: Context, req: Request, res: Response): Promise<void> {
  const who = principalIn(res);
  const { approval } = await ownApproval(context, who.account, req);
  if (mayDecide(approval, who)) return;
  if (approval.by !== who.by) {
    throw new ProblemError('missing_scope', `This needs the scope "${approval.name}", which you do not have.`);
  }
  throw new ProblemError('own_request', 'You asked for this, so another person must approve it.');
}

/**
 * Sends an approved request once: the operation begins and the request is approved in one transaction. A repeated
 * approval returns the same operation.
 */
async function approve(context: Context, use: Use, known: KnownApproval): Promise<Reply> {
  const { approval, operation, standing } = known;
  if (standing === 'approved' && operation) {
    const reply = await replyAgain(context, operation);
    if (reply === 'again') throw approvalOver(known);
    await keepReply(context, use, reply);
    return reply;
  }
  if (standing !== 'waiting') throw approvalOver(known);
  if (!isStillThere(context, known)) {
    const detail = 'The person who asked for this may not do it any more, so it is not sent. Decline it.';
    throw new ProblemError('approval_over', detail);
  }
  const held = heldRequest(use.account, approval);
  if (!held) {
    const detail = 'The signing secret was replaced, so this request cannot be read. Decline it, and ask anew.';
    throw new ProblemError('approval_over', detail);
  }
  const { request, references, metadata, shown } = held;
  const message = references ? { ...request, references } : request;
  const asked: Use = { ...use, by: approval.by };
  const extras = { refundedShown: shown, metadata, approval: { of: approval, by: use.by } };
  return givenReply(await runOperation(context, approval.name, message, asked, extras));
}

/** Whether the person who made the request still has the same name and scopes: another person may have the name now. */
function isStillThere({ config }: Context, { approval: { by, account, name } }: KnownApproval): boolean {
  return config.console.people.some(
    (person) =>
      `${PERSON_PREFIX}${person.name}` === by && person.accounts.includes(account) && mayDo(name, person.scopes),
  );
}

import { approvalList, declineBody } from '../../../shared/api/approval.ts';
import { limitedNames } from '../../../shared/api/console.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { json, noBody, type Parameter, type Routes } from '../../routes/route.ts';

const ID: Parameter = { name: 'id', in: 'path', description: 'The id of the request.', example: 'ap_1' };

const access = {
  kind: 'api_key',
  scopes: ['console', ...limitedNames.map((name) => operations[name].route.scope)],
} as const;

const common = { method: 'post', access, repeatable: 'kept_answer', parameters: [ID] } as const;

const answers = [json(200, 'What the operation’s own route answers, or the request as it is now.', approvalList, [])];

/**
 * The routes of requests that another person must approve. Only the console's page uses them, and the OpenAPI document
 * does not describe them.
 */
export const approvalRoutes = {
  listApprovals: {
    method: 'get',
    path: '/v1/approvals',
    summary: 'List requests',
    description: 'The requests of the last day.',
    access,
    answers,
  },
  approveRequest: {
    ...common,
    path: '/v1/approvals/{id}/approve',
    summary: 'Approve a request',
    description: 'Sends it.',
    audit: 'approval.approve',
    body: noBody,
    answers,
  },
  declineRequest: {
    ...common,
    path: '/v1/approvals/{id}/decline',
    summary: 'Decline a request',
    description: 'Ends it.',
    audit: 'approval.decline',
    body: { kind: 'json', schema: declineBody, examples: [] },
    answers,
  },
  withdrawRequest: {
    ...common,
    path: '/v1/approvals/{id}/withdraw',
    summary: 'Withdraw a request',
    description: 'Ends it.',
    audit: 'approval.withdraw',
    body: noBody,
    answers,
  },
} as const satisfies Routes;

import { z } from 'zod';
import { boolean, optionalString, string, text } from '../gateway/text.ts';
import { auditItem } from './audit.ts';
import { limitedNames } from './console.ts';
import { moment } from './fields.ts';

/** The state of a request: one that is `waiting` can be decided. */
export const approvalStatuses = ['waiting', 'approved', 'declined', 'withdrawn', 'expired'] as const;

/** A request that another person must approve, for the console's page. */
const approval = z
  .object({
    id: string,
    operation: z.enum(limitedNames),
    status: z.enum(approvalStatuses),
    by: string.describe('`person:` and the name of the person who asks.'),
    created_at: moment,
    expires_at: moment,
    items: z.array(auditItem).describe('The requested items.'),
    /** Only for people who may make the request themselves. */
    request: z.record(z.string(), z.unknown()).optional().describe('The body that is sent once it is approved.'),
    decided: z
      .object({ by: string, at: moment, note: optionalString })
      .optional()
      .describe('Who approved or declined it, and when.'),
    operation_id: optionalString.describe('The operation that its approval began.'),
    may_decide: boolean.describe('Whether the person who reads this may approve and decline it.'),
    may_withdraw: boolean.describe('Whether the person who reads this may withdraw it.'),
  })
  .meta({ name: 'Approval', description: 'A request that waits for another person.' });
export type ApprovalAnswer = z.infer<typeof approval>;

/** The answer of `GET …/approvals`: the requests of the last day, oldest first. */
export const approvalList = z
  .object({ approvals: z.array(approval) })
  .meta({ name: 'ApprovalList', description: 'Requests of the last day.' });
export type ApprovalList = z.infer<typeof approvalList>;

/** The answer instead of an operation's outcome if another person must approve it. */
export const heldAnswer = z
  .object({ approval: z.object({ id: string, expires_at: moment }) })
  .meta({ name: 'Held', description: 'A request that now waits for another person.' });
export type HeldAnswer = z.infer<typeof heldAnswer>;

/** Why a request is declined. */
export const declineBody = z
  .strictObject({ note: text(2000).optional() })
  .meta({ name: 'DeclineApproval', description: 'Why a request is declined.' });

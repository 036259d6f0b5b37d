import type { Request, Response } from 'express';
import type { AuditAction } from '../../../shared/api/audit.ts';
import { PERSON_PREFIX } from '../../../shared/api/console.ts';
import type { ProblemCode } from '../../../shared/checkout/problem.ts';
import type { Context } from '../../context/context.ts';
import type { StoredAuditEntry } from '../../store/facets/people.ts';
import type { Person } from './person.ts';

/** What a person did about their own sign-in, or was refused. */
type Action = { action: AuditAction; problem?: ProblemCode };

/** Writes to the audit log of each of the person's accounts. It is done already, so a store that fails now is only logged. */
export async function auditSignIn(
  context: Context,
  req: Request,
  res: Response,
  person: Person,
  action: Action,
): Promise<void> {
  await addToAll(context, person, {
    ...action,
    by: `${PERSON_PREFIX}${person.name}`,
    ...(req.ip === undefined ? {} : { ip: req.ip }),
    request_id: String(res.getHeader('X-Request-Id') ?? ''),
  });
}

/** The same of what was refused, after the answer: its time must not tell whether there is such a name. */
export function auditRefused(
  context: Context,
  [req, res]: [Request, Response],
  name: string,
  action: Required<Action>,
): void {
  // An unknown name may be a password that was typed in the wrong field: it is not logged.
  const person = context.config.console.people.find((one) => one.name === name);
  if (!person) return;
  res.once('close', () => void auditSignIn(context, req, res, person, action));
}

/** Writes that a person's second factor was reset by the settings. */
export function auditReset(context: Context, person: Person): Promise<void> {
  const subject = `${PERSON_PREFIX}${person.name}`;
  return addToAll(context, person, { action: 'console.second_factor_reset', subject, by: 'settings', request_id: '' });
}

async function addToAll(
  context: Context,
  { accounts }: Person,
  entry: Omit<StoredAuditEntry, 'account' | 'at'>,
): Promise<void> {
  const at = context.now().toISOString();
  const writes = accounts.map((account) => context.store.people.addAudit({ account, at, ...entry }));
  const failed = (await Promise.allSettled(writes)).some(({ status }) => status === 'rejected');
  if (failed) context.log.error({}, 'act of a person not stored in the audit log');
}

import type { Request, Response } from 'express';
import type { AuditAction } from '../../../shared/api/audit.ts';
import { PERSON_PREFIX } from '../../../shared/api/console.ts';
import type { ProblemCode } from '../../../shared/checkout/problem-codes.ts';
import type { Context } from '../../context/context.ts';
import type { StoredAuditEntry } from '../../store/facets/people.ts';
import type { Person } from './person.ts';

/** A person's action on their own sign-in. `problem` is the refusal. */
type Action = { action: AuditAction; problem?: ProblemCode };

/** Writes an action to the audit log of each of the person's accounts. It has taken effect, so a failure of the store is only logged. */
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

/** Writes a refused action, after the answer: the answer's time must not show whether the name exists. */
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

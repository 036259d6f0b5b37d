import type { Request, Response } from 'express';
import type { AuditAction } from '../../../shared/api/audit.ts';
import type { ProblemCode } from '../../../shared/checkout/problem-codes.ts';
import { ProblemError } from '../../base/errors.ts';
import type { Context } from '../../context/context.ts';
import { takeCode } from './factor.ts';
import type { createPasswords } from './passwords.ts';
import { type Credentials, type Person, readCredentials } from './person.ts';
import { auditRefused, auditSignIn } from './sign-in-audit.ts';
import { countTry, knowNetwork } from './sign-in-limits.ts';

/** A name with the password, and the code of the second factor. */
type Given = { name: string; password: string; code?: string | undefined };

/** A person whose credentials were right, with these credentials. */
type Checked = { person: Person; own: Credentials };

/** The action that needs the credentials, as the audit log names it, and the problem of a wrong password. */
type Purpose = { action: AuditAction; wrong: 'unauthorized' | 'password_wrong' };

/** Checks a password, and the code of the second factor if the person has one. Returns the person. */
export type CheckCredentials = (req: Request, res: Response, given: Given, purpose: Purpose) => Promise<Checked>;

/**
 * Returns the check of passwords and codes. A wrong one counts as a try, and the audit log gets an entry. The check throws ProblemError
 * `too_many_attempts`, `second_factor_required`, `second_factor_wrong` and the problem of a wrong password, and StoreError.
 */
export function createCredentialCheck(
  context: Context,
  passwords: ReturnType<typeof createPasswords>,
): CheckCredentials {
  return async (req, res, { name, password, code }, { action, wrong }) => {
    const refused = (problem: ProblemCode): void => auditRefused(context, [req, res], name, { action, problem });
    const tried = { name, ip: req.ip, code };
    const { isKnown, giveBack } = await countTry(context, tried, () => refused('too_many_attempts'));
    const named = context.config.console.people.find((one) => one.name === name);
    const own = await readCredentials(context, named);
    const person = await passwords.check(name, password, own.password);
    if (!person) {
      context.log.warn({}, 'console: wrong name or password');
      refused(wrong);
      throw new ProblemError(wrong, 'The name or the password is wrong.');
    }
    if (person === 'busy') {
      await giveBack();
      throw new ProblemError('too_many_attempts', 'Too many sign in at this moment. Try again.', {
        headers: { 'Retry-After': '1' },
      });
    }
    const { factor } = own;
    if (factor && code === undefined) {
      await giveBack();
      throw new ProblemError('second_factor_required', 'Send a code of the authenticator app, or a recovery code.');
    }
    const used = factor && code !== undefined && (await takeCode(context, { person, factor, code, isKnown }));
    if (factor && !used) {
      context.log.warn({}, 'console: wrong code of a second factor');
      refused('second_factor_wrong');
      throw new ProblemError('second_factor_wrong', 'The code is wrong, or was used before.');
    }
    await giveBack();
    // If a second factor is required, a stolen password alone makes no network known.
    if (used || context.config.console.second_factor === 'optional') await knowNetwork(context, name, req.ip);
    if (used === 'recovery_code') await auditSignIn(context, req, res, person, { action: 'console.recovery_code_use' });
    return { person, own };
  };
}

import { randomBytes } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { AuditAction } from '../../../shared/api/audit.ts';
import {
  confirmBody,
  type Enrolled,
  endBody,
  enrolBody,
  factorBody,
  type Own,
  passwordBody,
  type RecoveryCodes,
} from '../../../shared/api/console.ts';
import { ProblemError } from '../../base/errors.ts';
import { sha256 } from '../../base/keys.ts';
import { hashPassword, parseScrypt } from '../../config/scrypt.ts';
import type { Context } from '../../context/context.ts';
import { readJsonBody } from '../../http/json-body.ts';
import { parseBody } from '../../http/parse.ts';
import { addRoute } from '../../http/serve.ts';
import type { CheckCredentials } from './check-credentials.ts';
import { confirmedFactor, newEnrolment, newRecoveryCodes } from './factor.ts';
import { requireCsrf, requirePerson, signedInAt } from './guard.ts';
import { type Person, readCredentials } from './person.ts';
import { removeIfReset } from './reset.ts';
import { meOf, sendPrivately } from './routes.ts';
import { auditSignIn } from './sign-in-audit.ts';
import { type SignIns, setToken } from './sign-ins.ts';

/** The routes of people's own sign-ins, password and second factor. */
export function ownRoutes(context: Context, signIns: SignIns, checkCredentials: CheckCredentials): Router {
  const router = Router();
  const { credentials } = context.store;
  const signedIn = [requirePerson(signIns), requireCsrf];
  const enrolling = [requirePerson(signIns, { mayEnrol: true }), requireCsrf];
  const post = (path: string, guards: readonly RequestHandler[], handler: RequestHandler): void =>
    addRoute(router, `/console/api/own/${path}`, { post: [...guards, handler] });

  /** Checks the credentials of the signed-in person again, before `action`. */
  const checkAgain = (
    req: Request,
    res: Response,
    given: { password: string; code?: string | undefined },
    action: AuditAction,
  ) => checkCredentials(req, res, { name: signedInAt(res).person.name, ...given }, { action, wrong: 'password_wrong' });

  /** Continues under a new token with the current credentials. All other sign-ins of the person end. */
  const continueSignedIn = async (req: Request, res: Response, person: Person) => {
    const { way } = signedInAt(res);
    const next = await signIns.begin(req, person, way, await readCredentials(context, person));
    await signIns.endOthers(next);
    setToken(res, next.token);
    return meOf(context, next);
  };

  addRoute(router, '/console/api/own', {
    get: [
      requirePerson(signIns, { mayEnrol: true }),
      async (_req, res) => {
        const one = signedInAt(res);
        const { password, factor } = await readCredentials(context, one.person);
        const answer: Own = {
          has_password: password !== undefined,
          is_required: context.config.console.second_factor === 'required',
          // An attacker who has only the password learns no addresses of the person.
          sign_ins: one.mustEnrol ? [] : await signIns.list(one),
          ...(factor
            ? {
                factor: {
                  enrolled_at: factor.enrolled_at,
                  recovery_codes: await credentials.countRecoveryCodes(one.person.name),
                },
              }
            : {}),
        };
        sendPrivately(res, answer);
      },
    ],
  });

  post('sign-ins/end', signedIn, async (req, res) => {
    const { id } = parseBody(endBody, await readJsonBody(req, res));
    const one = signedInAt(res);
    const ended = await signIns.endOthers(one, id);
    if (ended === 0 && id !== undefined) throw new ProblemError('not_found', 'You have no other sign-in with this id.');
    if (ended > 0) await auditSignIn(context, req, res, one.person, { action: 'console.sign_ins_end' });
    res.set('Cache-Control', 'no-store').status(204).end();
  });

  post('password', signedIn, async (req, res) => {
    const { new_password, ...given } = parseBody(passwordBody, await readJsonBody(req, res));
    const { person } = await checkAgain(req, res, given, 'console.password_change');
    const inSettings = person.password ?? '';
    const cost = parseScrypt(inSettings)?.cost;
    if (!cost) throw new TypeError('a password was right that is no hash');
    const hash = await hashPassword(new_password, cost, randomBytes(16));
    await credentials.setPassword(person.name, { hash, replaces: sha256(inSettings) });
    await auditSignIn(context, req, res, person, { action: 'console.password_change' });
    sendPrivately(res, await continueSignedIn(req, res, person));
  });

  post('second-factor', enrolling, async (req, res) => {
    const given = parseBody(enrolBody, await readJsonBody(req, res));
    const { person, own } = await checkAgain(req, res, given, 'console.second_factor_add');
    if (own.factor) throw hasFactor();
    sendPrivately(res, newEnrolment(context, person));
  });

  post('second-factor/confirm', enrolling, async (req, res) => {
    const given = parseBody(confirmBody, await readJsonBody(req, res));
    const { person } = signedInAt(res);
    const factor = confirmedFactor(context, person, given);
    if (!factor) throw new ProblemError('second_factor_wrong', 'The code is wrong, or it took too long. Begin again.');
    const { shown, hashes } = newRecoveryCodes();
    await removeIfReset(context, person);
    if (!(await credentials.enrol(person.name, factor, hashes))) throw hasFactor();
    await auditSignIn(context, req, res, person, { action: 'console.second_factor_add' });
    const answer: Enrolled = { recovery_codes: shown, me: await continueSignedIn(req, res, person) };
    sendPrivately(res, answer);
  });

  post('second-factor/recovery-codes', signedIn, async (req, res) => {
    const given = parseBody(factorBody, await readJsonBody(req, res));
    const { person, own } = await checkAgain(req, res, given, 'console.recovery_codes_new');
    if (!own.factor) throw noFactor();
    const { shown, hashes } = newRecoveryCodes();
    await credentials.replaceRecoveryCodes(person.name, hashes);
    await auditSignIn(context, req, res, person, { action: 'console.recovery_codes_new' });
    const answer: RecoveryCodes = { recovery_codes: shown };
    sendPrivately(res, answer);
  });

  post('second-factor/remove', signedIn, async (req, res) => {
    const given = parseBody(factorBody, await readJsonBody(req, res));
    const { person, own } = await checkAgain(req, res, given, 'console.second_factor_remove');
    if (!own.factor || !(await credentials.removeFactor(person.name, own.factor.enrolled_at))) throw noFactor();
    await auditSignIn(context, req, res, person, { action: 'console.second_factor_remove' });
    sendPrivately(res, await continueSignedIn(req, res, person));
  });

  return router;
}

const hasFactor = (): ProblemError =>
  new ProblemError('second_factor_enrolled', 'Remove the second factor to set up another one.');
const noFactor = (): ProblemError => new ProblemError('not_found', 'You have no second factor.');

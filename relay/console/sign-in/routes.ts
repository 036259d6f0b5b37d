import { type Request, type Response, Router } from 'express';
import { type Me, PERSON_PREFIX, signInBody } from '../../../shared/api/console.ts';
import type { ProblemCode } from '../../../shared/checkout/problem.ts';
import { ProblemError } from '../../base/errors.ts';
import { derive } from '../../base/keys.ts';
import type { Context } from '../../context/context.ts';
import { readBodyIfAny, readJsonBody } from '../../http/json-body.ts';
import { limitProblem, network } from '../../http/limits.ts';
import { parseBody } from '../../http/parse.ts';
import { addRoute } from '../../http/serve.ts';
import type { Quota } from '../../payments/attempt.ts';
import { checkOwnPage, notSignedIn, requireCsrf, requirePerson, signedInAt } from './guard.ts';
import {
  createPasswords,
  dropToken,
  type Person,
  type SignedIn,
  type SignIns,
  setToken,
  trustedPerson,
} from './sign-ins.ts';

type Act = { action: 'console.sign_in' | 'console.sign_out'; problem?: ProblemCode };

/** Signing in and out, and who is signed in. */
export function signInRoutes(context: Context, signIns: SignIns): Router {
  const router = Router();
  const passwords = createPasswords(context.config.console.people);

  addRoute(router, '/console/api/sign-in', {
    post: [
      async (req, res) => {
        checkOwnPage(req);
        const { name, password } = parseBody(signInBody, await readJsonBody(req, res));
        const giveBack = await countTry(context, name, req.ip);
        const person = await passwords.check(name, password);
        if (!person) {
          auditRefused(context, req, res, name);
          throw new ProblemError('unauthorized', 'The name or the password is wrong.');
        }
        await giveBack();
        if (person === 'busy') {
          throw new ProblemError('too_many_attempts', 'Too many sign in at this moment. Try again.', {
            headers: { 'Retry-After': '1' },
          });
        }
        await begin(req, res, person, 'password');
      },
    ],
  });

  addRoute(router, '/console/api/me', {
    get: [
      async (req, res) => {
        const signedIn = await signIns.find(req);
        if (signedIn) return sendMe(context, res, signedIn);
        const person = trustedPerson(context.config.console, req);
        if (!person) throw notSignedIn();
        // Another site's page would make its reader sign in again and again.
        checkOwnPage(req);
        await begin(req, res, person, 'header');
      },
    ],
  });

  addRoute(router, '/console/api/sign-out', {
    post: [
      requirePerson(signIns),
      requireCsrf,
      async (req, res) => {
        await readBodyIfAny(req, res);
        const { person, token } = signedInAt(res);
        await signIns.end(token);
        await auditAct(context, req, res, person, { action: 'console.sign_out' });
        dropToken(res);
        res.set('Cache-Control', 'no-store').status(204).end();
      },
    ],
  });

  async function begin(req: Request, res: Response, person: Person, by: 'password' | 'header'): Promise<void> {
    const signedIn = await signIns.begin(req, person, by);
    await auditAct(context, req, res, person, { action: 'console.sign_in' });
    setToken(res, signedIn.token);
    sendMe(context, res, signedIn);
  }

  return router;
}

function sendMe({ config }: Context, res: Response, { person, csrf }: SignedIn): void {
  const { confirm_above } = config.console;
  const answer: Me = {
    name: person.name,
    scopes: person.scopes,
    accounts: config.accounts.flatMap(({ id, name }) => (person.accounts.includes(id) ? [{ id, name }] : [])),
    ...(confirm_above ? { confirm_above } : {}),
    csrf,
  };
  res.set('Cache-Control', 'no-store').json(answer);
}

/**
 * A name that nobody has may be a password that was typed in the wrong field: it is written nowhere. What is written of others is
 * written after the answer, whose time must not tell them apart.
 */
function auditRefused(context: Context, req: Request, res: Response, name: string): void {
  const person = context.config.console.people.find((one) => one.name === name);
  context.log.warn({}, 'console: wrong name or password');
  if (!person) return;
  res.once(
    'close',
    () => void auditAct(context, req, res, person, { action: 'console.sign_in', problem: 'unauthorized' }),
  );
}

/** Writes to the audit log of each of the person's accounts. It is done already, so a store that fails now is only logged. */
async function auditAct(context: Context, req: Request, res: Response, person: Person, act: Act): Promise<void> {
  const entry = {
    ...act,
    at: context.now().toISOString(),
    by: `${PERSON_PREFIX}${person.name}`,
    ...(req.ip === undefined ? {} : { ip: req.ip }),
    request_id: String(res.getHeader('X-Request-Id') ?? ''),
  };
  const writes = person.accounts.map((account) => context.store.people.addAudit({ account, ...entry }));
  const failed = (await Promise.allSettled(writes)).some(({ status }) => status === 'rejected');
  if (failed) context.log.error({}, 'sign-in not stored in the audit log');
}

/** PCI DSS 4.0.1, 8.3.4. */
const LOCK_MS = 30 * 60_000;
const HOUR_MS = 60 * 60_000;

/**
 * How often a password may be tried: for a name from one address, so that nobody elsewhere keeps its person out at once; for
 * a name; and from an address.
 */
const MAX_PER_NAME_AND_ADDRESS = 10;
const MAX_PER_NAME = 100;
const MAX_PER_ADDRESS = 50;

/**
 * Counts a try to sign in. Returns what gives it back: only wrong passwords use tries up. Throws ProblemError `too_many_attempts`
 * for one too many, which is not counted, and StoreError.
 */
async function countTry(context: Context, name: string, ip: string | undefined): Promise<() => Promise<void>> {
  const { store, now } = context;
  const quotas = quotasOf(context, name, network(ip ?? ''));
  const at = now().toISOString();
  const limited = await store.quotas.count(quotas, at);
  if (limited) throw limitProblem(context, limited);
  return () => store.quotas.uncount(quotas, at);
}

/** The store sees keyed hashes of names and addresses alone. */
function quotasOf({ config }: Context, name: string, address: string): Quota[] {
  const [account] = config.accounts;
  if (!account) return [];
  const quota = (thing: readonly string[], most: number, window_ms: number): Quota => {
    const key = derive(account.derivedKeys, 'counted attempt', `console ${JSON.stringify(thing)}`);
    return { name: 'sign_in', key, most, window_ms };
  };
  return [
    quota(['both', name, address], MAX_PER_NAME_AND_ADDRESS, LOCK_MS),
    quota(['name', name], MAX_PER_NAME, HOUR_MS),
    quota(['address', address], MAX_PER_ADDRESS, HOUR_MS),
  ];
}

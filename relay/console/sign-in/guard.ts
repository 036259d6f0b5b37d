import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { CSRF_HEADER, IDLE_HEADER, PERSON_PREFIX } from '../../../shared/api/console.ts';
import { ProblemError } from '../../base/errors.ts';
import { sha256 } from '../../base/keys.ts';
import type { Context } from '../../context/context.ts';
import { required } from '../../http/access.ts';
import type { SignedIn, SignIns } from './sign-ins.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The person who is signed in to the console. */
      signedIn?: SignedIn;
    }
  }
}

/**
 * Requires a sign-in, and stores it for `signedInAt`. Throws ProblemError `unauthorized`, and `second_factor_not_enrolled` for a person
 * who must set up a second factor first.
 * @param isSeen false for background requests of a page, which do not prolong the sign-in
 * @param mayEnrol true for routes that such a person may use
 */
export function requirePerson(signIns: SignIns, { isSeen = true, mayEnrol = false } = {}): RequestHandler {
  return async (req, res, next) => {
    const signedIn = await signIns.find(req, isSeen && req.get(IDLE_HEADER) === undefined);
    // The cookie stays: this request may be older than a sign-in of another tab, whose cookie would go too.
    if (!signedIn) throw notSignedIn();
    if (signedIn.mustEnrol && !mayEnrol) {
      throw new ProblemError('second_factor_not_enrolled', 'Set up a second factor, at Your sign-in.');
    }
    res.locals.signedIn = signedIn;
    next();
  };
}

export function signedInAt(res: Response): SignedIn {
  return required(res.locals.signedIn);
}

export function notSignedIn(): ProblemError {
  return new ProblemError('unauthorized', 'Sign in.');
}

/**
 * Requires the page's token of requests that change something. Comes after `requirePerson`. Throws ProblemError `csrf`.
 */
export const requireCsrf: RequestHandler = (req, res, next) => {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    checkOwnPage(req);
    // The hashes have the same length.
    const [given, own] = [req.get(CSRF_HEADER) ?? '', signedInAt(res).csrf].map((text) => Buffer.from(sha256(text)));
    if (!given || !own || !timingSafeEqual(given, own))
      throw notFromPage(`Send ${CSRF_HEADER} with the value from /console/api/me.`);
  }
  next();
};

/** Refuses a request that another site's page sent, as the browser reports. Throws ProblemError `csrf`. */
export function checkOwnPage(req: Request): void {
  const site = req.get('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw notFromPage('Open the console itself.');
}

function notFromPage(detail: string): ProblemError {
  return new ProblemError('csrf', detail);
}

/**
 * Makes the person the request's principal, for the account in the path if it is one of theirs. Comes after `requirePerson`.
 * Throws ProblemError `not_found`: a foreign account looks the same as one that does not exist.
 */
export function asPerson({ config }: Context): RequestHandler {
  return (req, res, next) => {
    const { name, scopes, accounts, limits = {} } = signedInAt(res).person;
    const account = config.accounts.find(({ id }) => id === req.params.account);
    if (!account || !accounts.includes(account.id))
      throw new ProblemError('not_found', 'You have no account with this id.');
    res.locals.principal = { kind: 'person', account, by: `${PERSON_PREFIX}${name}`, scopes, limits };
    next();
  };
}

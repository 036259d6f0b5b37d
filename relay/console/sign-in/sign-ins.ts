import { createHmac, randomBytes } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import type { OwnSignIn } from '../../../shared/api/console.ts';
import { sha256 } from '../../base/keys.ts';
import type { Context } from '../../context/context.ts';
import type { SignIn } from '../../store/facets/people.ts';
import { type Credentials, credentialOf, type Person, readCredentials, trustedPerson, type Way } from './person.ts';

/** PCI DSS 4.0.1, 8.2.8. */
const IDLE_MS = 15 * 60_000;
const MAX_AGE_MS = 12 * 3_600_000;

/** The minimum time between two writes of a person's last request. */
const SEEN_STEP_MS = 60_000;

/** A signed-in person, with the token of their cookie and the token that their page sends beside it. */
export type SignedIn = {
  person: Person;
  way: Way;
  token: string;
  csrf: string;
  /** The person has no second factor yet, and may only set one up. */
  mustEnrol: boolean;
};

export type SignIns = ReturnType<typeof createSignIns>;

/** Sign-ins to the console. All functions throw StoreError. */
export function createSignIns(context: Context) {
  const { store, now } = context;
  const settings = context.config.console;
  const { trust_header: header } = settings;

  const signedIn = (person: Person, way: Way, { factor }: Credentials, token: string): SignedIn => {
    const mustEnrol = way === 'password' && settings.second_factor === 'required' && !factor;
    return { person, way, token, csrf: csrfOf(token), mustEnrol };
  };

  /** The sign-in under the current settings and credentials; undefined if they no longer permit it. */
  const current = async (signIn: SignIn, req: Request, token: string): Promise<SignedIn | undefined> => {
    const person = settings.people.find(({ name }) => name === signIn.person);
    if (!person) return undefined;
    if (signIn.credential === credentialOf('header', {}, header)) {
      // A person whom the proxy no longer names is signed out there.
      return trustedPerson(settings, req) === person ? signedIn(person, 'header', {}, token) : undefined;
    }
    const own = await readCredentials(context, person);
    return signIn.credential === credentialOf('password', own, header)
      ? signedIn(person, 'password', own, token)
      : undefined;
  };

  const isOver = ({ created_at, seen_at }: SignIn): boolean =>
    msSince(created_at, now()) >= MAX_AGE_MS || msSince(seen_at, now()) >= IDLE_MS;

  /** The functions to call at the end of a sign-in, by the SHA-256 of its token. */
  const listeners = new Map<string, Set<() => void>>();

  const end = async (tokenSha256: string): Promise<void> => {
    await store.people.endSignIn(tokenSha256);
    for (const onEnded of listeners.get(tokenSha256) ?? []) onEnded();
  };

  /** The valid sign-ins of a person, each with its way. */
  const validSignIns = async (person: Person): Promise<(SignIn & { way: Way })[]> => {
    const own = await readCredentials(context, person);
    const ways = (['password', 'header'] as const).map((way) => ({ way, credential: credentialOf(way, own, header) }));
    return (await store.people.listSignIns(person.name)).flatMap((signIn) => {
      const way = ways.find(({ credential }) => credential === signIn.credential)?.way;
      return way === undefined || isOver(signIn) ? [] : [{ ...signIn, way }];
    });
  };

  return {
    /**
     * Signs a person in under a new token. Ends the sign-in that the request had.
     * @param own the checked credentials: after a change of them, the sign-in is no longer valid
     */
    async begin(req: Request, person: Person, way: Way, own: Credentials): Promise<SignedIn> {
      const before = tokenIn(req);
      if (before !== undefined) await end(sha256(before));
      const token = randomBytes(32).toString('base64url');
      const at = now().toISOString();
      await store.people.addSignIn({
        ...{ token_sha256: sha256(token), person: person.name, credential: credentialOf(way, own, header) ?? '' },
        ...{ created_at: at, seen_at: at, ...(req.ip === undefined ? {} : { ip: req.ip }) },
      });
      return signedIn(person, way, own, token);
    },

    /**
     * The sender of a request, if the sign-in is valid: active in the last 15 minutes, at most 12 hours old, and its person and
     * credentials unchanged.
     * @param isSeen false for a background request of a page, which does not prolong the sign-in
     */
    async find(req: Request, isSeen = true): Promise<SignedIn | undefined> {
      const token = tokenIn(req);
      const signIn = token === undefined ? undefined : await store.people.getSignIn(sha256(token));
      if (token === undefined || !signIn) return undefined;
      const found = isOver(signIn) ? undefined : await current(signIn, req, token);
      if (!found) {
        await end(signIn.token_sha256);
        return undefined;
      }
      const isDue = isSeen && msSince(signIn.seen_at, now()) >= SEEN_STEP_MS;
      if (isDue) await store.people.seeSignIn(signIn.token_sha256, now().toISOString());
      return found;
    },

    /** The sign-ins of a person who is signed in, the newest first. */
    async list({ person, token }: SignedIn): Promise<OwnSignIn[]> {
      return (await validSignIns(person)).map(({ token_sha256, way, created_at, seen_at, ip }) => ({
        ...{ id: idOf(token_sha256), by: way, created_at, seen_at },
        ...(ip === undefined ? {} : { ip }),
        ...(token_sha256 === sha256(token) ? { is_current: true } : {}),
      }));
    },

    /** Ends a person's other sign-ins: the one with this id, or all. Returns how many. */
    async endOthers({ person, token }: Pick<SignedIn, 'person' | 'token'>, id?: string): Promise<number> {
      const others = (await store.people.listSignIns(person.name)).filter(
        ({ token_sha256 }) => token_sha256 !== sha256(token) && (id === undefined || idOf(token_sha256) === id),
      );
      for (const { token_sha256 } of others) await end(token_sha256);
      return others.length;
    },

    end: (token: string) => end(sha256(token)),

    /** Calls `onEnded` when this process ends a sign-in. Only `find` detects an end by another process. Returns the function that stops this. */
    onEnd(token: string, onEnded: () => void): () => void {
      const key = sha256(token);
      const own = listeners.get(key) ?? new Set();
      listeners.set(key, own.add(onEnded));
      return () => {
        own.delete(onEnded);
        if (own.size === 0) listeners.delete(key);
      };
    },
  };
}

const msSince = (time: string, now: Date): number => now.getTime() - Date.parse(time);

/** The id of a sign-in, which reveals nothing of its token. */
const idOf = (tokenSha256: string): string => sha256(`sign-in ${tokenSha256}`).slice(0, 32);

/**
 * The token that distinguishes the page's own requests from those of other sites. It cannot be computed without the
 * sign-in's token.
 */
function csrfOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

/** No other host and no plain page can set a cookie of this name. */
const NAME = '__Host-turnpike-console';

const options: CookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' };

const TOKEN = new RegExp(`(?:^|;) *${NAME}=([\\w-]{43}) *(?:;|$)`);

/** The token in the console's cookie; undefined if there is none in the relay's form. */
function tokenIn({ headers }: Request): string | undefined {
  return TOKEN.exec(headers.cookie ?? '')?.[1];
}

/** Stores the token in the browser until that is closed. */
export function setToken(res: Response, token: string): void {
  res.cookie(NAME, token, options);
}

/** Deletes the token from the browser. */
export function dropToken(res: Response): void {
  res.clearCookie(NAME, options);
}

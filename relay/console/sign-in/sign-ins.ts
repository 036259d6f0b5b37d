import { createHmac, randomBytes } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';
import { createSemaphore } from '../../base/concurrency.ts';
import { sha256 } from '../../base/keys.ts';
import type { Config } from '../../config/load.ts';
import { isPassword, parseScrypt, type ScryptHash } from '../../config/people.ts';
import type { Context } from '../../context/context.ts';
import type { SignIn } from '../../store/facets/people.ts';

/** PCI DSS 4.0.1, 8.2.8. */
const IDLE_MS = 15 * 60_000;
const MAX_AGE_MS = 12 * 3_600_000;

/** How often the time of a person's last request is written: not every request is a write. */
const SEEN_STEP_MS = 60_000;

/** A person who is signed in, with the token of their cookie and the one that their page sends beside it. */
export type SignedIn = { person: Person; token: string; csrf: string };

export type SignIns = ReturnType<typeof createSignIns>;

/** Sign-ins to the console. What they throw is StoreError. */
export function createSignIns({ config, store, now }: Context) {
  const settings = config.console;

  /** What stands for a person's way to sign in: with another password, or without the header, it is another. */
  const credentialOf = ({ password }: Person, by: 'password' | 'header'): string | undefined => {
    const means = by === 'password' ? password : settings.trust_header;
    return means === undefined ? undefined : sha256(`${by} ${means}`);
  };

  const personOf = ({ person: name, credential }: SignIn, req: Request): Person | undefined => {
    const person = settings.people.find((one) => one.name === name);
    if (!person) return undefined;
    if (credential === credentialOf(person, 'password')) return person;
    // A person whom the proxy no longer names is signed out there.
    const isTrusted = credential === credentialOf(person, 'header') && trustedPerson(settings, req) === person;
    return isTrusted ? person : undefined;
  };

  /** The functions to call at the end of a sign-in, by its token. */
  const listeners = new Map<string, Set<() => void>>();

  const end = async (token: string): Promise<void> => {
    await store.people.endSignIn(sha256(token));
    for (const hear of listeners.get(token) ?? []) hear();
  };

  return {
    /** Signs a person in by password, or by the header of a proxy, under a new token. Ends the sign-in that the request had. */
    async begin(req: Request, person: Person, by: 'password' | 'header'): Promise<SignedIn> {
      const before = tokenIn(req);
      if (before !== undefined) await end(before);
      const token = randomBytes(32).toString('base64url');
      const at = now().toISOString();
      const credential = credentialOf(person, by) ?? '';
      const times = { created_at: at, seen_at: at };
      await store.people.addSignIn({ token_sha256: sha256(token), person: person.name, credential, ...times });
      return { person, token, csrf: csrfOf(token) };
    },

    /**
     * Who sent the request, if their sign-in is still good: not idle for 15 minutes, not older than 12 hours, the person and
     * what they signed in by as the settings have them.
     * @param isSeen false where a page asks by itself, which does not prolong the sign-in
     */
    async find(req: Request, isSeen = true): Promise<SignedIn | undefined> {
      const token = tokenIn(req);
      const signIn = token === undefined ? undefined : await store.people.getSignIn(sha256(token));
      if (token === undefined || !signIn) return undefined;
      const at = now();
      const [age, idle] = [signIn.created_at, signIn.seen_at].map((time) => at.getTime() - Date.parse(time));
      const isOver = age === undefined || idle === undefined || age >= MAX_AGE_MS || idle >= IDLE_MS;
      const person = personOf(signIn, req);
      if (isOver || !person) {
        await end(token);
        return undefined;
      }
      if (isSeen && idle >= SEEN_STEP_MS) await store.people.seeSignIn(signIn.token_sha256, at.toISOString());
      return { person, token, csrf: csrfOf(token) };
    },

    end,

    /** Calls `hear` when this process ends a sign-in. `find` tells what another process ended. Returns the function that stops this. */
    onEnd(token: string, hear: () => void): () => void {
      const own = listeners.get(token) ?? new Set();
      listeners.set(token, own.add(hear));
      return () => {
        own.delete(hear);
        if (own.size === 0) listeners.delete(token);
      };
    },
  };
}

/** What tells the page's own requests from those of others: it cannot be made without the token. */
function csrfOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

/** No other host and no plain page can set a cookie of this name. */
const NAME = '__Host-turnpike-console';

const options: CookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' };

const TOKEN = new RegExp(`(?:^|;) *${NAME}=([\\w-]{43}) *(?:;|$)`);

/** The token in the console's cookie; undefined where there is none, or none of ours. */
function tokenIn({ headers }: Request): string | undefined {
  return TOKEN.exec(headers.cookie ?? '')?.[1];
}

/** Lets the browser keep the token until it is closed. */
export function setToken(res: Response, token: string): void {
  res.cookie(NAME, token, options);
}

/** Lets the browser forget it. */
export function dropToken(res: Response): void {
  res.clearCookie(NAME, options);
}

/**
 * The person whom a proxy names in `console.trust_header`, after it signed them in. Undefined where the request does not come
 * straight from an address of `trust_proxy`, or names a person whom the settings do not know.
 */
export function trustedPerson({ people, trust_header }: Config['console'], req: Request): Person | undefined {
  if (trust_header === undefined || !isFromProxy(req)) return undefined;
  const [given, ...others] = req.headersDistinct[trust_header.toLowerCase()] ?? [];
  if (given === undefined || others.length > 0) return undefined;
  // Node reads headers as Latin-1; proxies write names as UTF-8.
  const name = Buffer.from(given, 'latin1').toString('utf8');
  return people.find((person) => person.name === name || person.name === given);
}

/** As Express decides it for the addresses that a proxy tells of. */
function isFromProxy({ app, socket }: Request): boolean {
  const trusts: unknown = app.get('trust proxy fn');
  return typeof trusts === 'function' && trusts(socket.remoteAddress, 0) === true;
}

/** A person whom the settings know. */
export type Person = Config['console']['people'][number];

/** Each may take as much memory as its hash says, and a core. */
const MAX_AT_ONCE = 2;
const MAX_WAITING = 20;

/**
 * Checks passwords, a few at once. An unknown name costs as much as a known one: its password is held against a hash that
 * nothing has, of the costs of some person, always the same.
 * @param verify holds a password against a hash
 */
export function createPasswords(people: readonly Person[], verify = isPassword) {
  const known = people.flatMap((person) => {
    const hash = person.password === undefined ? undefined : parseScrypt(person.password);
    return hash ? [{ person, hash }] : [];
  });
  const permits = createSemaphore(MAX_AT_ONCE);
  const choice = randomBytes(32);
  const unmatched = { salt: randomBytes(16), hash: randomBytes(32) };
  const someHash = (name: string): ScryptHash | undefined => {
    const at = createHmac('sha256', choice).update(name).digest().readUInt32BE() % Math.max(1, known.length);
    const cost = known[at]?.hash.cost;
    return cost && { cost, ...unmatched };
  };
  let waiting = 0;
  return {
    /** The person with this name, if it is their password; `busy` where too many are being checked. */
    async check(name: string, password: string): Promise<Person | 'busy' | undefined> {
      const found = known.find(({ person }) => person.name === name);
      const hash = found?.hash ?? someHash(name);
      if (!hash) return undefined;
      if (waiting >= MAX_WAITING) return 'busy';
      waiting += 1;
      const permit = await permits.acquire(randomBytes(8).toString('hex'));
      try {
        return (await verify(password, hash)) ? found?.person : undefined;
      } finally {
        waiting -= 1;
        permit.release();
      }
    },
  };
}

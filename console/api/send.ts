import type { Problem } from '../../shared/checkout/problem.ts';

/** The environment of the requests. */
export type Surroundings = {
  fetch: typeof fetch;
  /** Waits between two tries. */
  wait: (ms: number) => Promise<void>;
  /** The token of the current sign-in. */
  csrf: () => string;
  /** Whether the person is idle: requests of an idle page do not prolong the sign-in. */
  isIdle: () => boolean;
  /** Settles once the same person is signed in again, with a new token. Asks for the password if necessary. */
  signInAgain: () => Promise<void>;
};

export type Outgoing = {
  path: string;
  /** The body of a POST. A request without a body is a GET. */
  body?: object;
  /** The idempotency key: the same for every try of one intent. */
  key?: string;
  headers?: Readonly<Record<string, string>>;
  /** True for a request that must not be retried when no answer came, such as one with a one-time code. */
  isOnce?: true;
};

/** An answer, and its operation if the relay names one. */
export type Answered<T> = { answer: T; operationId: string | undefined };

const PAUSES_MS = [500, 1500, 4000];

/** The maximum age of a retry. A machine that slept for days must not repeat a key that the relay has deleted. */
const MAX_RETRY_MS = 11 * 3_600_000;

/**
 * Sends a request until the relay answers it, at most four times and always with the same key. If the sign-in has expired, it
 * asks for the password and continues. Throws Refused, Unanswered or Unreadable. It also throws Unanswered if an earlier try may
 * have succeeded and the refusal of a later one says nothing about it.
 */
export async function send<T>(surroundings: Surroundings, outgoing: Outgoing): Promise<Answered<T>> {
  const begun = Date.now();
  let hasNewToken = false;
  let isInDoubt = false;
  for (let tried = 0; ; tried++) {
    if (isInDoubt && Date.now() - begun >= MAX_RETRY_MS) throw new Unanswered('too late');
    try {
      return await once<T>(surroundings, outgoing);
    } catch (error) {
      isInDoubt ||= outgoing.key !== undefined && mayHaveBeenTaken(error);
      // The token is outdated if the person signed in again in another tab.
      const isOldToken: boolean = error instanceof Refused && error.code === 'csrf' && !hasNewToken;
      if (isOldToken || (error instanceof Refused && error.status === 401)) {
        await surroundings.signInAgain().catch((failed: unknown) => {
          throw isInDoubt ? new Unanswered('not signed in') : failed;
        });
        hasNewToken = isOldToken;
        tried--;
        continue;
      }
      const pause = PAUSES_MS[tried];
      if (pause === undefined || outgoing.isOnce || !isPassing(error)) {
        const tellsNothing = isInDoubt && error instanceof Refused && !isAboutKey(error);
        throw tellsNothing ? new Unanswered(error.message) : error;
      }
      await surroundings.wait(pause);
    }
  }
}

/** Whether the same request may get another answer in a moment. */
function isPassing(error: unknown): boolean {
  if (error instanceof Refused) return error.code === 'in_progress' || error.code === 'store_unavailable';
  return error instanceof Unanswered;
}

/** Sends a request once. Throws Refused, Unanswered or Unreadable. */
async function once<T>({ fetch, csrf, isIdle }: Surroundings, outgoing: Outgoing): Promise<Answered<T>> {
  const response = await fetch(outgoing.path, request(outgoing, csrf(), isIdle())).catch(noAnswer);
  const text = await response.text().catch(noAnswer);
  const refused = response.ok ? undefined : problemIn(response, text);
  // An answer without the relay's header comes from a proxy in front of it.
  if (!isOfRelay(response) || (!response.ok && !refused)) throw new Unanswered(`HTTP ${response.status}`);
  if (refused) throw refused;
  const operationId = response.headers.get('X-Operation-Id') ?? undefined;
  try {
    const answer: T = text === '' ? undefined : JSON.parse(text);
    return { answer, operationId };
  } catch {
    throw new Unreadable(outgoing.path);
  }
}

function noAnswer(): never {
  throw new Unanswered('no answer');
}

function request({ body, key, headers: own }: Outgoing, csrf: string, isIdle: boolean): RequestInit {
  const headers = { Accept: 'application/json' };
  if (body === undefined) return { headers: isIdle ? { ...headers, 'X-Idle': '1' } : headers, cache: 'no-store' };
  return {
    method: 'POST',
    headers: {
      ...headers,
      ...own,
      'Content-Type': 'application/json',
      'X-CSRF-Token': csrf,
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  };
}

/** The problem in an answer of the relay; undefined if there is none. */
function problemIn({ status, headers }: Response, text: string): Refused | undefined {
  const problem = readJson<Partial<Problem> | null>(text);
  if (problem?.code === undefined) return undefined;
  const { code, detail = code, operation_id: operationId } = problem;
  const seconds = Number(headers.get('Retry-After'));
  return new Refused({ status, code, detail, operationId, retryAfterSeconds: seconds > 0 ? seconds : undefined });
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function readJson<T>(text: string): T | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The relay refused the request. `code` is a problem code of this relay or of a newer one. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly code: string;
  readonly operationId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: {
    status: number;
    code: string;
    detail: string;
    operationId?: string | undefined;
    retryAfterSeconds?: number | undefined;
  }) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.operationId = problem.operationId;
    this.retryAfterSeconds = problem.retryAfterSeconds;
  }
}

/** No answer came from the relay: the outcome is not known. */
export class Unanswered extends Error {
  override name = 'Unanswered';
}

/** The relay answered, but not in JSON. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** Whether a request with this error may have been done: no answer came, the relay failed, or it is still working on it. */
export function mayHaveBeenTaken(error: unknown): boolean {
  if (!(error instanceof Refused)) return error instanceof Unanswered;
  return error.code === 'in_progress' || (error.status >= 500 && !didNothing(error));
}

/**
 * Whether the relay refused the request that has this key. Other refusals come from a proxy, or before the relay reads the key:
 * they say nothing about an earlier try.
 */
export function isAboutKey(error: Refused): boolean {
  // The relay checks scopes before the key, and a person's limit after it.
  return [400, 409, 422].includes(error.status) || error.code === 'above_limit' || didNothing(error);
}

function didNothing({ code }: Refused): boolean {
  return ['gateway_unreachable', 'relay_paused', 'operation_not_configured'].includes(code);
}

/** The header with the version of the relay that answered. */
const VERSION_HEADER = 'Turnpike-Version';

/** Whether the relay itself answered, not a proxy in front of it. The answer of a proxy says nothing about the request. */
export function isOfRelay({ headers }: Response): boolean {
  return headers.has(VERSION_HEADER);
}

/**
 * A fetch that calls `onOther` when the relay has another version than this page. The page only knows the answers of its own
 * version.
 */
export function fetchCheckingVersion(
  fetch: typeof window.fetch,
  version: string,
  onOther: () => void,
): typeof window.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const answered = response.headers.get(VERSION_HEADER);
    if (answered !== null && answered !== version) onOther();
    return response;
  };
}

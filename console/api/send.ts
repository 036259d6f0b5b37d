import type { Problem } from '../../shared/checkout/problem.ts';
import { isAboutKey, mayHaveBeenTaken, Refused, Unanswered, Unreadable } from './errors.ts';
import { isOfRelay } from './version.ts';

/** The world around the requests. */
export type Surroundings = {
  fetch: typeof fetch;
  /** Waits between two tries. */
  wait: (ms: number) => Promise<void>;
  /** The token of the session that is signed in now. */
  csrf: () => string;
  /** Whether nobody touches the page: what it asks then keeps nobody signed in. */
  isIdle: () => boolean;
  /** Settles once the same person is signed in again, under a new token; asks for the password where it must. */
  signInAgain: () => Promise<void>;
};

export type Outgoing = {
  path: string;
  /** What is posted; a request without one is a GET. */
  body?: object;
  /** The same for every try of one intent. */
  key?: string;
  headers?: Readonly<Record<string, string>>;
};

/** An answer, and the operation that it is about where the relay names one. */
export type Answered<T> = { answer: T; operationId: string | undefined };

const PAUSES_MS = [500, 1500, 4000];

/** A sleeping machine, or one who signs in again days later, must not repeat a key that the relay forgot. */
const MAX_RETRY_MS = 11 * 3_600_000;

/**
 * Sends a request until the relay answers it, at most four times and always with the same key. Where the sign-in expired it
 * asks for the password and goes on. Throws Refused, Unanswered or Unreadable: Unanswered also where a try may have been taken
 * and what refuses another tells nothing about it.
 */
export async function send<T>(surroundings: Surroundings, outgoing: Outgoing): Promise<Answered<T>> {
  const begun = Date.now();
  let hasNewToken = false;
  let isInDoubt = false;
  for (let tried = 0; ; tried++) {
    if (isInDoubt && Date.now() - begun >= MAX_RETRY_MS) throw new Unanswered('too late');
    const ended = await once<T>(surroundings, outgoing);
    if (ended.kind === 'answer') return ended;
    isInDoubt ||= outgoing.key !== undefined && mayHaveBeenTaken(ended.error);
    // The token is an old one where the person signed in again in another tab.
    const isOldToken: boolean = ended.error instanceof Refused && ended.error.code === 'csrf' && !hasNewToken;
    if (isOldToken || (ended.error instanceof Refused && ended.error.status === 401)) {
      await surroundings.signInAgain().catch((error: unknown) => {
        throw isInDoubt ? new Unanswered('not signed in') : error;
      });
      hasNewToken = isOldToken;
      tried--;
      continue;
    }
    const pause = PAUSES_MS[tried];
    if (pause === undefined || !isPassing(ended.error)) {
      const tellsNothing = isInDoubt && ended.error instanceof Refused && !isAboutKey(ended.error);
      throw tellsNothing ? new Unanswered(ended.error.message) : ended.error;
    }
    await surroundings.wait(pause);
  }
}

type Ended<T> =
  | ({ kind: 'answer' } & Answered<T>)
  | { kind: 'refused'; error: Refused }
  | { kind: 'none'; error: Unanswered | Unreadable };

/** Whether the same request may be answered otherwise in a moment. */
function isPassing(error: Refused | Unanswered | Unreadable): boolean {
  if (error instanceof Refused) return error.code === 'in_progress' || error.code === 'store_unavailable';
  return error instanceof Unanswered;
}

async function once<T>({ fetch, csrf, isIdle }: Surroundings, outgoing: Outgoing): Promise<Ended<T>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(outgoing.path, request(outgoing, csrf(), isIdle()));
    text = await response.text();
  } catch {
    return { kind: 'none', error: new Unanswered('no answer') };
  }
  // A proxy in front of the relay answered.
  if (!isOfRelay(response)) return { kind: 'none', error: new Unanswered(`HTTP ${response.status}`) };
  if (!response.ok) {
    const problem = problemIn(response, text);
    return problem === undefined
      ? { kind: 'none', error: new Unanswered(`HTTP ${response.status}`) }
      : { kind: 'refused', error: problem };
  }
  try {
    const answer: T = text === '' ? undefined : JSON.parse(text);
    return { kind: 'answer', answer, operationId: response.headers.get('X-Operation-Id') ?? undefined };
  } catch {
    return { kind: 'none', error: new Unreadable(outgoing.path) };
  }
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

/** The problem that the relay wrote; undefined where none can be read. */
function problemIn({ status, headers }: Response, text: string): Refused | undefined {
  const problem = problemOf(text);
  if (problem?.code === undefined) return undefined;
  const { code, detail = code, operation_id: operationId } = problem;
  const seconds = Number(headers.get('Retry-After'));
  return new Refused({
    ...{ status, code, detail, operationId },
    retryAfterSeconds: seconds > 0 ? seconds : undefined,
  });
}

function problemOf(text: string): Partial<Problem> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

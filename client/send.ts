import { z } from 'zod';
import { type Refusal, RelayAnswerUnusable, RelayRefused, RelayUnreachable, type Request } from './errors.ts';
import type { Settings } from './settings.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** An answer with the data of its headers. */
export type Answered<Answer> = Meta & { answer: Answer };

/**
 * Sends a request until the relay has given a final answer, at most `settings.tries` times, and always with the same
 * Idempotency-Key, which makes retries safe. Throws RelayRefused, RelayUnreachable or RelayAnswerUnusable.
 */
export async function send<Schema extends z.ZodType>(
  settings: Settings,
  outgoing: Outgoing,
  schema: Schema,
): Promise<Answered<z.output<Schema>>> {
  for (let tried = 1; ; tried++) {
    const ended = await exchange(settings, outgoing);
    if (tried === settings.tries || !isPassing(ended)) return answerIn(ended, settings, outgoing, schema);
    await settings.wait(pauseMs(tried, ended));
  }
}

/** Codes of refusals that soon pass: the request had no effect, or is still being processed. */
const passing: ReadonlySet<string> = new Set(['in_progress', 'rate_limited']);

/** Whether the same request may get another answer in a moment. */
function isPassing(ended: Exchange): boolean {
  switch (ended.kind) {
    case 'none':
      return true;
    case 'foreign':
      // A proxy in front of the relay sends these: it lost the connection, cannot reach the relay, or limits the rate.
      return ended.status === 429 || (ended.status >= 502 && ended.status <= 504);
    case 'problem':
      return ended.refusal.status === 503 || passing.has(ended.refusal.code);
    case 'answer':
      return false;
  }
}

/** The pause doubles with each try, less a random part, so that clients that failed together do not retry together. */
function pauseMs(tried: number, ended: Exchange): number {
  const pause = FIRST_PAUSE_MS * 2 ** (tried - 1) * (1 - Math.random() / 2);
  const wished = 'retryAfterMs' in ended ? ended.retryAfterMs : 0;
  return Math.min(Math.max(pause, wished), MAX_PAUSE_MS);
}

function answerIn<Schema extends z.ZodType>(
  ended: Exchange,
  { url }: Settings,
  outgoing: Outgoing,
  schema: Schema,
): Answered<z.output<Schema>> {
  switch (ended.kind) {
    case 'none':
      throw new RelayUnreachable(outgoing, new URL(url).origin, ended.cause);
    case 'foreign':
      throw new RelayAnswerUnusable(outgoing, ended.status);
    case 'problem':
      throw new RelayRefused(outgoing, ended.refusal);
    case 'answer': {
      const parsed = schema.safeParse(ended.body);
      if (parsed.success) return { answer: parsed.data, ...ended.meta };
      const paths = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole body');
      throw new RelayAnswerUnusable(outgoing, ended.status, paths);
    }
  }
}

/** A running call: await it for the answer, or await its `withMeta()` for the answer and the data in its headers. */
export type Call<Answer> = Promise<Answer> & { withMeta(): Promise<Answered<Answer>> };

/** Creates a call from a promise of an answer. */
export function callOf<Answer>(answered: Promise<Answered<Answer>>): Call<Answer> {
  const answer = answered.then((whole) => whole.answer);
  const withMeta = (): Promise<Answered<Answer>> => {
    // A caller of `withMeta()` gets the rejection there, and the other promise has no handler.
    answer.catch(() => undefined);
    return answered;
  };
  return Object.assign(answer, { withMeta });
}

/** One request to the relay. `path` is the route with its ids. */
export type Outgoing = Request & { path: string; body?: string };

/** The data in the headers of an answer. */
export type Meta = {
  /** The id of this answer in the relay's log. */
  requestId: string | undefined;
  /** Whether this is the stored answer of an earlier request with the same key. */
  replayed: boolean;
  /** The id of the operation, for `operations.get`. */
  operationId: string | undefined;
  /** The key of the POST. */
  idempotencyKey: string | undefined;
};

/** The result of one try. `retryAfterMs` is the pause that the relay requests. */
export type Exchange =
  | { kind: 'answer'; status: number; body: unknown; meta: Meta }
  | { kind: 'problem'; refusal: Refusal; retryAfterMs: number }
  | { kind: 'foreign'; status: number; retryAfterMs: number }
  | { kind: 'none'; cause: unknown };

/** The needed fields of a problem (RFC 9457). Other fields are ignored. */
const problem = z.object({
  code: z.string().regex(/^\w{1,100}$/),
  title: z.string(),
  detail: z.string().default(''),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
  operation_id: z.string().optional(),
  session_id: z.string().optional(),
  transaction_ids: z.array(z.string()).optional(),
  result: z.object({ code: z.string().optional(), message: z.string() }).optional(),
});

/** Sends a request once. Never throws. */
export async function exchange(settings: Settings, outgoing: Outgoing): Promise<Exchange> {
  const { method, path, body, idempotencyKey } = outgoing;
  try {
    const response = await settings.fetch(`${settings.url}${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${settings.apiKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
      // The relay never redirects these requests, and another server must not get the key.
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs),
    });
    return read(response.status, response.headers, parsedJson(await response.text()), idempotencyKey);
  } catch (cause) {
    return { kind: 'none', cause };
  }
}

function read(status: number, headers: Headers, body: unknown, idempotencyKey: string | undefined): Exchange {
  const requestId = headers.get('x-request-id') ?? undefined;
  const operationId = headers.get('x-operation-id') ?? undefined;
  const replayed = headers.get('idempotency-replayed') === 'true';
  if (status >= 200 && status < 300) {
    return { kind: 'answer', status, body, meta: { requestId, replayed, operationId, idempotencyKey } };
  }
  const retryAfterMs = Number(/^\d{1,4}$/.exec(headers.get('retry-after') ?? '')?.[0] ?? 0) * 1000;
  const parsed = problem.safeParse(body);
  if (status < 400 || !parsed.success) return { kind: 'foreign', status, retryAfterMs };
  const { operation_id, session_id: sessionId, transaction_ids: transactionIds, ...rest } = parsed.data;
  return {
    kind: 'problem',
    refusal: { ...rest, status, requestId, operationId: operation_id ?? operationId, sessionId, transactionIds },
    retryAfterMs,
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { z } from 'zod';
import type { Refusal, Request } from './errors.ts';
import type { Settings } from './settings.ts';

/** One request to the relay. `path` is the route with its ids. */
export type Outgoing = Request & { path: string; body?: string };

/** What the headers of an answer tell beside it. */
export type Meta = {
  /** Names this answer in the relay's log. */
  requestId: string | undefined;
  /** Whether this is the first answer given again, because the key was used before. */
  replayed: boolean;
  /** `operations.get` tells more of the operation with this id. */
  operationId: string | undefined;
  /** The key that the POST was sent with. */
  idempotencyKey: string | undefined;
};

/** How one try ended. `retryAfterMs` is the relay's wish. */
export type Exchange =
  | { kind: 'answer'; status: number; body: unknown; meta: Meta }
  | { kind: 'problem'; refusal: Refusal; retryAfterMs: number }
  | { kind: 'foreign'; status: number; retryAfterMs: number }
  | { kind: 'none'; cause: unknown };

/** As much of RFC 9457 as is needed; whatever else a problem carries is left alone. */
const problem = z.object({
  code: z.string().regex(/^\w{1,100}$/),
  title: z.string(),
  detail: z.string().default(''),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
  operation_id: z.string().optional(),
  session_id: z.string().optional(),
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
      // The relay redirects none of these; another server must not get the key.
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
  const told = problem.safeParse(body);
  if (status < 400 || !told.success) return { kind: 'foreign', status, retryAfterMs };
  const { operation_id, session_id: sessionId, ...rest } = told.data;
  return {
    kind: 'problem',
    refusal: { ...rest, status, requestId, operationId: operation_id ?? operationId, sessionId },
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

import { isObject } from '../../../shared/checkout/is-object.ts';
import type { PayAnswer } from '../../../shared/checkout/pay.ts';
import type { FieldError } from '../../../shared/checkout/problem.ts';
import type { ProblemCode } from '../../../shared/checkout/problem-codes.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import type { ShopperAction } from '../state.ts';

/** The answer to a request. `lost`: no answer came, or an unreadable one, so the outcome of the request is unknown. */
export type Answer<Body> =
  | { kind: 'ok'; body: Body }
  | { kind: 'problem'; status: number; code: ProblemCode | string; errors: readonly FieldError[] }
  | { kind: 'lost' };

/** The requests that the form makes. */
export type Api = {
  load(): Promise<Answer<CheckoutView>>;
  /** `key` is the idempotency key: the relay makes the payment once, even if the request is sent again. */
  pay(body: object, key: string): Promise<Answer<PayAnswer>>;
  /** Sends the shopper's action: they paid at the issuer's page, or abandon the payment. Repeating it changes nothing. */
  act(what: ShopperAction): Promise<Answer<CheckoutView>>;
  removeCard(token_id: string): Promise<Answer<CheckoutView>>;
};

const LOAD_TIMEOUT_MS = 15_000;
const PAY_TIMEOUT_MS = 60_000;

/** Sends requests to the relay that served the page. `secret` is the session's client secret. Never throws. */
export function createApi(secret: string, fetch: typeof globalThis.fetch, base = '/checkout/api'): Api {
  const authorization = `Bearer ${secret}`;
  const change = (path: string, body: object) =>
    ask(() => {
      const headers = { authorization, 'content-type': 'application/json' };
      return fetch(`${base}/${path}`, within(LOAD_TIMEOUT_MS, { method: 'POST', headers, body: JSON.stringify(body) }));
    }, isView);
  return {
    load: () => ask(() => fetch(`${base}/session`, within(LOAD_TIMEOUT_MS, { headers: { authorization } })), isView),
    pay: (body, key) =>
      ask(() => {
        const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': key };
        return fetch(`${base}/pay`, within(PAY_TIMEOUT_MS, { method: 'POST', headers, body: JSON.stringify(body) }));
      }, isPayAnswer),
    act: (what) => change(what, {}),
    removeCard: (token_id) => change('remove-card', { token_id }),
  };
}

/** A key for a new attempt to pay. */
export function newKey(): string {
  return String(crypto.getRandomValues(new Uint32Array(4)));
}

async function ask<Body>(send: () => Promise<Response>, fits: (body: unknown) => body is Body): Promise<Answer<Body>> {
  try {
    const response = await send();
    const body: unknown = await response.json();
    if (response.ok) return fits(body) ? { kind: 'ok', body } : { kind: 'lost' };
    if (!isObject(body) || typeof body.code !== 'string') return { kind: 'lost' };
    const errors = Array.isArray(body.errors) ? body.errors.filter(isFieldError) : [];
    return { kind: 'problem', status: response.status, code: body.code, errors };
  } catch {
    return { kind: 'lost' };
  }
}

function within(ms: number, init: RequestInit): RequestInit {
  return { ...init, cache: 'no-store', credentials: 'same-origin', redirect: 'error', signal: timeout(ms) };
}

/** A browser without AbortSignal.timeout waits as long as its network does. */
function timeout(ms: number): AbortSignal | null {
  return AbortSignal.timeout?.(ms) ?? null;
}

function isFieldError(value: unknown): value is FieldError {
  return isObject(value) && typeof value.path === 'string';
}

// The answers come from the relay itself, so their kind is checked, not every field.
function isPayAnswer(value: unknown): value is PayAnswer {
  return isObject(value) && /^(approved|declined|redirect|pending|unknown)$/.test(String(value.status));
}

function isView(value: unknown): value is CheckoutView {
  return (
    isObject(value) &&
    typeof value.status === 'string' &&
    typeof value.amount === 'string' &&
    Array.isArray(value.methods)
  );
}

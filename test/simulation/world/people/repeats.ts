import type { Step } from '../../steps.ts';
import { keyOf } from '../config.ts';
import type { HttpAnswer, HttpRequest } from '../http/wire.ts';
import { nameIn } from '../orders.ts';
import type { Request } from '../owner.ts';
import type { Scene } from '../scene.ts';

/** The first request of a shop under a key. */
type Keyed = { http: HttpRequest; request: Request; at: number; isKept: boolean };

/** A little less than an idempotency key is kept. */
const KEY_LIFE_MS = 6 * 86_400_000;

/** The key of a request, with the account and the route that it belongs to. */
export function keyIn({ headers, path }: HttpRequest): string | undefined {
  const key = headers['Idempotency-Key'];
  return key === undefined ? undefined : `${headers.Authorization} ${path} ${key}`;
}

/** Whether a key keeps an answer: one with a known outcome. */
export function isKept({ path }: HttpRequest, { status, text }: HttpAnswer): boolean {
  // A refused refund may be carried out nevertheless.
  if (status >= 400) return JSON.parse(text).code === 'gateway_refused' && !/\/refund$/.test(path);
  const { status: outcome } = JSON.parse(text);
  return outcome !== 'unknown' && outcome !== 'pending';
}

/**
 * Whether a request is a person's decision, about a session, an operation or webhooks, and not a request of the shop
 * itself.
 */
export function isDecision({ path }: HttpRequest): boolean {
  return /\/(settle|expire|redeliver|acknowledge)$/.test(path);
}

/** Shops that repeat requests under a key, with the same body or with another one. */
export function createRepeats({ world, relays, sessions }: Scene): {
  ask(step: Extract<Step, { do: 'repeat request' | 'repeat decision' }>, at: number): void;
} {
  const { clock } = world;
  const asked = new Map<string, Keyed>();
  relays.watch((http, { request }) => {
    const key = keyIn(http);
    if (key === undefined) return undefined;
    const one = asked.get(key) ?? { http, request, at: clock.now(), isKept: false };
    asked.set(key, one);
    return (answer) => {
      if (answer && isKept(http, answer)) one.isKept = true;
    };
  });

  const repeat = async ({ http, request, at, isKept }: Keyed, isOther: boolean, relay: number): Promise<void> => {
    if (clock.now() - at > KEY_LIFE_MS || (isOther && !isKept)) return;
    const name = `${request.name} ${isOther ? 'with another body' : 'again'}`;
    const again = { ...request, name, ...(request.fate ? { fate: { ...request.fate, unstored: 0 } } : {}) };
    const told = await relays.request(relay, again, isOther ? { ...http, body: otherBody(http) } : http);
    if (told.kind !== 'answered') return;
    const { id, order_no } = told.body;
    if (typeof id !== 'string' || typeof order_no !== 'string') return;
    const account = http.headers.Authorization === `Bearer ${keyOf({ id: 'other' })}` ? 'other' : 'demo';
    const own = nameIn(account, order_no);
    if (!sessions.some((session) => session.id === id)) sessions.push({ id, order_no: own });
  };

  return {
    ask(step, relay) {
      const { back, later } = step;
      const isOther = step.do === 'repeat request' && step.isOther;
      const all = [...asked.values()].filter(({ http }) => isDecision(http) === (step.do === 'repeat decision'));
      const one = all.at(-1 - (back % Math.max(1, all.length)));
      if (one) clock.at(clock.now() + later, () => void repeat(one, isOther, relay));
    },
  };
}

/** The body with another amount, of the order or of each item; without an amount, with another note. */
function otherBody({ body = '{}' }: HttpRequest): string {
  const other = body.replaceAll(/"((?:refund_|payment_)?amount)":"\d+/g, '"$1":"7');
  return other === body ? JSON.stringify({ ...JSON.parse(body), metadata: { note: 'other' } }) : other;
}

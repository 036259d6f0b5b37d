import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { ClientRequest, ShopperVisit } from '../../../bench/failover/shoppers.ts';
import {
  createClient,
  OutcomeUnknown,
  type PaymentAnswer,
  RelayAnswerUnusable,
  RelayRefused,
  RelayUnreachable,
  TurnpikeError,
} from '../../../client/index.ts';
import { failureCode } from '../../../shared/api/failure-code.ts';

/** One request, with the code of its problem or failure. */
export type Try = ClientRequest & { code?: string };

/** Shops' servers under load: their requests, and the state that they know of each order. */
export type Clients = {
  tries: readonly Try[];
  visits: readonly ShopperVisit[];
  /** The errors that the client threw, after its own repetitions. */
  failures: readonly { kind: string; at: number; code: string }[];
  /** Sets the API key of later requests. */
  use(apiKey: string): void;
  /** Waits until all calls have ended. No new call begins until the returned function is called. */
  pause(): Promise<() => void>;
  /** Sends a request that is not in `tries`. */
  get(kind: string, path: string): Promise<{ status: number; text: string }>;
  /** Starts no more orders, and waits until all orders have ended. */
  stop(): Promise<void>;
};

const PAUSE_MS = 50;

/** A call with a temporary error is repeated for this long, under the same idempotency key. */
const REPEAT_MS = 120_000;

const AMOUNTS = { currency: 'BRL', amount: '129.90' };
const CARD = {
  ...{ card: '4111111111111111', expiration_month: '12', expiration_year: '2030', security_code: '737' },
  ...{ first_name: 'Ada', last_name: 'Byron' },
};
const REFUND = { amount: '29.90', reason: 'One of two teas was sold out.' };

const body = z.object({ code: z.string().optional(), status: z.union([z.string(), z.number()]).optional() });
const UNSETTLED: readonly string[] = ['processing', 'unknown', 'redirected', 'pending'];

/** Starts `count` clients. Each pays one order after the other, and refunds a part of each. */
export function startClients(url: string, apiKey: string, count = 4): Clients {
  const tries: Try[] = [];
  const visits: ShopperVisit[] = [];
  const failures: { kind: string; at: number; code: string }[] = [];
  let key = apiKey;
  let isStopping = false;
  let gate = Promise.resolve();
  const calls = new Set<Promise<unknown>>();

  const counted = async (address: string, init: RequestInit): Promise<Response> => {
    const at = performance.now();
    const kind = kindOf(new URL(address).pathname);
    const add = (status: number, more: Partial<Try> = {}): void =>
      void tries.push({ kind, at, ms: performance.now() - at, status, retryAfter: false, ...more });
    try {
      const response = await fetch(address, init);
      const text = await response.text();
      const { status, headers } = response;
      const read = body.safeParse(jsonOf(text)).data;
      const isReplay = headers.get('idempotency-replayed') === 'true';
      const isPayment = kind === 'pay' && status === 200 && !isReplay;
      add(status, {
        retryAfter: headers.has('retry-after'),
        ...(isReplay && { kind: `${kind} again` }),
        ...(read?.code && { code: read.code }),
        ...(isPayment && typeof read?.status === 'string' && { paid: read.status }),
      });
      return new Response(text, { status, headers });
    } catch (error) {
      add(0, { code: failureCode(error) ?? 'no answer' });
      throw error;
    }
  };
  const newClient = () => createClient({ url, apiKey: key, fetch: counted });
  let client = newClient();

  /** Repeats a call until it succeeds, fails for good, or the time is over. Returns the last answer or error. */
  const untilFinal = async <Answer>(kind: string, call: () => Promise<Answer>): Promise<Answer | TurnpikeError> => {
    for (const start = performance.now(); ; await setTimeout(PAUSE_MS)) {
      await gate;
      const at = performance.now();
      const made = call().catch((error: unknown) => {
        if (error instanceof TurnpikeError) return error;
        throw error;
      });
      calls.add(made);
      const answer = await made.finally(() => calls.delete(made));
      if (!(answer instanceof TurnpikeError)) return answer;
      failures.push({ kind, at, code: codeOf(answer) });
      if (!isTemporary(answer) || performance.now() - start > REPEAT_MS) return answer;
    }
  };

  const pay = async (visited: ShopperVisit): Promise<void> => {
    const { order_no } = visited;
    const idempotencyKey = randomUUID();
    const order = { order_no, ...AMOUNTS, ...CARD };
    const create = () => client.payments.create(order, { idempotencyKey });
    const paid = await untilFinal<PaymentAnswer>('pay', create);
    if (paid instanceof TurnpikeError) {
      visited.session = paid instanceof RelayRefused ? paid.sessionId : undefined;
      return;
    }
    [visited.session, visited.paid] = [paid.id, paid.status];
    for (const start = performance.now(); visited.paid !== 'approved'; await setTimeout(PAUSE_MS * 4)) {
      const session = await untilFinal('read', () => client.sessions.get(paid.id));
      if (session instanceof TurnpikeError) return;
      visited.paid = session.status;
      if (!UNSETTLED.includes(session.status) || performance.now() - start > REPEAT_MS) break;
    }
    const again = await untilFinal<PaymentAnswer>('pay again', create);
    if (!(again instanceof TurnpikeError) && again.id !== paid.id) visited.differing.push('payment');
  };

  const visit = async (): Promise<void> => {
    const order_no = randomUUID();
    const visited: ShopperVisit = { order_no, differing: [] };
    visits.push(visited);
    await pay(visited);
    if (visited.paid !== 'approved') return;
    const idempotencyKey = randomUUID();
    const refund = await untilFinal('refund', () => client.orders.refund(order_no, REFUND, { idempotencyKey }));
    const status = refund instanceof OutcomeUnknown ? 409 : refund instanceof TurnpikeError ? 0 : 200;
    visited.refund = { key: idempotencyKey, body: '', status };
  };

  const shop = async (): Promise<void> => {
    for (; !isStopping; await setTimeout(PAUSE_MS)) await visit();
  };
  const all = Promise.all(Array.from({ length: count }, shop));
  // An exception must not end the process before everything is closed, so `stop` rejects with it later.
  all.catch(() => undefined);
  return {
    tries,
    visits,
    failures,
    use(apiKey) {
      key = apiKey;
      client = newClient();
    },
    async pause() {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      while (calls.size > 0) await Promise.all(calls);
      return held.resolve;
    },
    async get(_kind, path) {
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } }).catch(
        () => undefined,
      );
      return { status: answer?.status ?? 0, text: (await answer?.text().catch(() => '')) ?? '' };
    },
    async stop() {
      isStopping = true;
      await all;
    },
  };
}

function kindOf(path: string): string {
  if (path.endsWith('/refund')) return 'refund';
  return path === '/v1/payments' ? 'pay' : 'read';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the same call may succeed later. */
function isTemporary(error: TurnpikeError): boolean {
  if (error instanceof RelayRefused) return error.status === 503 || error.code === 'in_progress';
  return error instanceof RelayUnreachable || (error instanceof RelayAnswerUnusable && error.status >= 500);
}

function codeOf(error: TurnpikeError): string {
  if (error instanceof RelayUnreachable) return error.reason ?? error.code;
  if (error instanceof RelayRefused) return `${error.status} ${error.code}`;
  return error instanceof RelayAnswerUnusable ? `${error.status} of the proxy` : error.code;
}

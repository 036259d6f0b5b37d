import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import { until } from '../../test/support/time/until.ts';
import { payRequest, sessionBody } from '../harness/payment.ts';

/**
 * One request of a client, which began at `at`, in milliseconds of `performance.now()`. `status` is 0 if the connection failed;
 * `paid` is the status of the session in the answer to a payment.
 */
export type ClientRequest = {
  kind: string;
  at: number;
  ms: number;
  status: number;
  retryAfter: boolean;
  paid?: string;
};

/** One visit of a shopper: a session, its payment, a refund, and the same requests once more. */
export type ShopperVisit = {
  order_no: string;
  session?: string;
  /** The last known status of the session; undefined if no answer contained it. */
  paid?: string;
  transaction_id?: string;
  /** The refund's request with its key, and the status of its answer. */
  refund?: { key: string; body: string; status: number };
  /** Repeated requests that got a different answer. */
  differing: string[];
};

const createdSession = z.object({ id: z.string(), client_secret: z.string() });
/** The fields of a session that are read. */
export const sessionState = z.object({ status: z.string(), transaction_id: z.string().optional() });

const PAUSE_MS = 50;
const MAX_MS = 60_000;
const ended = new Set(['approved', 'declined', 'failed', 'expired']);

/** Starts shoppers with their shop, who make one visit after another at this address. */
export function startShoppers(url: string, count: number) {
  // With HTTP/1.1 a broken connection affects only one request.
  const pool = new Pool(url, { connections: count * 2, allowH2: false });
  const requests: ClientRequest[] = [];
  const visits: ShopperVisit[] = [];
  const unanswered = new Set<{ at: number }>();
  let isStopping = false;
  let number = 0;

  const send = async (kind: string, path: string, request: { headers?: object; body?: string } = {}) => {
    const at = performance.now();
    const pending = { at };
    unanswered.add(pending);
    const method = request.body === undefined ? 'GET' : 'POST';
    const answer = await pool
      .request({
        path,
        method,
        headers: { authorization: 'Bearer bench', ...request.headers },
        ...(request.body === undefined ? {} : { body: request.body }),
      })
      .then(async ({ statusCode, headers, body }) => ({ status: statusCode, headers, text: await body.text() }))
      .catch(() => ({ status: 0, headers: {} as Record<string, unknown>, text: '' }));
    unanswered.delete(pending);
    const retryAfter = answer.headers['retry-after'] !== undefined;
    const ms = performance.now() - at;
    const paid = kind === 'pay' ? stateIn(answer)?.status : undefined;
    requests.push({ kind, at, ms, status: answer.status, retryAfter, paid });
    return answer;
  };

  /** Repeats a request until the answer is not "try again later", for a minute at most. */
  const persist = async (kind: string, path: string, request: { headers?: object; body?: string } = {}) => {
    const start = performance.now();
    for (;;) {
      const answer = await send(kind, path, request);
      const isLater =
        answer.status === 0 || answer.status === 503 || (answer.status === 409 && /"in_progress"/.test(answer.text));
      if (!isLater || performance.now() - start > MAX_MS) return answer;
      await setTimeout(PAUSE_MS * 4);
    }
  };

  const json = (key: string) => ({ 'content-type': 'application/json', 'idempotency-key': key });

  /** Pays until the outcome is known. It pays again only if the relay says that the session is still open. */
  const pay = async (visit: ShopperVisit, secret: string): Promise<void> => {
    const start = performance.now();
    const { headers, body } = payRequest(++number);
    while (performance.now() - start < MAX_MS) {
      const answer = await send('pay', '/checkout/api/pay', {
        headers: { ...headers, authorization: `Bearer ${secret}` },
        body,
      });
      const state = stateIn(answer);
      visit.paid = state?.status;
      if (state && ended.has(state.status)) return;
      for (let isOpen = false; !isOpen && performance.now() - start < MAX_MS; await setTimeout(PAUSE_MS * 4)) {
        const truth = await persist('read', `/v1/sessions/${visit.session}`);
        const now = stateIn(truth);
        if (now && ended.has(now.status)) {
          visit.paid = now.status;
          return;
        }
        isOpen = now?.status === 'open';
      }
    }
  };

  const visit = async (): Promise<void> => {
    const order_no = randomUUID();
    const visited: ShopperVisit = { order_no, differing: [] };
    visits.push(visited);
    const creation = { headers: json(randomUUID()), body: JSON.stringify(sessionBody(order_no)) };
    const answer = await persist('session', '/v1/sessions', creation);
    const session = createdSession.safeParse(answer.status === 201 ? JSON.parse(answer.text) : {}).data;
    if (!session) {
      visited.differing.push(`session: ${answer.status} ${answer.text.slice(0, 200)}`);
      return;
    }
    visited.session = session.id;
    await pay(visited, session.client_secret);
    const again = await persist('session again', '/v1/sessions', creation);
    if (again.text !== answer.text) visited.differing.push('session');
    const truth = await persist('read', `/v1/sessions/${session.id}`);
    visited.transaction_id = stateIn(truth)?.transaction_id;
    if (visited.paid !== 'approved' || visited.transaction_id === undefined) return;
    const item = {
      transaction_id: visited.transaction_id,
      order_no,
      currency: 'BRL',
      amount: '129.90',
      refund_amount: '29.90',
    };
    const key = randomUUID();
    const refund = {
      headers: json(key),
      body: JSON.stringify({ refund_orders: [{ ...item, refund_reason: 'One of two teas was sold out.' }] }),
    };
    const refunded = await persist('refund', '/v1/refund', refund);
    visited.refund = { key, body: refund.body, status: refunded.status };
    const repeated = await persist('refund again', '/v1/refund', refund);
    if (refunded.status === 200 && repeated.text !== refunded.text) visited.differing.push('refund');
  };

  const shopper = async (): Promise<void> => {
    while (!isStopping) {
      await visit();
      await setTimeout(PAUSE_MS);
    }
  };
  const all = Promise.all(Array.from({ length: count }, shopper));
  return {
    requests,
    visits,
    send,
    /** Waits until every request that began before `time` is answered (milliseconds of `performance.now()`). */
    answered: (time: number) =>
      until('every earlier request is answered', () => [...unanswered].every(({ at }) => at >= time)),
    /** Starts no more visits, and waits until all visits have ended. */
    async stop() {
      isStopping = true;
      await all;
    },
    close: () => pool.close(),
  };
}

/** The state of a session in an answer; undefined if the answer has none. */
function stateIn({ status, text }: { status: number; text: string }): z.infer<typeof sessionState> | undefined {
  return sessionState.safeParse(status === 200 ? JSON.parse(text) : {}).data;
}

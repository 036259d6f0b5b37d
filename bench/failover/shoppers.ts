import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import { until } from '../../test/support/time/until.ts';
import { payRequest, sessionBody } from '../harness/payment.ts';

/**
 * One request as its client saw it, and when, in milliseconds of `performance.now()`. `status` is 0 where the connection failed;
 * `paid` is what the answer to a payment says that it became.
 */
export type Seen = { kind: string; at: number; ms: number; status: number; retryAfter: boolean; paid?: string };

/** One visit: a payment, its refund, and the same requests once more. */
export type Visited = {
  order_no: string;
  session?: string;
  /** What the relay said that the payment became; undefined where it was not told. */
  paid?: string;
  transaction_id?: string;
  /** The key of the refund's request, and how that ended. */
  refund?: { key: string; body: string; status: number };
  /** Repetitions that were answered differently. */
  differing: string[];
};

const created = z.object({ id: z.string(), client_secret: z.string() });
const state = z.object({ status: z.string(), transaction_id: z.string().optional() });

const PAUSE_MS = 50;
const MAX_MS = 60_000;
const ended = new Set(['approved', 'declined', 'failed', 'expired']);

/** So many shoppers with their shop, each of whom visits again and again, through one address. */
export function startShoppers(url: string, count: number) {
  // HTTP/1.1: a connection that breaks costs one request.
  const pool = new Pool(url, { connections: count * 2, allowH2: false });
  const seen: Seen[] = [];
  const visits: Visited[] = [];
  const unanswered = new Set<{ at: number }>();
  let isStopping = false;
  let number = 0;

  const send = async (kind: string, path: string, request: { headers?: object; body?: string } = {}) => {
    const at = performance.now();
    const asked = { at };
    unanswered.add(asked);
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
    unanswered.delete(asked);
    const retryAfter = answer.headers['retry-after'] !== undefined;
    const ms = performance.now() - at;
    const paid = kind === 'pay' ? stateIn(answer)?.status : undefined;
    seen.push({ kind, at, ms, status: answer.status, retryAfter, paid });
    return answer;
  };

  /** The same request until it is answered otherwise than with "later". */
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

  /** Pays until the session's state is known: again only where the relay says that the session is still open. */
  const pay = async (visit: Visited, secret: string): Promise<void> => {
    const start = performance.now();
    const { headers, body } = payRequest(++number);
    while (performance.now() - start < MAX_MS) {
      const answer = await send('pay', '/checkout/api/pay', {
        headers: { ...headers, authorization: `Bearer ${secret}` },
        body,
      });
      const told = stateIn(answer);
      visit.paid = told?.status;
      if (told && ended.has(told.status)) return;
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
    const visited: Visited = { order_no, differing: [] };
    visits.push(visited);
    const creation = { headers: json(randomUUID()), body: JSON.stringify(sessionBody(order_no)) };
    const answer = await persist('session', '/v1/sessions', creation);
    const session = created.safeParse(answer.status === 201 ? JSON.parse(answer.text) : {}).data;
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
    seen,
    visits,
    send,
    /** Waits until no request is under way that began before `time`, in milliseconds of `performance.now()`. */
    answered: (time: number) =>
      until('every earlier request is answered', () => [...unanswered].every(({ at }) => at >= time)),
    /** Lets every visit that has begun come to its end. */
    async stop() {
      isStopping = true;
      await all;
    },
    close: () => pool.close(),
  };
}

/** Where a session stands, as an answer tells it; undefined where it does not. */
function stateIn({ status, text }: { status: number; text: string }): z.infer<typeof state> | undefined {
  return state.safeParse(status === 200 ? JSON.parse(text) : {}).data;
}

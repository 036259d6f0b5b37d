import { setTimeout } from 'node:timers/promises';
import { compareBooks } from '../../../bench/failover/books.ts';
import { type ShopperVisit, sessionState } from '../../../bench/failover/shoppers.ts';
import type { ReceivedWebhook } from '../../../bench/failover/webhooks.ts';
import type { Gateway } from '../../../sandbox/gateway/gateway.ts';
import { orderDetail } from '../../../shared/api/order.ts';
import type { Clients } from './clients.ts';

/**
 * What was lost or made twice. `waiting` are refunds of unknown outcome, which a person decides; `replays` are repetitions that were made
 * anew, because their first request was not sent.
 */
export type Verdict = { wrong: string[]; waiting: string[]; replays: string[] };

type Books = Pick<Gateway, 'payments' | 'books'>;

/** How long outcomes and webhooks may take after the load. */
const SETTLED_MS = 120_000;
const PAUSE_MS = 200;

/**
 * Compares what clients know with the books of the gateway, the relay and the shop, once they are settled. An order that a client
 * knows as approved, and each payment of the gateway, must be paid once in all of them.
 */
export async function verdictOf(
  gateway: Books,
  { visits, get }: Pick<Clients, 'visits' | 'get'>,
  received: readonly ReceivedWebhook[],
  withinMs = SETTLED_MS,
): Promise<Verdict> {
  const charges = Map.groupBy(gateway.payments.list(), ({ order }) => order.order_no);
  const charged = (order_no: string): number =>
    (charges.get(order_no) ?? []).filter(({ state }) => state.status === 'approved').length;
  const wrong: string[] = [];
  for (const { order_no, paid } of visits) {
    if (paid === 'approved' && charged(order_no) === 0) {
      wrong.push(`${order_no} is approved for the client and not charged at the gateway`);
    }
  }
  const sessions: ShopperVisit[] = [];
  // One at a time: many at once would be a load of their own.
  for (const visit of visits) {
    if (charged(visit.order_no) === 0) sessions.push(visit);
    else sessions.push({ ...visit, session: await payingSession(visit, get, withinMs) });
  }
  for (const { session, order_no } of sessions) {
    if (session === undefined && charged(order_no) > 0) {
      wrong.push(`${order_no} is charged at the gateway and not paid in the relay`);
    }
  }
  const compared = await compareBooks(gateway, sessions, received, get, withinMs);
  const { lost, twice, webhooks, replays, waiting, unsettled } = compared;
  if (unsettled > 0) wrong.push(`${unsettled} payments are not settled`);
  return { wrong: [...wrong, ...lost, ...twice, ...webhooks], waiting, replays };
}

/** The session that paid an order, which may be another than the client's first; undefined if none has after `withinMs`. */
async function payingSession(
  { order_no, session }: ShopperVisit,
  get: Clients['get'],
  withinMs: number,
): Promise<string | undefined> {
  for (const end = performance.now() + withinMs; performance.now() < end; await setTimeout(PAUSE_MS)) {
    if (session !== undefined) {
      const { status, text } = await get('books', `/v1/sessions/${session}`);
      if (status === 200 && sessionState.parse(JSON.parse(text)).status === 'approved') return session;
    }
    const { status, text } = await get('books', `/v1/orders/${order_no}`);
    const { sessions = [] } = status === 200 ? orderDetail.parse(JSON.parse(text)) : {};
    const paid = sessions.find((one) => one.status === 'approved');
    if (paid) return paid.id;
  }
  return undefined;
}

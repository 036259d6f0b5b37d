import { setTimeout } from 'node:timers/promises';
import { compareBooks } from '../../../bench/failover/books.ts';
import { type ShopperVisit, sessionState } from '../../../bench/failover/shoppers.ts';
import type { ReceivedWebhook } from '../../../bench/failover/webhooks.ts';
import type { Gateway } from '../../../sandbox/gateway/gateway.ts';
import { orderDetail } from '../../../shared/api/order.ts';
import type { Clients } from './clients.ts';

/**
 * The result of the comparison: `wrong` has everything that was lost or made twice, `waiting` the refunds of unknown outcome that a
 * person must decide, `replays` the repetitions with another answer, because their first request was never sent.
 */
export type Verdict = { wrong: string[]; waiting: string[]; replays: string[] };

type Books = Pick<Gateway, 'payments' | 'books'>;

/** The longest time that outcomes and webhooks may take after the load. */
const SETTLED_MS = 120_000;
const PAUSE_MS = 200;

/**
 * Compares the clients' orders with the books of the gateway, the relay and the shop, once these are settled. Each order that is
 * approved for a client, and each payment of the gateway, must be paid exactly once in all of them.
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
  // One after the other, because many requests at once would be a load of their own.
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

/** The session that paid an order, which may be a later one than the client's; undefined if there is none within `withinMs`. */
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

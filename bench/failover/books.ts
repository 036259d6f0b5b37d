import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { Gateway } from '../../sandbox/gateway/gateway.ts';
import { compareRefunds, type Get, reader, refundsOfRelay } from './refunds.ts';
import { type ShopperVisit, sessionState } from './shoppers.ts';
import { compareWebhooks, type ReceivedWebhook } from './webhooks.ts';

const orderAmounts = z.object({ refunded: z.string(), currency: z.string() });
const SETTLED = new Set(['open', 'approved', 'failed', 'expired']);
const MAX_MS = 90_000;

/**
 * The differences between the gateway's books, the relay and the shop; all should be empty. `waiting` are refunds whose outcome the
 * relay does not know, `replays` are repeated requests that got a different answer.
 */
type Differences = {
  lost: string[];
  twice: string[];
  waiting: string[];
  webhooks: string[];
  replays: string[];
  unsettled: number;
};

/**
 * Compares the gateway's books with the relay's sessions and refunds of every visit, and with the webhooks that the shop received.
 * A session, refund or webhook that is still missing after `withinMs` is a difference. Throws if no relay answers for that time.
 */
export async function compareBooks(
  { payments, books }: Pick<Gateway, 'payments' | 'books'>,
  visits: readonly ShopperVisit[],
  received: readonly ReceivedWebhook[],
  get: Get,
  withinMs = MAX_MS,
): Promise<Differences> {
  const found: Differences = { lost: [], twice: [], waiting: [], webhooks: [], replays: [], unsettled: 0 };
  const approved: string[] = [];
  const read = reader(get, withinMs);
  const operations = await refundsOfRelay(read, withinMs);
  const charges = Map.groupBy(payments.list(), ({ order }) => order.order_no);
  const refunded = Map.groupBy(books.refunds.list(), ({ payment }) => payment.order.order_no);
  for (const visit of visits) {
    const { order_no } = visit;
    found.replays.push(...visit.differing.map((what) => `${order_no}: ${what}`));
    const charged = (charges.get(order_no) ?? []).filter(({ state }) => state.status === 'approved');
    const made = refunded.get(order_no) ?? [];
    if (charged.length > 1) found.twice.push(`${order_no} is charged ${charged.length} times`);
    if (made.length > 1) found.twice.push(`${order_no} is refunded ${made.length} times`);
    if (visit.session === undefined) continue;
    const session = await settled(visit.session, get, withinMs);
    if (!session) {
      found.unsettled += 1;
      continue;
    }
    const isApproved = session.status === 'approved';
    if (isApproved !== charged.length > 0) {
      found.lost.push(
        `${order_no} is ${session.status} in the relay and charged ${charged.length} times at the gateway`,
      );
    } else if (isApproved && session.transaction_id !== charged[0]?.transaction_id) {
      found.lost.push(
        `${order_no} has transaction ${session.transaction_id} in the relay, which the gateway did not charge`,
      );
    }
    if (isApproved) approved.push(visit.session);
    const own = operations.get(order_no) ?? [];
    const refunds = compareRefunds({
      order_no,
      made,
      operations: own,
      ...(await read(`/v1/orders/${order_no}`, orderAmounts)),
    });
    found.lost.push(...refunds.lost);
    found.twice.push(...refunds.twice);
    found.waiting.push(...refunds.waiting);
    if (visit.refund?.status === 200 && own.length + made.length === 0) {
      found.lost.push(`${order_no} has a confirmed refund that is neither in the relay nor at the gateway`);
    }
  }
  const known = { approved, refunds: [...operations.values()].flat() };
  found.webhooks.push(...(await compareWebhooks(known, received, withinMs)));
  return found;
}

/** The state of a session once it is settled; undefined if it is not after `withinMs`. */
async function settled(session: string, get: Get, withinMs: number): Promise<z.infer<typeof sessionState> | undefined> {
  for (const end = performance.now() + withinMs; performance.now() < end; await setTimeout(200)) {
    const { status, text } = await get('settled', `/v1/sessions/${session}`);
    const read = sessionState.safeParse(status === 200 ? JSON.parse(text) : {}).data;
    if (read && SETTLED.has(read.status)) return read;
  }
  return undefined;
}

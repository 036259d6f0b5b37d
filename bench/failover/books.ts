import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { Gateway } from '../../sandbox/gateway/gateway.ts';
import type { Visited } from './shoppers.ts';

/** A webhook as the shop took it. */
export type ReceivedWebhook = { id: string; type: string; subject: string; body: string };

type Send = (
  kind: string,
  path: string,
  request?: { headers?: object; body?: string },
) => Promise<{ status: number; text: string }>;

const truth = z.object({ status: z.string(), transaction_id: z.string().optional() });
const SETTLED = new Set(['open', 'approved', 'failed', 'expired']);
const MAX_MS = 90_000;

/** What the gateway's books, the relay and the shop do not agree about. All of it should be empty. */
type Differences = { lost: string[]; twice: string[]; webhooks: string[]; replays: string[]; unsettled: number };

/** Compares the gateway's books with what the relay says of every visit and with the webhooks that the shop took. */
export async function compareBooks(
  gateway: Gateway,
  visits: readonly Visited[],
  told: readonly ReceivedWebhook[],
  send: Send,
): Promise<Differences> {
  const found: Differences = { lost: [], twice: [], webhooks: [], replays: [], unsettled: 0 };
  const charges = Map.groupBy(gateway.payments.list(), ({ order }) => order.order_no);
  const refunds = Map.groupBy(gateway.books.refunds.list(), ({ payment }) => payment.order.order_no);
  for (const visit of visits) {
    found.replays.push(...visit.differing.map((what) => `${visit.order_no}: ${what}`));
    const charged = (charges.get(visit.order_no) ?? []).filter(({ state }) => state.status === 'approved');
    const refunded = refunds.get(visit.order_no) ?? [];
    if (charged.length > 1) found.twice.push(`${visit.order_no} is charged ${charged.length} times`);
    if (refunded.length > 1) found.twice.push(`${visit.order_no} is refunded ${refunded.length} times`);
    if (visit.session === undefined) continue;
    const session = await settled(visit.session, send);
    if (!session) {
      found.unsettled += 1;
      continue;
    }
    const isApproved = session.status === 'approved';
    if (isApproved !== charged.length > 0) {
      found.lost.push(`${visit.order_no} is ${session.status} here and charged ${charged.length} times there`);
    }
    if (isApproved && session.transaction_id !== charged[0]?.transaction_id) {
      found.lost.push(`${visit.order_no} has transaction ${session.transaction_id} here`);
    }
    if (visit.refund?.status === 200 && refunded.length !== 1) {
      found.lost.push(`${visit.order_no} was told of a refund that the gateway does not have`);
    }
    if (isApproved) await compareWebhooks(visit.session, told, found);
  }
  for (const [id, same] of Map.groupBy(told, (one) => one.id)) {
    if (new Set(same.map(({ body }) => body)).size > 1) found.webhooks.push(`${id} had several bodies`);
  }
  return found;
}

/** One event tells that a session is approved, however often it was delivered. */
async function compareWebhooks(session: string, told: readonly ReceivedWebhook[], found: Differences): Promise<void> {
  const end = performance.now() + MAX_MS;
  const ids = (): Set<string> =>
    new Set(told.flatMap(({ id, type, subject }) => (subject === session && type === 'session.approved' ? [id] : [])));
  while (ids().size === 0 && performance.now() < end) await setTimeout(50);
  if (ids().size !== 1) found.webhooks.push(`${session} is told to be approved by ${ids().size} events`);
}

async function settled(session: string, send: Send): Promise<z.infer<typeof truth> | undefined> {
  for (const end = performance.now() + MAX_MS; performance.now() < end; await setTimeout(200)) {
    const { status, text } = await send('settled', `/v1/sessions/${session}`);
    const read = truth.safeParse(status === 200 ? JSON.parse(text) : {}).data;
    if (read && SETTLED.has(read.status)) return read;
  }
  return undefined;
}

import { auditList } from '../../shared/api/audit.ts';
import { eventList } from '../../shared/api/event.ts';
import { orderList, orderWithTimeline } from '../../shared/api/order.ts';
import { lastWaiting, orderNo, type Span } from '../filled-store/copies.ts';
import { LONG_ORDER } from '../filled-store/sample-orders.ts';
import type { Person } from '../harness/person.ts';

/** Ids and times that requests can ask for, from all parts of the filled store. */
export type Samples = {
  orders: readonly string[];
  /** The order with the longest timeline. */
  long: string;
  transactions: readonly string[];
  operations: readonly string[];
  /** Times spread over the days of the store, in milliseconds. */
  moments: readonly number[];
  /** Ids of webhooks and of entries of the audit log. */
  events: readonly string[];
  entries: readonly number[];
};

/** The number of times. */
const PLACES = 40;
const DAY_MS = 86_400_000;

/** Reads samples from the relay, as a person who is signed in to its console. */
export async function readSamples(person: Person, { blocks, days, now }: Span): Promise<Samples> {
  const moments = Array.from({ length: PLACES }, (_, at) => now - Math.round(((at + 0.5) / PLACES) * days * DAY_MS));
  const pages = [];
  for (const moment of moments) {
    const path = `/v1/orders?limit=5&created_to=${new Date(moment).toISOString()}`;
    pages.push(orderList.parse(JSON.parse(await person.get(path))).orders);
  }
  const found = pages.flat();
  const orders = found.map(({ order_no }) => order_no);
  const webhooks: string[] = [];
  for (const order of orders.filter((_, at) => at % 5 === 0)) {
    const { timeline } = orderWithTimeline.parse(JSON.parse(await person.get(`/v1/orders/${order}`)));
    webhooks.push(...timeline.flatMap((entry) => (entry.type === 'webhook' ? [entry.id] : [])));
  }
  const [newest] = auditList.parse(JSON.parse(await person.get('/v1/audit?limit=1'))).entries;
  const last = Number(newest?.id ?? 0);
  const entries = moments.map((_, at) => Math.max(1, Math.round(last * (1 - (at + 0.5) / PLACES))));
  const operations: string[] = [];
  for (const entry of entries) {
    const page = auditList.parse(JSON.parse(await person.get(`/v1/audit?limit=5&before=${entry}`)));
    operations.push(...page.entries.flatMap(({ subject }) => (subject?.startsWith('op_') ? [subject] : [])));
  }
  if (eventList.parse(JSON.parse(await person.get('/v1/events?status=failed'))).events.length === 0)
    throw new TypeError('no webhook failed');
  return {
    orders,
    long: orderNo(LONG_ORDER, lastWaiting(blocks)),
    transactions: found.flatMap(({ transaction_id }) => transaction_id ?? []),
    ...{ operations, moments, events: webhooks, entries },
  };
}

import { type EndpointAnswer, MAX_COUNTED } from '../../shared/api/endpoint.ts';
import type { Endpoint } from '../config/endpoints.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import type { Delivery, OutboxEvent, Pending } from '../store/facets/outbox.ts';

/** The endpoints of an account, each with the state of its deliveries. The work is bounded. Throws StoreError. */
export async function endpointAnswers(
  { store }: Context,
  { id: account, webhooks }: Account,
): Promise<EndpointAnswer[]> {
  if (webhooks.length === 0) return [];
  const [failed, newest] = await Promise.all([
    store.outbox.list({ account, status: 'failed', limit: MAX_COUNTED }),
    store.outbox.list({ account, limit: MAX_COUNTED }),
  ]);
  return Promise.all(
    webhooks.map(async (endpoint) => {
      const waiting = await store.outbox.waiting({ account, endpoint: endpoint.id }, MAX_COUNTED);
      return endpointAnswer(endpoint, { waiting, failed, newest });
    }),
  );
}

function endpointAnswer(
  { id, url, events }: Endpoint,
  known: { waiting: readonly Pending[]; failed: readonly OutboxEvent[]; newest: readonly OutboxEvent[] },
): EndpointAnswer {
  const { waiting, failed, newest } = known;
  const failing = failingLongest(waiting);
  const delivered_at = deliveriesTo(id, newest)
    .flatMap((delivery) => (delivery.status === 'delivered' ? [delivery.delivered_at] : []))
    .toSorted()
    .at(-1);
  return {
    ...{ id, url, ...(events ? { events: [...events] } : {}) },
    waiting: waiting.length,
    failed: deliveriesTo(id, failed).filter(({ status }) => status === 'failed').length,
    ...(failing ? { failing } : {}),
    ...(delivered_at === undefined ? {} : { delivered_at }),
  };
}

function failingLongest(waiting: readonly Pending[]): EndpointAnswer['failing'] {
  return waiting
    .flatMap(({ first_try_at: since, fault, next_try_at }) => (since && fault ? [{ since, fault, next_try_at }] : []))
    .toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since))[0];
}

function deliveriesTo(id: string, events: readonly OutboxEvent[]): Delivery[] {
  return events.flatMap(({ deliveries }) =>
    deliveries.flatMap(({ endpoint, delivery }) => (endpoint === id ? [delivery] : [])),
  );
}

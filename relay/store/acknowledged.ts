import type { Delivery, OutboxEvent } from './event.ts';
import type { Acknowledged } from './store.ts';

/** The delivery of an event that somebody acknowledges; or why it is not to be written. */
export function acknowledging(
  event: OutboxEvent | undefined,
  by: string,
  acknowledged_at: string,
): { kind: 'write'; event: OutboxEvent; delivery: Delivery } | Acknowledged {
  if (!event) return { kind: 'not_found' };
  const { delivery } = event;
  switch (delivery.status) {
    case 'acknowledged':
      return { kind: 'acknowledged', event };
    case 'failed':
      return { kind: 'write', event, delivery: { ...delivery, status: 'acknowledged', acknowledged_at, by } };
    case 'pending':
    case 'delivered':
      return { kind: 'not_failed' };
  }
}

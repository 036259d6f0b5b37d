import type { EventAnswer } from '../api/event.ts';

/** Why the last try to deliver a webhook failed, by the relay's fault codes; undefined if it did not fail. */
export function deliveryFault(delivery: EventAnswer['delivery']): string | undefined {
  switch (delivery.status) {
    case 'pending':
      return delivery.fault;
    case 'failed':
    case 'acknowledged':
      return delivery.reason;
    case 'delivered':
    case 'kept':
      return undefined;
  }
}

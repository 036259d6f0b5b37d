import type { EventAnswer } from '../api/event.ts';

/** Why the last try to deliver a webhook failed, in the relay's words; undefined if it did not. */
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

import type { EventAnswer, EventType } from '../../shared/api/event.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { deliveryFault } from '../../shared/webhooks/delivery-fault.ts';
import type { Tone } from '../parts/state.tsx';

type DeliveryStatus = EventAnswer['delivery']['status'];

/** How a delivery's status looks. */
export const tones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'busy',
  delivered: 'good',
  failed: 'bad',
  acknowledged: 'quiet',
};

export const statuses = ['pending', 'delivered', 'failed', 'acknowledged'] as const satisfies readonly DeliveryStatus[];

const named: Readonly<Record<EventType, true>> = {
  'session.approved': true,
  'session.declined': true,
  'session.redirected': true,
  'session.pending': true,
  'session.unknown': true,
  'session.failed': true,
  'session.expired': true,
  'session.paid_twice': true,
  'notification.received': true,
  'operation.completed': true,
  'operation.unknown': true,
  'operation.settled': true,
  'payout.updated': true,
  'payout.notified': true,
};

/** Whether a text names a type of webhook that the relay can filter by. */
export const isEventType = (text: string): text is EventType => Object.hasOwn(named, text);

export const types = Object.keys(named).filter(isEventType);

/** Why the last try failed, where it did: `HTTP 410`, or the relay's name for it. */
export function faultOf({ delivery }: EventAnswer): string | undefined {
  return deliveryFault(delivery)
    ?.replace(/^http_/, 'HTTP ')
    .replaceAll('_', ' ');
}

/** The orders that a webhook tells of: by itself, or by its fields, records or items. */
export function ordersOf({ data }: EventAnswer): string[] {
  const parts = [data, data.fields, ...listIn(data.records), ...listIn(data.items)];
  const names = parts.map((one) => (isObject(one) ? one.order_no : undefined));
  return [...new Set(names)].filter((name) => typeof name === 'string');
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

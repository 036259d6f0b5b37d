import { useEffect } from 'preact/hooks';
import type { EventAnswer } from '../../shared/api/event.ts';
import type { EventType } from '../../shared/api/webhook.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { deliveryFault } from '../../shared/webhooks/delivery-fault.ts';
import { Link, useApp } from '../app/app.tsx';
import { useAction } from '../intent/use-intent.ts';
import { Fault, type Tone } from '../parts/state.tsx';
import { Foreign } from '../parts/text.tsx';
import type { Reading } from '../parts/use-answer.ts';

/** The orders and the operation of a webhook. */
export function About({ event }: { event: EventAnswer }) {
  const { words } = useApp();
  return (
    <span class="links">
      {ordersOf(event).map((orderNo) => (
        <Link key={orderNo} to={{ page: 'order', orderNo }} class="over">
          <Foreign text={orderNo} />
        </Link>
      ))}
      {event.subject.startsWith('op_') && (
        <Link to={{ page: 'operation', id: event.subject }} class="over">
          {words.operation.id}
        </Link>
      )}
    </span>
  );
}

type Props = { event: EventAnswer; isPlain: boolean; onChanged: () => Promise<void> };

/** Sends a webhook again, or marks a failed one as resolved. */
export function Actions({ event: { id, delivery }, isPlain, onChanged }: Props) {
  const { api, words, may } = useApp();
  const redeliver = useAction((key) => api.redeliver(id, key), onChanged);
  const acknowledge = useAction((key) => api.acknowledge(id, key), onChanged);
  const fault = redeliver.fault ?? acknowledge.fault;
  if (!may('events') || delivery.status === 'pending') return null;
  const button = (text: string, { isSending, run }: typeof redeliver) => (
    <button type="button" class={isPlain ? 'plain over' : undefined} aria-disabled={isSending} onClick={run}>
      {text}
    </button>
  );
  return (
    <div class="actions">
      {button(words.order.redeliver, redeliver)}
      {delivery.status === 'failed' && button(words.webhooks.acknowledge, acknowledge)}
      <Fault text={fault} />
    </div>
  );
}

const MIN_MS = 3000;
const MAX_MS = 60_000;

/** Reads the list again soon after a waiting webhook is due: deliveries cause no change event. */
export function useDeliveries(events: readonly EventAnswer[], { again, isReading }: Reading<unknown>): void {
  const due = Math.min(
    ...events.map(({ delivery }) =>
      delivery.status === 'pending' ? Date.parse(delivery.next_try_at) : Number.POSITIVE_INFINITY,
    ),
  );
  useEffect(() => {
    if (isReading || due === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => void again(), Math.min(Math.max(due - Date.now() + 1000, MIN_MS), MAX_MS));
    return () => clearTimeout(timer);
  }, [due, isReading, again]);
}

type DeliveryStatus = EventAnswer['delivery']['status'];

/** The tone of a delivery's status. */
export const tones: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'busy',
  delivered: 'good',
  failed: 'bad',
  acknowledged: 'quiet',
  kept: 'quiet',
};

export const statuses = [
  'pending',
  'delivered',
  'failed',
  'acknowledged',
  'kept',
] as const satisfies readonly DeliveryStatus[];

const named: Readonly<Record<EventType, true>> = {
  'session.approved': true,
  'session.declined': true,
  'session.redirected': true,
  'session.pending': true,
  'session.unknown': true,
  'session.failed': true,
  'session.expired': true,
  'session.paid_twice': true,
  'saved_card.removed': true,
  'payment.ready': true,
  'payment.held': true,
  'payment.accepted': true,
  'payment.rejected': true,
  'payment.captured': true,
  'payment.cancelled': true,
  'payment.refunded': true,
  'payment.reversed': true,
  'payment.unconfirmed': true,
  'subscription.charged': true,
  'subscription.charge_failed': true,
  'notification.received': true,
  'operation.completed': true,
  'operation.unknown': true,
  'operation.settled': true,
  'payout.updated': true,
  'payout.notified': true,
};

/** Whether a text is a webhook type. */
export const isEventType = (text: string): text is EventType => Object.hasOwn(named, text);

export const types = Object.keys(named).filter(isEventType);

/** Why the last try failed: `HTTP 410`, or the relay's fault code. */
export function faultOf({ delivery }: Pick<EventAnswer, 'delivery'>): string | undefined {
  return deliveryFault(delivery)
    ?.replace(/^http_/, 'HTTP ')
    .replaceAll('_', ' ');
}

/** The order numbers in a webhook: its own, or those in its fields, records or items. */
export function ordersOf({ data }: EventAnswer): string[] {
  const parts = [data, data.fields, ...listIn(data.records), ...listIn(data.items)];
  const names = parts.map((one) => (isObject(one) ? one.order_no : undefined));
  return [...new Set(names)].filter((name) => typeof name === 'string');
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

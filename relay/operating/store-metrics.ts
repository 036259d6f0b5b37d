import { Gauge, Registry } from 'prom-client';
import type { Figures } from '../store/store.ts';

/** What is known of the store now. It is up when it can be read and written. */
type StoreState = { isUp: boolean; figures: Figures | undefined };

/**
 * The gauges of the store, as of now. Where its figures are not known they are not there: a figure of before would tell that
 * all is well.
 */
export function storeMetrics({ isUp, figures }: StoreState, now: Date): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number): void =>
    new Gauge({ name: `turnpike_${name}`, help, registers: [registry] }).set(value);
  const age = (since: string | undefined): number =>
    since === undefined ? 0 : Math.max(0, (now.getTime() - Date.parse(since)) / 1000);

  gauge('store_up', '1 while the store can be read and written', isUp ? 1 : 0);
  if (!figures) return registry;
  gauge('unknown_sessions', 'Sessions whose outcome is not known', figures.unknown_sessions);
  gauge('unknown_oldest_seconds', 'How long the oldest of them has been unknown', age(figures.unknown_since));
  gauge('needs_attention', 'Sessions that wait for a person', figures.needs_attention);
  gauge(
    'resolver_lag_seconds',
    'How overdue the longest overdue query about an order is',
    age(figures.query_due_since),
  );
  gauge('unknown_operations', 'Refunds, payouts and the like of unknown outcome', figures.unknown_operations);
  const oldest = age(figures.unknown_operations_since);
  gauge('unknown_operations_oldest_seconds', 'How long ago the oldest of them began', oldest);
  gauge('outbox_depth', 'Webhooks that wait to be delivered', figures.pending_events);
  gauge('outbox_oldest_seconds', 'How long ago the oldest of them was written', age(figures.pending_since));
  gauge('failed_events', 'Webhooks that were given up and kept', figures.failed_events);
  return registry;
}

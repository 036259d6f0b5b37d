import type { Router } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { bounded } from '../base/bounded.ts';
import { dependencies, type Outages } from '../base/outages.ts';
import type { Config } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { serve } from '../http/serve.ts';
import { authorisedBefore, caseTerm } from '../orders/search-terms.ts';
import { monitoringRoutes } from '../routes/relay.ts';
import type { RetainedKind } from '../store/facets/retention.ts';
import type { Figures } from '../store/facets/stats.ts';
import { storeReason } from './health-checks.ts';
import { secondsOverdue } from './retention.ts';

/** How long `/readyz` waits for a store that hangs. */
const CHECK_MS = 2000;

/** The answers to scrapes are cached, so that no number of scrapes can load the store. */
const FIGURES = { withinMs: 2000, keepMs: 1000 };

/** The settings that are shown as metrics, so that operators are reminded of them. */
function configMetrics({ paused }: Config): Registry {
  const registry = new Registry();
  const help = '1 while nothing may be changed at the gateway, and no webhook is sent';
  new Gauge({ name: 'turnpike_paused', help, registers: [registry] }).set(paused ? 1 : 0);
  return registry;
}

/**
 * The routes for monitoring. `/healthz` reports that the process runs. `/readyz` reports that it accepts payments: its
 * store reads and writes, and it is not draining. `/metrics` has the counters of this relay, the figures of all relays
 * on its store, and the state of its process.
 */
export function serveMonitoring(context: Context, isDraining: () => boolean): Router {
  const { config, metrics, outages, store, now } = context;
  const check = (): Promise<true> =>
    store.check().then(
      () => true,
      (error: unknown) => {
        outages.failed('store', storeReason(error));
        throw error;
      },
    );
  const [isReachable, isUsable] = [bounded(check, { withinMs: CHECK_MS, keepMs: 0 }), bounded(check, FIGURES)];
  const accounts = config.accounts.map(({ id }) => id);
  const figures = bounded(async () => {
    const term = caseTerm('payment_authorised');
    const [known, authorised, overdue] = await Promise.all([
      store.stats.figures(now().toISOString(), accounts),
      store.listing.count(accounts, term, authorisedBefore(context)),
      secondsOverdue(context),
    ]);
    return { ...known, authorised, overdue };
  }, FIGURES);
  const [ofProcess, ofConfig] = [processMetrics(), configMetrics(config)];
  return serve(context, monitoringRoutes, {
    healthz: ({ res }) => void res.json({ status: 'up' }),
    readyz: async ({ res }) => {
      const isUp = !isDraining() && (await isReachable()) === true;
      const isReady = isUp && !isDraining();
      if (!isUp && !isDraining() && !outages.lost().some(({ part }) => part === 'store')) {
        outages.failed('store', 'ETIMEDOUT');
      }
      res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not_ready', lost: outages.lost() });
    },
    metrics: async ({ res }) => {
      const [usable, known] = await Promise.all([isUsable(), figures()]);
      const ofStore = storeMetrics({ isUp: usable === true && known !== undefined, figures: known }, now());
      const registries = [metrics.registry, ofConfig, ofStore, outageMetrics(outages), ofProcess];
      const texts = await Promise.all(registries.map((registry) => registry.metrics()));
      res.set({ 'Content-Type': ofProcess.contentType, 'Cache-Control': 'no-store' });
      res.send(texts.join('\n'));
    },
  });
}

/** The lost dependencies, and the numbers of outages. A dependency that was never lost has an empty code. */
function outageMetrics(outages: Outages): Registry {
  const registry = new Registry();
  const labelNames = ['part', 'code'] as const;
  const lost = new Gauge({
    name: 'turnpike_lost',
    help: '1 while a part that the relay needs is lost, by the code of the cause',
    labelNames,
    registers: [registry],
  });
  const losses = new Counter({
    name: 'turnpike_losses_total',
    help: 'Outages of a part that the relay needs',
    labelNames,
    registers: [registry],
  });
  for (const part of dependencies) {
    lost.set({ part, code: '' }, 0);
    losses.inc({ part, code: '' }, 0);
  }
  for (const { part, code } of outages.lost()) lost.set({ part, code }, 1);
  for (const { count, ...labels } of outages.counts()) losses.inc(labels, count);
  return registry;
}

/** Frequent enough to show delays that shoppers notice, and rare enough to cost little. */
const EVENT_LOOP_RESOLUTION_MS = 20;

let processRegistry: Registry | undefined;

/**
 * The state of the process: CPU, memory, event loop, garbage collection. Its timers and observers never end, so the
 * process has one instance, however many relays it starts.
 */
function processMetrics(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry, eventLoopMonitoringPrecision: EVENT_LOOP_RESOLUTION_MS });
  }
  return processRegistry;
}

/** The present state of the store. It is up if it can be read and written. */
type StoreState = {
  isUp: boolean;
  figures: (Figures & { authorised: number; overdue: ReadonlyMap<RetainedKind, number> }) | undefined;
};

/** The gauges of the store. They are absent if the figures cannot be read, because old figures would look healthy. */
function storeMetrics({ isUp, figures }: StoreState, now: Date): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number): void =>
    new Gauge({ name: `turnpike_${name}`, help, registers: [registry] }).set(value);
  const age = (since: string | undefined): number =>
    since === undefined ? 0 : Math.max(0, (now.getTime() - Date.parse(since)) / 1000);

  gauge('store_up', '1 while the store can be read and written', isUp ? 1 : 0);
  if (!figures) return registry;
  gauge('unknown_sessions', 'Sessions whose outcome is not known', figures.unknown_sessions);
  gauge('unknown_oldest_seconds', 'Time for which the oldest of them has been unknown', age(figures.unknown_since));
  gauge('needs_attention', 'Sessions that wait for a person', figures.needs_attention);
  gauge('authorised_too_long', 'Orders with a payment that was not captured for too long', figures.authorised);
  gauge(
    'resolver_lag_seconds',
    'Time by which the oldest due query about an order is late',
    age(figures.query_due_since),
  );
  gauge(
    'unknown_operations',
    'Refunds, payouts and other operations with an unknown outcome',
    figures.unknown_operations,
  );
  const oldest = age(figures.unknown_operations_since);
  gauge('unknown_operations_oldest_seconds', 'Time since the oldest of them began', oldest);
  gauge('outbox_depth', 'Webhooks that wait to be delivered', figures.pending_events);
  gauge('outbox_oldest_seconds', 'Time since the oldest of them was written', age(figures.pending_since));
  gauge('failed_events', 'Webhooks that were given up and kept', figures.failed_events);
  const retention = new Gauge({
    name: 'turnpike_retention_oldest_seconds',
    help: 'Time for which the oldest row of a kind has been due for deletion',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const [kind, seconds] of figures.overdue) retention.set({ kind }, seconds);
  return registry;
}

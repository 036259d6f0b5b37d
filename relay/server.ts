import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Running } from './app.ts';
import { type Assembly, assemble, type ProcessParts, type Started } from './assembly.ts';
import { createIds } from './base/ids.ts';
import type { Logger } from './base/log.ts';
import { createMetrics } from './base/metrics.ts';
import { createOutages, type Outages } from './base/outages.ts';
import { createSharedWork } from './base/shared-work.ts';
import { noTracer, type Tracer } from './base/tracing.ts';
import type { Config } from './config/load.ts';
import { checkReloadable } from './config/reload.ts';
import type { ConsolePage } from './console/page.ts';
import { type Context, createLastAnswers, momentOf } from './context/context.ts';
import { createAppServer, type ServerLimits } from './http/app-server.ts';
import { createRunningHandlers } from './http/running-handlers.ts';
import { descriptorLimit, startHealthChecks } from './operating/health-checks.ts';
import { metricLabels } from './operating/metric-labels.ts';
import { startRequestLog } from './operating/request-log.ts';
import type { Assets } from './pages/assets.ts';
import { startLateWrites } from './reconciliation/late-writes.ts';
import { type Stopped, stopWithin } from './stop.ts';
import type { Store } from './store/store.ts';

/** A running relay. */
type Relay = {
  /** The address of the relay: `public_url`, with the actual port if the configuration has port 0. */
  url: string;
  /** The address of the console, if there is one. */
  consoleUrl?: string;
  context: Context;
  /**
   * Replaces the configuration between two requests; running requests end with the previous one. If a changed setting
   * needs a restart, it throws ConfigError and keeps the previous configuration.
   */
  reload(config: Config, consolePage?: ConsolePage): Promise<void>;
  /**
   * Stops accepting requests, waits for the running ones, and closes everything, within `shutdown_ms`. Idle connections
   * are closed after `idleMs`.
   */
  stop(idleMs?: number): Promise<Stopped>;
};

/** The time that a stop may take in addition to the gateway's time limit, if `shutdown_ms` is not set. */
const STOP_GRACE_MS = 5000;

/**
 * Starts the relay, which owns the store from now on and closes it at its stop. Throws ConfigError, and the socket's
 * error if it cannot listen.
 */
export async function startRelay(parts: {
  config: Config;
  store: Store;
  assets: Assets;
  consolePage?: ConsolePage | undefined;
  log: Logger;
  outages?: Outages;
  tracer?: Tracer;
  now?: () => Date;
  /** The time in milliseconds by a monotonic clock. */
  monotonic?: () => number;
}): Promise<Relay> {
  const { assets, log, store, tracer = noTracer } = parts;
  const { now = () => new Date(), monotonic = () => performance.now() } = parts;
  const { outages = createOutages(log, now, monotonic) } = parts;
  const ownConsole = parts.config.console.people.length > 0 ? parts.config.console.listen : undefined;
  const limitsOf = (config: Config): ServerLimits => serverLimits(config, ownConsole ? 2 : 1);
  const { server, serve, limit } = createAppServer(limitsOf(parts.config));
  const console = ownConsole && createAppServer(limitsOf(parts.config));
  const servers = [server, ...(console ? [console.server] : [])];
  for (const one of servers) one.on('drop', () => outages.failed('connections', 'MAX_CONNECTIONS'));
  const port = await listen(server, parts.config.listen);
  const withPort = (config: Config): Config => ({ ...config, public_url: withRealPort(config.public_url, port) });
  const accounts = parts.config.accounts.map(({ id }) => id);
  const lateWrites = startLateWrites(log, monotonic);
  const metrics = createMetrics(metricLabels, accounts);
  const requestLog = startRequestLog({ store, metrics, log });
  const processId = randomUUID();
  const processParts: ProcessParts = {
    store,
    log,
    metrics,
    outages,
    tracer,
    lastAnswers: createLastAnswers(),
    splitQueries: new Set(),
    queries: createSharedWork(),
    unsent: new Set(),
    begunLately: new Map(),
    keysToRelease: new Set(),
    rateBuckets: new Map(),
    retentionPlaces: new Map(),
    lateWrites,
    requestLog,
    newId: createIds(now),
    now,
    monotonic,
    processId,
    started: momentOf({ now, monotonic, processId }),
  };
  const handlers = createRunningHandlers();
  let stopping: Promise<Stopped> | undefined;
  let current: Assembly;
  const make = async (config: Config, consolePage: ConsolePage | undefined): Promise<Assembly> => {
    const running: Running = {
      handlers,
      isDraining: () => stopping !== undefined,
      isReplaced: () => current !== made,
      consolePage,
    };
    const made = await assemble(withPort(config), processParts, assets, running);
    return made;
  };
  try {
    current = await make(parts.config, parts.consolePage);
    if (console) await listen(console.server, ownConsole);
  } catch (error) {
    server.close();
    await lateWrites.stop();
    await requestLog.stop();
    throw error;
  }
  const show = ({ app, consoleApp, context }: Assembly): void => {
    serve(app, context);
    if (consoleApp) console?.serve(consoleApp, context);
  };
  show(current);
  warnOfConsole(parts.config, parts.consolePage, log);
  let started: Started = current.start();
  let ending: Promise<unknown> = Promise.resolve();
  const replaced = new Set<Started['delivery']>();
  const watch = startHealthChecks(current.context, {
    areFree: async () => !(await Promise.all(servers.map(areFree))).includes(false),
  });

  return {
    url: current.context.config.public_url,
    ...consoleUrlOf(current.context.config, console?.server),
    context: current.context,
    async reload(config, consolePage) {
      checkReloadable(parts.config, config);
      // The steps that can fail come first, so that the configuration is replaced completely or not at all.
      const limits = limitsOf(config);
      const next = await make(config, consolePage);
      if (stopping) return;
      store.readdress(config.store);
      const [before, earlier] = [started, ending];
      current = next;
      processParts.metrics.label(config.accounts.map(({ id }) => id));
      limit(limits);
      console?.limit(limits);
      show(next);
      warnOfConsole(config, consolePage, log);
      started = next.start();
      replaced.add(before.delivery);
      // The running tries get time to finish: an aborted webhook would be sent again.
      const delivered = before.delivery.end().finally(() => replaced.delete(before.delivery));
      ending = Promise.all([earlier, delivered, ...before.pollers.map((one) => one.stop())]);
    },
    stop(idleMs = 0) {
      const { shutdown_ms, gateway } = current.context.config;
      stopping ??= stopWithin(
        {
          servers,
          handlers,
          pollers: [
            watch,
            { stop: async () => void (await Promise.all([ending, ...[...replaced].map((one) => one.stop())])) },
            ...started.pollers,
          ],
          delivery: {
            async stop() {
              await lateWrites.stop();
              await started.delivery.stop();
              await requestLog.stop();
            },
          },
          client: current.client,
          store,
          log,
          idleMs,
        },
        shutdown_ms ?? gateway.timeout_ms + STOP_GRACE_MS,
      );
      return stopping;
    },
  };
}

/**
 * The connections of all servers may use half of the process's file descriptors. The gateway, the store and files need
 * the others.
 */
function serverLimits({ server }: Config, servers: number): ServerLimits {
  const max = Math.max(1, Math.floor(descriptorLimit() / 2 / servers));
  return { ...server, max_connections: Math.min(server.max_connections, max) };
}

function areFree(server: Server): Promise<boolean> {
  return new Promise((done) => {
    server.getConnections((error, count) => done(!error && count < server.maxConnections));
  });
}

function warnOfConsole({ console: { people } }: Config, page: ConsolePage | undefined, log: Logger): void {
  if (people.length > 0 && !page) log.warn({}, 'the page of the console is not built: run npm run build');
}

function consoleUrlOf(
  { public_url, console: { people, listen: address } }: Config,
  own: Server | undefined,
): { consoleUrl?: string } {
  if (people.length === 0) return {};
  return {
    consoleUrl: address && own ? `http://${address.host}:${portOf(own.address())}/console` : `${public_url}/console`,
  };
}

/** Replaces port 0 in an address with the actual port. */
function withRealPort(publicUrl: string, port: number): string {
  return /:0$/.test(publicUrl) ? publicUrl.replace(/:0$/, `:${port}`) : publicUrl;
}

function listen(server: Server, address: Config['listen']): Promise<number> {
  return new Promise((fulfil, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      fulfil(portOf(server.address()));
    });
  });
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationNames } from '../shared/gateway/operations.ts';
import { startAlerts } from './alerts/alerts.ts';
import { createApp, createConsoleApp, type Running } from './app.ts';
import { createTurns } from './base/concurrency.ts';
import { createIds } from './base/ids.ts';
import { type Logger, traced } from './base/log.ts';
import { createMetrics } from './base/metrics.ts';
import { noTracer, type Tracer } from './base/tracing.ts';
import type { Config } from './config/load.ts';
import type { ConsolePage } from './console/page.ts';
import { type Context, createAnsweredAt, createWakeUps, momentOf } from './context/context.ts';
import { createGateway, observedGateway } from './gateway/call.ts';
import { createClient } from './gateway/client.ts';
import { groupsWithoutCodes } from './gateway/profile.ts';
import { createSigner } from './gateway/signing/signer.ts';
import { whyUnsignable } from './gateway/signing/signing-setting.ts';
import { createAppServer } from './http/app-server.ts';
import { createWork } from './http/work.ts';
import { metricLabels } from './operating/metric-labels.ts';
import { startRetention, startStatsUpkeep, warnOfLeftAccounts } from './operating/upkeep.ts';
import { startListing } from './orders/find.ts';
import type { Assets } from './pages/assets.ts';
import { startLateWrites } from './reconciliation/late-writes.ts';
import { startNoticePoller } from './reconciliation/notice-poller.ts';
import { startPoller } from './reconciliation/poller.ts';
import { startRefundPoller } from './reconciliation/refund-poller.ts';
import { startUnsentPoller } from './reconciliation/unsent.ts';
import { type Stopped, stopWithin } from './stop.ts';
import type { Store } from './store/store.ts';
import { startDelivery } from './webhooks/delivery.ts';

/** A running relay. */
type Relay = {
  /** Where it can be reached: `public_url`, with the real port where the configuration says 0. */
  url: string;
  /** Where the console is, if there is one. */
  consoleUrl?: string;
  context: Context;
  /**
   * Stops taking requests, finishes those in flight, then closes everything, within `shutdown_ms`. Connections on which nothing
   * is being done are closed after `idleMs`.
   */
  stop(idleMs?: number): Promise<Stopped>;
};

/** How long a stop may take beyond the gateway's time limit, where `shutdown_ms` does not say. */
const STOP_GRACE_MS = 5000;

/**
 * Starts the relay. Throws ConfigError, or the socket's error when it cannot listen. Takes the store over and closes it at
 * the end.
 */
export async function startRelay(parts: {
  config: Config;
  store: Store;
  assets: Assets;
  consolePage?: ConsolePage | undefined;
  log: Logger;
  tracer?: Tracer;
  now?: () => Date;
  /** Milliseconds by a monotonic clock. */
  monotonic?: () => number;
}): Promise<Relay> {
  const { assets, consolePage, log, tracer = noTracer } = parts;
  const { now = () => new Date(), monotonic = () => performance.now() } = parts;
  const { store } = parts;
  const { signing } = parts.config.gateway.profile;
  const signer = await createSigner(signing, (failure) => log.error(failure, 'signing failed'));
  const unsignable = operationNames.filter((name) => whyUnsignable(signing, name) !== undefined);
  if (unsignable.length > 0) log.warn({ operations: unsignable }, 'operations without signing.fields cannot be sent');
  const silent = groupsWithoutCodes(parts.config.gateway.profile.codes);
  if (silent.length > 0) log.warn({ codes: silent }, 'these codes have no meaning: their outcomes are unknown');
  if (parts.config.paused) log.warn({}, 'paused: nothing is changed at the gateway, and no webhook is sent');
  const { server, serve } = createAppServer();
  const port = await listen(server, parts.config.listen);
  const config = { ...parts.config, public_url: withRealPort(parts.config.public_url, port) };
  const { base_url, timeout_ms, headers, profile } = config.gateway;
  const client = createClient({ baseUrl: base_url, timeoutMs: timeout_ms, headers });
  const metrics = createMetrics(
    metricLabels,
    config.accounts.map(({ id }) => id),
  );
  const gateway = observedGateway(createGateway({ client, profile, signer, now }), { metrics, tracer, log });
  const lateWrites = startLateWrites(log, monotonic);
  const processId = randomUUID();
  const context: Context = {
    config,
    store,
    ...gateway,
    signer,
    log,
    metrics,
    tracer,
    wakeUps: createWakeUps(),
    answeredAt: createAnsweredAt(),
    splitting: new Set(),
    queries: createTurns(),
    unsent: new Set(),
    sending: new Map(),
    keysToRelease: new Set(),
    lateWrites,
    newId: createIds(now),
    now,
    monotonic,
    processId,
    started: momentOf({ now, monotonic, processId }),
  };

  const work = createWork();
  let stopping: Promise<Stopped> | undefined;
  const running: Running = { work, isDraining: () => stopping !== undefined, consolePage };
  serve(createApp(context, assets, running), context);
  const ownConsole = await startConsole(context, running).catch((error: unknown) => {
    server.close();
    throw error;
  });
  const pollers = [
    startPoller(context),
    startRefundPoller(context),
    startNoticePoller(context),
    startListing(context),
    startRetention(context),
    startStatsUpkeep(context),
    ...(config.alerts.recipients.length > 0 ? [startAlerts(context)] : []),
  ];
  void warnOfLeftAccounts(context);
  const webhooks = traced({ poller: 'webhooks' }, () => startDelivery(context));
  const unsent = startUnsentPoller(context);
  // What the last request could not store is stored before the last webhooks are sent.
  const delivery = {
    async stop() {
      await lateWrites.stop();
      await unsent.stop();
      await webhooks.stop();
    },
  };
  const { shutdown_ms = timeout_ms + STOP_GRACE_MS } = config;

  return {
    url: config.public_url,
    ...consoleUrlOf(config, ownConsole),
    context,
    stop(idleMs = 0) {
      stopping ??= stopWithin(
        {
          servers: [server, ...(ownConsole ? [ownConsole.server] : [])],
          work,
          pollers,
          delivery,
          client,
          store,
          log,
          idleMs,
        },
        shutdown_ms,
      );
      return stopping;
    },
  };
}

/** Serves the console at an address of its own, where the settings have one. */
async function startConsole(context: Context, running: Running): Promise<{ server: Server; port: number } | undefined> {
  const { people, listen: address } = context.config.console;
  if (people.length > 0 && !running.consolePage) {
    context.log.warn({}, 'the page of the console is not built: run npm run build');
  }
  if (people.length === 0 || !address) return undefined;
  const { server, serve } = createAppServer();
  const port = await listen(server, address);
  serve(createConsoleApp(context, running), context);
  return { server, port };
}

function consoleUrlOf(
  { public_url, console: { people, listen: address } }: Config,
  own: { port: number } | undefined,
): { consoleUrl?: string } {
  if (people.length === 0) return {};
  return { consoleUrl: address && own ? `http://${address.host}:${own.port}/console` : `${public_url}/console` };
}

/** A port 0 in an address stands for the port that is really listened on. */
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

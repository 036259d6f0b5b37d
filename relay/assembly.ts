import type { Express } from 'express';
import { operationNames } from '../shared/gateway/operations.ts';
import { startAlerts } from './alerts/alerts.ts';
import { createApp, createConsoleApp, type Running } from './app.ts';
import { traced } from './base/log.ts';
import type { Polling } from './base/polling.ts';
import type { Config } from './config/load.ts';
import { type Context, createWakeUps } from './context/context.ts';
import { createGateway } from './gateway/call.ts';
import { createClient } from './gateway/client.ts';
import { observedGateway } from './gateway/observed-gateway.ts';
import { groupsWithoutCodes } from './gateway/profile.ts';
import { createSigner } from './gateway/signing/signer.ts';
import { whyUnsignable } from './gateway/signing/signing-setting.ts';
import { startStatsRefresh } from './operating/refresh-statistics.ts';
import { startRetention } from './operating/retention.ts';
import { warnOfUnconfiguredAccounts } from './operating/unconfigured-accounts.ts';
import { startListing } from './orders/find.ts';
import type { Assets } from './pages/assets.ts';
import { startNotificationPoller } from './reconciliation/notification-poller.ts';
import { startPoller } from './reconciliation/order-poller.ts';
import { startRefundPoller } from './reconciliation/refund-poller.ts';
import { startUnsentPoller } from './reconciliation/unsent.ts';
import { type RunningDelivery, startDelivery } from './webhooks/delivery.ts';

/** The parts of the context that last as long as the process, whatever its configuration. */
export type ProcessParts = Omit<Context, 'config' | 'call' | 'longCall' | 'signer' | 'wakeUps'>;

/** The parts of a relay that are created from its configuration. */
export type Assembly = {
  context: Context;
  app: Express;
  /** The console, if it has its own address. */
  consoleApp?: Express;
  client: { close(): Promise<void> };
  /** Starts the work that no request waits for. */
  start(): Started;
};

/**
 * The work that no request waits for. A stop ends `pollers` at once, and `delivery` after the webhooks of the last
 * payment are written.
 */
export type Started = { pollers: readonly Polling[]; delivery: RunningDelivery };

/** Creates the parts for a configuration and starts nothing. Throws ConfigError. */
export async function assemble(
  config: Config,
  processParts: ProcessParts,
  assets: Assets,
  running: Running,
): Promise<Assembly> {
  const { log, metrics, tracer, outages, now } = processParts;
  const { base_url, timeout_ms, headers, profile } = config.gateway;
  const signer = await createSigner(profile.signing, (failure) => log.error(failure, 'signing failed'));
  const unsignable = operationNames.filter((name) => whyUnsignable(profile.signing, name) !== undefined);
  if (unsignable.length > 0) log.warn({ operations: unsignable }, 'operations without signing.fields cannot be sent');
  const silent = groupsWithoutCodes(profile.codes);
  if (silent.length > 0) log.warn({ codes: silent }, 'these codes have no meaning: their outcomes are unknown');
  if (config.paused) log.warn({}, 'paused: nothing is changed at the gateway, and no webhook is sent');
  const client = createClient({ baseUrl: base_url, timeoutMs: timeout_ms, headers });
  const ways = observedGateway(createGateway({ client, profile, signer, now }), { metrics, tracer, log, outages });
  const context: Context = { ...processParts, config, signer, ...ways, wakeUps: createWakeUps() };
  const { people, listen } = config.console;
  return {
    context,
    client,
    app: createApp(context, assets, running),
    ...(people.length > 0 && listen ? { consoleApp: createConsoleApp(context, running) } : {}),
    start: () => start(context),
  };
}

function start(context: Context): Started {
  const pollers = [
    startPoller(context),
    startRefundPoller(context),
    startNotificationPoller(context),
    startListing(context),
    startRetention(context),
    startStatsRefresh(context),
    ...(context.config.alerts.recipients.length > 0 ? [startAlerts(context)] : []),
  ];
  void warnOfUnconfiguredAccounts(context);
  const webhooks = traced({ poller: 'webhooks' }, () => startDelivery(context));
  const unsent = startUnsentPoller(context);
  // The writes that the store did not take are repeated before the last webhooks are sent.
  const delivery = {
    async end() {
      await unsent.stop();
      await webhooks.end();
    },
    async stop() {
      await unsent.stop();
      await webhooks.stop();
    },
  };
  return { pollers, delivery };
}

import { createServer, type Server } from 'node:http';
import { createApp } from '../../relay/app.ts';
import { createIds } from '../../relay/base/ids.ts';
import { clientSecret, notificationToken } from '../../relay/base/keys.ts';
import type { Logger } from '../../relay/base/log.ts';
import { createMetrics } from '../../relay/base/metrics.ts';
import { createOutages } from '../../relay/base/outages.ts';
import { createSharedWork } from '../../relay/base/shared-work.ts';
import { noTracer } from '../../relay/base/tracing.ts';
import { sessionAnswer } from '../../relay/commit/session-answer.ts';
import type { Account, Config } from '../../relay/config/load.ts';
import { type Context, createLastAnswers, createWakeUps, momentOf } from '../../relay/context/context.ts';
import { createGateway } from '../../relay/gateway/call.ts';
import { type Client, deadlineIn } from '../../relay/gateway/client.ts';
import { observedGateway } from '../../relay/gateway/observed-gateway.ts';
import type { Signer } from '../../relay/gateway/signing/signer.ts';
import { createRunningHandlers } from '../../relay/http/running-handlers.ts';
import { metricLabels } from '../../relay/operating/metric-labels.ts';
import { startRetention } from '../../relay/operating/retention.ts';
import type { StoredOrder } from '../../relay/payments/order.ts';
import type { Session } from '../../relay/payments/session.ts';
import { startLateWrites } from '../../relay/reconciliation/late-writes.ts';
import { startNotificationPoller } from '../../relay/reconciliation/notification-poller.ts';
import { startPoller } from '../../relay/reconciliation/order-poller.ts';
import { startRefundPoller } from '../../relay/reconciliation/refund-poller.ts';
import { startUnsentPoller } from '../../relay/reconciliation/unsent.ts';
import type { Store } from '../../relay/store/store.ts';
import { startDelivery } from '../../relay/webhooks/delivery.ts';
import type { Send } from '../../relay/webhooks/send-webhook.ts';
import type { SessionAnswer } from '../../shared/api/session.ts';
import { noPages } from './world/http/no-pages.ts';
import { storedOrder } from './world/orders.ts';

/** A running relay: its HTTP server, and the routes of the requests in progress. */
export type Relay = { server: Server; working(): string[] };

type RelayParts = {
  /** The unique name of the process. */
  name: string;
  config: Config;
  store: Store;
  /** Posts a message to the gateway. */
  post: Client['post'];
  send: Send;
  signer: Signer;
  log: Logger;
  random: () => number;
  fill: (buffer: Buffer) => void;
  now: () => Date;
};

// Metrics affect nothing, and creating a registry takes longer than a payment.
const metrics = createMetrics(metricLabels);

/**
 * Starts a relay on a store, with its pollers and its delivery. Only the store, messages to the gateway, webhooks, clocks and random
 * numbers are simulated.
 */
export function startRelay(parts: RelayParts): Relay {
  const { name, config, store, post, send, signer, log, random, fill, now } = parts;
  const { timeout_ms, profile } = config.gateway;
  const client: Client = {
    deadline: (withinMs) => deadlineIn(timeout_ms, withinMs),
    post,
    close: async () => undefined,
  };
  const monotonic = (): number => performance.now();
  const outages = createOutages(log, now);
  const context: Context = {
    ...{ config, store, signer, log, metrics, outages, now },
    ...observedGateway(createGateway({ client, profile, signer, now }), { metrics, tracer: noTracer, log, outages }),
    tracer: noTracer,
    lateWrites: startLateWrites(log, monotonic),
    requestLog: { add: () => undefined },
    wakeUps: createWakeUps(),
    queries: createSharedWork(),
    lastAnswers: createLastAnswers(),
    splitQueries: new Set(),
    unsent: new Set(),
    begunLately: new Map(),
    keysToRelease: new Set(),
    rateBuckets: new Map(),
    retentionPlaces: new Map(),
    newId: createIds(now, fill),
    ...{ monotonic, processId: name },
    started: momentOf({ now, monotonic, processId: name }),
  };
  for (const start of [startUnsentPoller, startPoller, startRefundPoller, startNotificationPoller, startRetention])
    start(context);
  startDelivery(context, { random, sender: { send, close: async () => undefined } });
  const handlers = createRunningHandlers();
  const listener = createApp(context, noPages, { handlers, isDraining: () => false });
  return { server: createServer(listener), working: () => handlers.tasks().map(({ route }) => route) };
}

/** The client secret of a session. */
export function secretOf(account: Account, session: string): string {
  return clientSecret(account, session);
}

/** The path at which the gateway notifies of a session's payments. */
export function notifyPath(account: Account, session: string): string {
  return `/notify/payment/${session}/${notificationToken(account, 'payment', session)}`;
}

/** The stored state of an order, with its sessions and their answers to the shop. */
export type OrderState = { order: StoredOrder; sessions: { session: Session; answer: SessionAnswer }[] };

export async function orderState(store: Store, orderNo: string, now: Date): Promise<OrderState> {
  const order = await storedOrder(store, orderNo);
  return {
    order,
    sessions: order.sessions.map((session) => ({ session, answer: sessionAnswer(order, session, now) })),
  };
}

import { WEBHOOK_TIMEOUT_MS, webhookRequestHeaders } from '../../shared/webhooks/signing.ts';
import { logFailure, pause, type WakeUp } from '../base/polling.ts';
import type { Endpoint } from '../config/endpoints.ts';
import { type Context, nowWithoutJumps } from '../context/context.ts';
import type { PendingEvent, Tried } from '../store/facets/outbox.ts';
import { afterTry } from './after-try.ts';
import { createSender, type Send, type Sender } from './send-webhook.ts';

/** The maximum webhooks in flight to one endpoint at a time, so that a slow one does not delay the others. */
const MAX_AT_ONCE = 8;

/** The time between two reads of the outbox without a wake-up: it finds the webhooks of other relays, and due tries. */
export const PAUSE_MS = 1000;

/**
 * The pause after a failed try, before another webhook takes its place. It limits the tries per second to a receiver that refuses at once,
 * and spreads the webhooks when the receiver is back.
 */
export const PAUSE_AFTER_FAILURE_MS = 250;

/** Longer than a try can take: a worker that has not reported by then has crashed. */
const CLAIM_MS = 60_000;

/** How long receivers have to answer when the relay stops. A webhook that is cut off is sent again. */
const STOP_GRACE_MS = 1000;

type Receiver = Endpoint & { account: string };

/** The options for tests. */
type Options = { random?: () => number; tryMs?: number; pauseMs?: number; sender?: Sender };

/** `end` starts no further try and waits for the running ones; `stop` aborts them after a second. */
export type RunningDelivery = { end(): Promise<void>; stop(): Promise<void> };

/**
 * Delivers the webhooks in the outbox to each endpoint until stopped: at least once each, those of one subject in order, several subjects at
 * the same time. New webhooks wake it. A paused relay delivers none.
 */
export function startDelivery(context: Context, options: Options = {}): RunningDelivery {
  const { random = Math.random, tryMs = WEBHOOK_TIMEOUT_MS, pauseMs = PAUSE_MS } = options;
  const { sender = createSender(context.config.webhooks, tryMs) } = options;
  const [stopping, cutting] = [new AbortController(), new AbortController()];
  const work = { context, random, pauseMs, send: sender.send, stopping: stopping.signal, cutting: cutting.signal };
  const { accounts, paused } = context.config;
  const receivers = accounts.flatMap(({ id, webhooks }) => webhooks.map((endpoint) => ({ account: id, ...endpoint })));
  const endpoints = (paused ? [] : receivers).map((receiver) =>
    runEndpoint(work, receiver, context.wakeUps.delivery(receiver.account, receiver.id)),
  );
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    stopping.abort();
    ended ??= Promise.all(endpoints).then(() => sender.close());
    return ended;
  };
  return {
    end,
    async stop() {
      const cut = setTimeout(() => cutting.abort(), STOP_GRACE_MS);
      await end();
      clearTimeout(cut);
    },
  };
}

type Work = {
  context: Context;
  random: () => number;
  pauseMs: number;
  send: Send;
  stopping: AbortSignal;
  cutting: AbortSignal;
};

async function runEndpoint(work: Work, receiver: Receiver, wakeUp: WakeUp): Promise<void> {
  const { context, pauseMs, stopping } = work;
  const running = new Set<Promise<void>>();
  stopping.addEventListener('abort', wakeUp.wake);
  while (!stopping.aborted) {
    const events = await claim(context, receiver, MAX_AT_ONCE - running.size);
    for (const event of events) {
      const delivering = deliverAndPause(work, receiver, event).finally(() => {
        running.delete(delivering);
        wakeUp.wake();
      });
      running.add(delivering);
    }
    await wakeUp.wait(pauseMs);
  }
  await Promise.all(running);
}

async function deliverAndPause(work: Work, receiver: Receiver, event: PendingEvent): Promise<void> {
  const isDelivered = await deliver(work, receiver, event);
  if (!isDelivered) await pause(PAUSE_AFTER_FAILURE_MS, work.stopping);
}

async function claim(context: Context, { account, id }: Receiver, limit: number): Promise<PendingEvent[]> {
  if (limit === 0) return [];
  const now = context.now();
  const until = new Date(now.getTime() + CLAIM_MS);
  return context.store.outbox
    .leaseDue(account, id, now.toISOString(), until.toISOString(), limit)
    .catch((error: unknown) => {
      logFailure(context.log, 'webhooks', error);
      return [];
    });
}

/** Sends a webhook once, and returns whether it was delivered. If its outcome cannot be written, the claim ends and the webhook is sent again. */
function deliver(work: Work, receiver: Receiver, event: PendingEvent): Promise<boolean> {
  const { account, type, endpoint } = event;
  const about = {
    ...{ 'turnpike.account': account, 'turnpike.event': webhookId(event), 'turnpike.event_type': type },
    'turnpike.endpoint': endpoint,
  };
  const resultFields = (isDelivered: boolean) => ({ 'turnpike.result': isDelivered ? 'delivered' : 'not_delivered' });
  return work.context.tracer.work('webhook delivery', about, () => tryToDeliver(work, receiver, event), resultFields);
}

async function tryToDeliver(work: Work, receiver: Receiver, event: PendingEvent): Promise<boolean> {
  const { context, random, send, cutting } = work;
  try {
    const headers = webhookRequestHeaders(
      { ...event, id: webhookId(event) },
      receiver.secrets,
      context.now().getTime(),
    );
    const sent = await send(receiver.url, headers, event.body, cutting);
    const now = context.now();
    const delivery = afterTry(event.delivery, sent, now, random(), nowWithoutJumps(context));
    await context.store.outbox.writeDelivery(event, delivery, now.toISOString());
    // A try that the relay's own stop aborted proves nothing about the receiver.
    if (sent.kind !== 'stopped') logDelivery(context, event, delivery);
    return delivery.status === 'delivered';
  } catch (error) {
    logFailure(context.log, 'webhooks', error);
    return false;
  }
}

/** The id of the event, which is the same for every endpoint. */
const webhookId = ({ id, event_id = id }: PendingEvent): string => event_id;

function logDelivery({ log, metrics }: Context, event: PendingEvent, delivery: Tried): void {
  const { account, subject, type, endpoint } = event;
  const logged = { event: webhookId(event), account, endpoint, subject, type, ...delivery };
  switch (delivery.status) {
    case 'delivered':
      metrics.webhook(account, 'delivered');
      log.info(logged, 'webhook delivered');
      return;
    case 'pending':
      metrics.webhook(account, 'refused');
      log.warn(logged, 'webhook delivery failed, will retry');
      return;
    case 'failed':
      metrics.webhook(account, 'failed');
      log.error(logged, 'webhook given up');
      return;
  }
}

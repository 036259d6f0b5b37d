import type { Context } from '../context.ts';
import { logFailure } from '../rounds.ts';
import { afterTry } from './after-try.ts';
import type { Delivery, PendingEvent } from './event.ts';
import { createSender, type Send } from './send-webhook.ts';
import { webhookHeaders } from './sign-webhook.ts';

/** Webhooks in flight to one account's receiver, so that a slow one holds up nobody else's. */
const MOST_AT_ONCE = 8;

/** Between two looks into the outbox when nothing happens. */
const PAUSE_MS = 200;

/** A whole try: a receiver should answer first and work afterwards. */
const TRY_MS = 10_000;

/** Longer than a try can take: who has not said by then what became of it has died. */
const CLAIM_MS = 60_000;

/** What receivers are given to answer when the relay stops. Those cut off get the same webhook again. */
const STOP_GRACE_MS = 1000;

type Receiver = { account: string; url: string; secrets: readonly string[] };

/**
 * Delivers the webhooks in the outbox until stopped (design 7): at least once each, the ones of one subject in their
 * order, several subjects at the same time.
 */
export function startDelivery(
  context: Context,
  { random = Math.random, tryMs = TRY_MS }: { random?: () => number; tryMs?: number } = {},
): { stop(): Promise<void> } {
  const sender = createSender(context.config.webhooks, tryMs);
  const [stopping, cutting] = [new AbortController(), new AbortController()];
  const work = { context, random, send: sender.send, stopping: stopping.signal, cutting: cutting.signal };
  const lanes = context.config.accounts.map(({ id, webhook }) =>
    webhook ? runLane(work, { account: id, ...webhook }) : undefined,
  );
  return {
    async stop() {
      stopping.abort();
      const cut = setTimeout(() => cutting.abort(), STOP_GRACE_MS);
      await Promise.all(lanes);
      clearTimeout(cut);
      await sender.close();
    },
  };
}

type Work = { context: Context; random: () => number; send: Send; stopping: AbortSignal; cutting: AbortSignal };

async function runLane(work: Work, receiver: Receiver): Promise<void> {
  const { context, stopping } = work;
  const running = new Set<Promise<void>>();
  const bell = createBell();
  stopping.addEventListener('abort', bell.ring);
  while (!stopping.aborted) {
    const events = await claim(context, receiver, MOST_AT_ONCE - running.size);
    for (const event of events) {
      const delivering = deliver(work, receiver, event).finally(() => {
        running.delete(delivering);
        bell.ring();
      });
      running.add(delivering);
    }
    await bell.wait(PAUSE_MS);
  }
  await Promise.all(running);
}

async function claim(context: Context, { account }: Receiver, limit: number): Promise<PendingEvent[]> {
  if (limit === 0) return [];
  const now = context.now();
  const until = new Date(now.getTime() + CLAIM_MS);
  return context.store.claimEvents(account, now.toISOString(), until.toISOString(), limit).catch((error: unknown) => {
    logFailure(context.log, 'webhooks', error);
    return [];
  });
}

/** One try. Where its outcome cannot be written the claim runs out, and the event is sent again. */
async function deliver(work: Work, receiver: Receiver, event: PendingEvent): Promise<void> {
  const { context, random, send, cutting } = work;
  try {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Turnpike-Webhooks',
      ...webhookHeaders(event, receiver.secrets, context.now()),
    };
    const sent = await send(receiver.url, headers, event.body, cutting);
    const delivery = afterTry(event.delivery, sent, context.now(), random());
    await context.store.updateEvent(event, delivery);
    logDelivery(context, event, delivery);
  } catch (error) {
    logFailure(context.log, 'webhooks', error);
  }
}

function logDelivery({ log }: Context, { id, account, subject, type }: PendingEvent, delivery: Delivery): void {
  const logged = { event: id, account, subject, type, ...delivery };
  switch (delivery.status) {
    case 'delivered':
      log.info(logged, 'webhook delivered');
      return;
    case 'pending':
      log.warn(logged, 'webhook not taken; it is sent again');
      return;
    case 'failed':
      log.error(logged, delivery.reason === 'http_410' ? 'the receiver wants no webhook any more' : 'webhook given up');
      return;
  }
}

/** A pause that can be cut short, also by a ring that came before it. */
function createBell(): { ring: () => void; wait(ms: number): Promise<void> } {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => rung.resolve(),
    async wait(ms) {
      const timer = setTimeout(rung.resolve, ms);
      await rung.promise;
      clearTimeout(timer);
      rung = Promise.withResolvers<void>();
    },
  };
}

import { onTestFinished } from 'vitest';
import { newEvent } from '../../../relay/commit/new-event.ts';
import type { Context } from '../../../relay/context/context.ts';
import { startDelivery } from '../../../relay/webhooks/delivery.ts';
import { type ReceivedWebhook, webhookSecret } from '../http/receiver.ts';
import { testContext } from './context.ts';

/** A relay's outbox with a clock that the test sets. */
export async function startOutbox(url: string, change: { account?: object; config?: object } = {}) {
  const clock = { now: new Date() };
  const context = await testContext({
    account: { webhook: { url, secrets: [webhookSecret] }, ...change.account },
    config: { webhooks: { allow_private: true }, ...change.config },
    now: () => clock.now,
  });
  return {
    context,
    clock,
    write: (subject: string, data: object = {}, account = 'demo') =>
      context.store.outbox.add(newEvent(context, { account, id: subject }, 'session.unknown', data)),
    /** The lines of the log that contain a text. */
    log: (text: string) => context.logLines.filter((line) => line.includes(text)),
    /** The number of tries with this result. */
    async tries(result: 'delivered' | 'refused' | 'failed'): Promise<number> {
      const text = await context.metrics.registry.metrics();
      return Number(new RegExp(`^turnpike_webhooks_total{result="${result}"} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    },
    wait: (seconds: number) => {
      clock.now = new Date(clock.now.getTime() + seconds * 1000);
    },
  };
}

/** Delivers the events of the outbox, without randomness, until the test is over. */
export function deliver(context: Context, options: Parameters<typeof startDelivery>[1] = {}) {
  const delivery = startDelivery(context, { random: () => 0, pauseMs: 50, ...options });
  onTestFinished(() => delivery.stop());
  return delivery;
}

export const shortly = (ms: number) => new Promise((done) => setTimeout(done, ms));

export const numbers = (webhooks: readonly ReceivedWebhook[]): unknown[] => webhooks.map(({ data }) => data.n);

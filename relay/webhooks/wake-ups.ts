import { createWakeUp, type WakeUp } from '../base/polling.ts';
import type { Context, WakeUps } from '../store/context.ts';
import type { NewEvent } from '../store/event.ts';

/** Wakes the delivery of webhooks that have just been written: they need not wait for the next poll of the outbox. */
export function wakeDelivery({ wakeUps }: Context, events: readonly Pick<NewEvent, 'account'>[]): void {
  for (const account of new Set(events.map((event) => event.account))) wakeUps.delivery(account).wake();
}

/** Wake-ups of one relay, with one for each account's webhooks. */
export function createWakeUps(): WakeUps {
  const deliveries = new Map<string, WakeUp>();
  return {
    reconciliation: createWakeUp(),
    notices: createWakeUp(),
    delivery(account) {
      const wakeUp = deliveries.get(account) ?? createWakeUp();
      deliveries.set(account, wakeUp);
      return wakeUp;
    },
  };
}

import { createWakeUp, type WakeUp } from '../base/polling.ts';
import type { WakeUps } from '../store/context.ts';

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

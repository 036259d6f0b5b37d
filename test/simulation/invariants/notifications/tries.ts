import { DAY } from '../../generate/message-plans.ts';
import type { Scene } from '../../world/scene.ts';

/** The last try is made at the end of the day, by a clock that may differ a little. */
const SLACK_MS = 60_000;

/**
 * A webhook is given up a day after its first try at the earliest, for every answer of its receiver. Webhooks of an
 * account that left the configuration are not tried.
 */
export function watchTries({ world, relays, shop, store, settings, started }: Scene): { check(): Promise<void> } {
  return {
    async check() {
      if (!shop.wasGone() || relays.clocks.wereWrong(started)) return;
      for (const account of ['demo', 'other'].filter((id) => !settings.wasGone(id))) {
        for (const { id, type } of await store.outbox.list({ account, status: 'failed', limit: 1000 })) {
          const tries = shop.tries.get(id);
          const tried = tries ? tries.last - tries.first : 0;
          if (tried < DAY - SLACK_MS)
            world.breach('webhooks are tried for a day', `${type} ${id} is given up after ${tried} ms`);
        }
      }
    },
  };
}

import { wasTaken } from '../../../../relay/payments/attempt.ts';
import { MAX_TRIES_PER_HOUR } from '../../world/config.ts';
import { storedOrder } from '../../world/orders.ts';
import type { Request } from '../../world/owner.ts';
import type { Refused, Scene } from '../../world/scene.ts';

const HOUR_MS = 3_600_000;

/** How far the clocks of two relays may differ. */
const SKEW_MS = 1000;

/** An attempt further ahead was counted by a clock that was ahead. It limits nothing. */
const AHEAD_MS = 30_000;

/** The time after a clock was wrong at which the limits are right again. */
const RIGHT_AGAIN_MS = 10 * 60_000;

const MAX_TRIES_PER_SESSION = 5;

/** A client that may not pay causes no query, and only attempts that may have been sent count against a limit. */
export function watchFairness({ world, gateway, relays, store, onRefused }: Scene): void {
  const asking = new WeakSet<Request>();
  gateway.watch({
    sent({ name, owner: { request } }) {
      if (name === 'query' && request) asking.add(request);
    },
  });
  const check = async ({ order_no, session, at, owner: { request } }: Refused, now: number): Promise<void> => {
    // Limits count by the clock.
    if (relays.clocks.wereWrong(now - RIGHT_AGAIN_MS)) return;
    const { attempts } = await storedOrder(store, order_no);
    const isNew = attempts.some(({ started_at }) => Date.parse(started_at) > at - SKEW_MS);
    if (request && asking.has(request) && !isNew)
      world.breach('query limits', `${request.name} asks about ${order_no}, and may not pay`);
    const counted = attempts.filter(({ started_at, settled_at, state }) => {
      const ago = now - Date.parse(started_at);
      if (ago > HOUR_MS + SKEW_MS || ago < -AHEAD_MS - SKEW_MS) return false;
      return state.status !== 'not_sent' || Date.parse(settled_at ?? started_at) > at - SKEW_MS;
    });
    const ofSession = attempts.filter((one) => one.session_id === session && wasTaken(one));
    if (counted.length < MAX_TRIES_PER_HOUR && ofSession.length < MAX_TRIES_PER_SESSION)
      world.breach('limits are fair', `${order_no} may not be paid after ${counted.length} tries in an hour`);
  };
  onRefused.push((refused) => {
    if (refused.code === 'too_many_attempts') void check(refused, world.clock.now());
  });
}

import { isAbandoned } from '../../../../relay/payments/attempt.ts';
import { RETURN_MS } from '../../world/config.ts';
import type { Scene } from '../../world/scene.ts';

/** Clocks of several relays may be this far apart. */
const SKEW_MS = 2000;

/** A bank may book late: a payment of a shopper who is back is looked for as long as configured, unless they give it up. */
export function watchReturns({ world, onWritten }: Scene): void {
  onWritten.push((before, after) => {
    if (world.clock.owner()?.request?.name.includes('abandon')) return;
    for (const { id, state } of before.attempts) {
      if (state.status !== 'redirected' || state.returned_at === undefined) continue;
      const waited = world.clock.now() - Date.parse(state.returned_at);
      const ended = after.attempts.find((one) => one.id === id);
      if (!ended || !isAbandoned(ended) || waited >= RETURN_MS - SKEW_MS) continue;
      world.breach('a return has its time', `${id} of ${after.order_no} is given up ${waited} ms after the return`);
    }
  });
}

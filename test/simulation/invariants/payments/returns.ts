import type { Attempt } from '../../../../relay/payments/attempt.ts';
import { RETURN_MS } from '../../world/config.ts';
import type { Scene } from '../../world/scene.ts';
import { clockError } from './absence.ts';

/** A relay's clock may tell another time than the one that is noted here. */
const SLACK_MS = 2000;

/** True for an attempt that ended because its shopper gave it up, or came back without a record of it. */
function isGivenUp({ state }: Attempt): boolean {
  return state.status === 'not_paid' && (state.reason === 'abandoned' || state.reason === 'not_found');
}

/** A bank may book late: a payment of a shopper who is back is looked for as long as configured, unless they give it up. */
export function watchReturns({ world, relays, onWritten }: Scene): void {
  const back = new Map<string, number>();
  onWritten.push((before, after) => {
    for (const { id, state } of after.attempts)
      if (state.status === 'redirected' && state.returned_at !== undefined && !back.has(id))
        back.set(id, world.clock.now());
    if (world.clock.owner()?.request?.name.includes('abandon')) return;
    for (const { id, state } of before.attempts) {
      if (state.status !== 'redirected' || state.returned_at === undefined) continue;
      const since = back.get(id) ?? Number.NEGATIVE_INFINITY;
      const waited = world.clock.now() - since;
      const ended = after.attempts.find((one) => one.id === id);
      if (!ended || !isGivenUp(ended) || waited >= RETURN_MS - SLACK_MS - clockError(relays, since, RETURN_MS))
        continue;
      world.breach('a return has its time', `${id} of ${after.order_no} is given up ${waited} ms after the return`);
    }
  });
}

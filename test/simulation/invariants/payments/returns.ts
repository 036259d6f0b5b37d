import type { Attempt } from '../../../../relay/payments/attempt.ts';
import { RETURN_MS } from '../../world/config.ts';
import type { Scene } from '../../world/scene.ts';

/** A relay's clock may differ from the time that is recorded here. */
const SLACK_MS = 2000;

/** True for an attempt that ended because its shopper abandoned it, or returned without a record of it. */
function isGivenUp({ state }: Attempt): boolean {
  return state.status === 'not_paid' && (state.reason === 'abandoned' || state.reason === 'not_found');
}

/** True for an attempt whose shopper returned from the issuer's page. */
function isBack({ state }: Attempt): boolean {
  return state.status === 'redirected' && state.returned_at !== undefined;
}

/**
 * A bank may book late: after the shopper's return a payment is searched for the configured time, unless the shopper
 * abandons it. Only the shopper reports the return: on the page, in the form, or by abandoning. A form may be open in
 * another tab.
 */
export function watchReturns({ world, relays, onWritten }: Scene): void {
  const back = new Map<string, number>();
  onWritten.push((before, after) => {
    const name = world.clock.owner()?.request?.name ?? 'no request';
    const wasBack = before.attempts.filter(isBack).map(({ id }) => id);
    for (const { id } of after.attempts.filter(isBack)) {
      if (!back.has(id)) back.set(id, world.clock.now());
      if (!wasBack.includes(id) && !/^(return|say returned) |abandon/.test(name))
        world.breach('a page view is not a return', `${name} brings the shopper of ${id} of ${after.order_no} back`);
    }
    if (name.includes('abandon')) return;
    for (const { id, state } of before.attempts) {
      if (state.status !== 'redirected' || state.returned_at === undefined) continue;
      const since = back.get(id) ?? Number.NEGATIVE_INFINITY;
      const waited = world.clock.now() - since;
      const ended = after.attempts.find((one) => one.id === id);
      if (!ended || !isGivenUp(ended) || waited >= RETURN_MS - SLACK_MS - relays.clocks.error(since, RETURN_MS))
        continue;
      world.breach('a return has its time', `${id} of ${after.order_no} is given up ${waited} ms after the return`);
    }
  });
}

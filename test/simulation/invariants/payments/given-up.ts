import type { Attempt } from '../../../../relay/payments/attempt.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from '../queries/query-log.ts';

/**
 * Only the request `abandon` abandons a payment, and never one by card. A payment at the issuer's page is abandoned
 * after a counted query that began after that request.
 */
export function watchGivenUp({ world, givenUp, onWritten }: Scene, log: QueryLog): void {
  onWritten.push((before, after) => {
    const request = world.clock.owner()?.request;
    const isAsked = request?.name.includes('abandon') ?? false;
    for (const attempt of after.attempts) {
      const was = before.attempts.find(({ id }) => id === attempt.id);
      if (!isAbandoned(attempt) || (was && isAbandoned(was))) continue;
      const { id, method } = attempt;
      if (request === undefined || !isAsked || method === 'card' || method === 'token') {
        world.breach('the shopper gives it up', `${id} (${method}) of ${after.order_no} is, by ${request?.name}`);
        continue;
      }
      givenUp.add(id);
      if (was?.state.status !== 'redirected') continue;
      const { began } = request;
      if (!log.of(after.order_no).some((one) => one.began > began && one.ended !== undefined && one.counts))
        world.breach('the shopper gives it up', `${id} of ${after.order_no} is, and the gateway was not asked`);
    }
  });
}

function isAbandoned({ state }: Attempt): boolean {
  return state.status === 'not_paid' && state.reason === 'abandoned';
}

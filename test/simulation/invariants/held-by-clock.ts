import type { StoredOrder } from '../../../relay/payments/order.ts';
import type { Scene } from '../world/scene.ts';

/**
 * True for an order that needs a person because a clock that was days ahead wrote the start of an attempt, so that its
 * payment seems older than the attempt.
 */
export function isHeldByClock({ relays, started }: Scene, { undecided }: StoredOrder): boolean {
  return undecided?.reason === 'paid_before' && relays.clocks.wereWrong(started);
}

import type { StoredOrder } from '../../../relay/payments/order.ts';
import type { Scene } from '../world/scene.ts';

/**
 * True for an order that waits for a person because the start of an attempt, told by a clock that was days ahead, makes its payment
 * look older.
 */
export function isHeldByClock({ relays, started }: Scene, { undecided }: StoredOrder): boolean {
  return undecided?.reason === 'paid_before' && relays.clocks.wereWrong(started);
}

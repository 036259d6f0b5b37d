import type { Order } from '../../../relay/payments/order.ts';
import type { Transaction } from '../world/gateway/books.ts';
import type { Scene } from '../world/scene.ts';

const DAY_MS = 86_400_000;

/**
 * True for an order that waits for a person because the start of an attempt, told by a clock that was days ahead, makes its payment
 * look older.
 */
export function isHeldByClock({ relays, started }: Scene, { undecided }: Order): boolean {
  return undecided?.reason === 'paid_before' && relays.clocks.wereWrong(started);
}

/** True for a transaction that looks older than its attempt for that reason: it counts as a payment of another channel. */
export function looksOlder({ attempt, read }: Transaction, { attempts }: Order): boolean {
  const own = attempts.find(({ id }) => id === attempt);
  return own !== undefined && Date.parse(own.started_at) > read + DAY_MS;
}

import { type Client, TurnpikeError } from '../../client/index.ts';
import type { Io } from '../base/io.ts';
import { compareOrder } from './compare/compare.ts';
import { canBeFixed } from './compare/records.ts';
import type { Compared } from './compare-period.ts';
import { inOrder, relayOrderOf } from './relay-records.ts';

/** The number of requests to the relay at once. Each makes one query about one order, as often as the relay permits. */
const FIXES_AT_ONCE = 4;

/** The result for an order: no difference any more, still a difference, or no proof in the gateway's answer. */
export type Fixed = { order_no: string; result: 'agrees' | 'differs' | 'failed' };

/**
 * Makes the relay query the gateway about orders now, and compares them again. Nothing else is written. Never throws.
 */
export async function* fixAll(
  io: Io,
  client: Client,
  orders: readonly Compared[],
): AsyncGenerator<Fixed, void, undefined> {
  yield* inOrder(orders, FIXES_AT_ONCE, async ({ order_no, gatewayOrder }): Promise<Fixed> => {
    try {
      const { last_query } = await client.orders.reconcile(order_no);
      if (last_query?.counted === false) return { order_no, result: 'failed' };
      const order = await client.orders.get(order_no);
      // Findings that are still unknown, or cannot be queried, do not depend on this query.
      const left = compareOrder(order_no, relayOrderOf(order), gatewayOrder, io.now()).filter(canBeFixed);
      return { order_no, result: left.length === 0 ? 'agrees' : 'differs' };
    } catch (error) {
      if (error instanceof TurnpikeError) return { order_no, result: 'failed' };
      throw error;
    }
  });
}

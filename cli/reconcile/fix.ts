import { type Client, TurnpikeError } from '../../client/index.ts';
import type { Io } from '../base/io.ts';
import { compareOrder } from './compare/compare.ts';
import { canBeFixed } from './compare/sides.ts';
import type { Compared } from './compare-period.ts';
import { hereOf, inOrder } from './here.ts';

/** Requests to the relay at once; each makes one query about one order, as often as the relay allows. */
const AT_ONCE = 4;

/** What became of an order: the books agree now, still differ, or the gateway's answer proved nothing. */
export type Fixed = { order_no: string; result: 'agrees' | 'differs' | 'failed' };

/** Has the relay ask the gateway about orders now, and compares them again. Nothing else is written. Never throws. */
export async function* fixAll(
  io: Io,
  client: Client,
  orders: readonly Compared[],
): AsyncGenerator<Fixed, void, undefined> {
  yield* inOrder(orders, AT_ONCE, async ({ order_no, there }): Promise<Fixed> => {
    try {
      const { last_query } = await client.orders.reconcile(order_no);
      if (last_query?.counted === false) return { order_no, result: 'failed' };
      const order = await client.orders.get(order_no);
      // What is still unknown or cannot be asked of the gateway is no matter of this query.
      const left = compareOrder(order_no, hereOf(order), there, io.now()).filter(canBeFixed);
      return { order_no, result: left.length === 0 ? 'agrees' : 'differs' };
    } catch (error) {
      if (error instanceof TurnpikeError) return { order_no, result: 'failed' };
      throw error;
    }
  });
}

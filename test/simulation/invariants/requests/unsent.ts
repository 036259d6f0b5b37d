import type { Attempt } from '../../../../relay/payments/attempt.ts';
import { storedOrder } from '../../world/orders.ts';
import type { Life, Request } from '../../world/owner.ts';
import { isLongBack, SENDABLE_MS } from '../../world/relay-process.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';

/** An attempt or operation that a relay made durable before sending it. */
type Begun = { id: string; order?: string; at: number; life: Life; request: Request | undefined; isSent: boolean };

/**
 * An attempt or operation that a relay made durable and did not send ends as not sent, even if the store failed after
 * writing it, and refuses no payment soon after the store is back. A relay that died meanwhile may not know.
 */
export function watchUnsent({ world, gateway, relays, store, onBegun, onWritten, onRefused }: Scene): {
  finalBreaches(): Promise<Breach[]>;
} {
  const begun: Begun[] = [];
  const begin = (thing: { id: string; order?: string }): void => {
    const owner = world.clock.owner();
    const at = world.clock.now();
    if (owner) begun.push({ ...thing, at, life: owner.life, request: owner.request, isSent: false });
  };
  onBegun.push(({ id }) => begin({ id }));
  onWritten.push((before, { attempts, order_no: order }) => {
    const known = before.attempts.map(({ id }) => id);
    for (const { id } of attempts) if (!known.includes(id)) begin({ id, order });
  });
  gateway.watch({
    sent({ name, owner: { request }, attempt }) {
      if (name === 'query' || name === 'refund_search') return;
      const own = begun.findLast((one) => (attempt === undefined ? one.request === request : one.id === attempt));
      if (own) own.isSent = true;
    },
  });
  const statusOf = async ({ id, order }: Begun): Promise<string | undefined> => {
    if (order === undefined) return (await store.operations.get(id))?.state.status;
    return (await storedOrder(store, order)).attempts.find((one) => one.id === id)?.state.status;
  };
  const refusing = async (orderNo: string, since: number): Promise<void> => {
    const { attempts } = await storedOrder(store, orderNo);
    const unsent = begun.filter(
      ({ order, at, isSent, life }) => order === orderNo && at < since && !isSent && !life.dead,
    );
    const holding = attempts.find(({ id, state }) => isOpen(state) && unsent.some((one) => one.id === id));
    if (holding) world.breach('what was not sent can be sent', `${holding.id} of ${orderNo} still holds it`);
  };
  onRefused.push(({ order_no, code, at }) => {
    if (isLongBack(relays.trouble, at) && (code === 'order_in_progress' || code === 'attempt_in_flight'))
      void refusing(order_no, at - SENDABLE_MS);
  });
  return {
    async finalBreaches() {
      const found: Breach[] = [];
      for (const one of begun.filter(({ isSent, life }) => !isSent && !life.dead)) {
        const status = (await statusOf(one)) ?? 'not_sent';
        // While it was in flight, a query showed a payment of the same amount by another channel.
        const isPaidBesides = gateway.books.transactions.some(
          (paid) => paid.order_no === one.order && paid.session === undefined && paid.status === 'approved',
        );
        if (status === 'not_sent' || (status === 'approved' && isPaidBesides)) continue;
        found.push({ invariant: 'what was not sent is known', detail: `${one.id} was not sent, and is ${status}` });
      }
      return found;
    },
  };
}

function isOpen({ status }: Attempt['state']): boolean {
  return status === 'in_flight' || status === 'unknown';
}

import { canBeSettled } from '../../../../relay/payments/operations/operation.ts';
import type { Step } from '../../steps.ts';
import type { Intent } from '../owner.ts';
import type { Scene } from '../scene.ts';

/** An operation that a relay began, its request and its intent. */
type Begun = { id: string; asked: number; intent: Intent };

/**
 * People who settle operations: by the gateway's books, or as succeeded. They do not settle payouts, which notifications decide, and
 * refused refunds, which may be made later.
 */
export function createOperationDecisions({ world, gateway, relays, apiFor, store, onBegun }: Scene): {
  settle(step: Extract<Step, { do: 'settle operation' }>, name: string): Promise<void>;
} {
  const begun: Begun[] = [];
  onBegun.push(({ id, name }) => {
    const request = world.clock.owner()?.request;
    if (request?.intent && name !== 'payout') begun.push({ id, asked: request.began, intent: request.intent });
  });
  return {
    async settle({ back, says, relay }, name) {
      const open: Begun[] = [];
      for (const one of begun) {
        const operation = await store.operations.get(one.id);
        if (operation && canBeSettled(operation) && one.intent.fate.does !== 'refused_400') open.push(one);
      }
      const one = open.at(-1 - (back % Math.max(1, open.length)));
      if (!one) return;
      const done = gateway.executions.filter(({ asked, moves }) => asked === one.asked && moves);
      const items = Array.from({ length: 1 + (one.intent.fate.more?.length ?? 0) }, (_, at) =>
        done.some(({ item }) => item === at) ? ('succeeded' as const) : ('failed' as const),
      );
      const body = says === 'truth' ? { outcome: 'failed' as const, items } : { outcome: says };
      const decision = { ...body, note: 'looked at the books' };
      const http = apiFor(one.intent.about).settleOperation(one.id, decision, name);
      await relays.request(relay, { name: `${name} settle operation` }, http);
    },
  };
}

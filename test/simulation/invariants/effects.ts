import type { Operation } from '../../../relay/payments/operations/operation.ts';
import { namesOf } from '../../../relay/payments/operations/refund-names.ts';
import { toMinor } from '../../../shared/gateway/amounts.ts';
import type { Scene } from '../world/scene.ts';
import type { Breach } from '../world/world.ts';

/** No refund, capture or payout is done twice, no more is refunded than was paid, and what a search tells is known. */
export function watchEffects({ world, gateway, store, vouched }: Scene): {
  check(): void;
  atRest(): Promise<Breach[]>;
} {
  let seen = 0;
  const intents = new Set<string>();
  const refunded = new Map<string, bigint>();
  return {
    check() {
      for (; seen < gateway.executions.length; seen++) {
        const one = gateway.executions[seen];
        if (!one?.moves) continue;
        const { name, intent, reference, transaction_id } = one;
        if (intents.has(intent)) world.breach('effects once', `${name} ${reference} is done again for ${intent}`);
        intents.add(intent);
        if (name !== 'refund') continue;
        const sum = (refunded.get(transaction_id) ?? 0n) + toMinor(one.refund_amount, 'BRL');
        refunded.set(transaction_id, sum);
        const paid = toMinor(gateway.books.transactions.find(({ id }) => id === transaction_id)?.amount ?? '0', 'BRL');
        // A person may say that a transaction paid which there is not, or which is of another amount.
        const told = vouched.get(transaction_id) ?? 0n;
        const most = paid > told ? paid : told;
        if (sum > most) world.breach('refunds within the payment', `${sum} of ${most} of ${transaction_id}`);
      }
    },
    async atRest() {
      const refunds = gateway.executions.filter(({ name }) => name === 'refund');
      const payments = new Set(refunds.map(({ transaction_id }) => transaction_id));
      const operations = await store.refundsOf('demo', [...payments]);
      return operations.flatMap((operation) => {
        const names = namesOf(operation);
        // A message of the simulation holds one refund.
        const refund = refunds.find(({ reference }) => names.includes(reference));
        const truth = refund?.moves ? 'succeeded' : 'failed';
        const known = outcomeOf(operation);
        if (!refund || known === truth) return [];
        const detail = `${refund.reference} ${truth}, and ${operation.id} is ${known ?? operation.state.status}`;
        return [{ invariant: 'a refund ends as a search tells', detail }];
      });
    },
  };
}

function outcomeOf({ state }: Operation): string | undefined {
  if (state.status === 'settled') return state.settlement.items.join();
  return state.status === 'answered' ? state.items.join() : undefined;
}

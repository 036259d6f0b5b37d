import { toHundredths } from '../../../shared/gateway/amounts.ts';
import type { Scene } from '../world/scene.ts';

/** No refund, capture or payout is done twice, and no more is refunded than was paid. */
export function watchEffects({ world, gateway, vouched }: Scene): { check(): void } {
  let seen = 0;
  const intents = new Set<string>();
  const refunded = new Map<string, bigint>();
  return {
    check() {
      for (; seen < gateway.executions.length; seen++) {
        const one = gateway.executions[seen];
        if (!one) continue;
        const { name, intent, reference, transaction_id } = one;
        if (intents.has(intent)) world.breach('effects once', `${name} ${reference} is done again for ${intent}`);
        intents.add(intent);
        if (name !== 'refund') continue;
        const sum = (refunded.get(transaction_id) ?? 0n) + toHundredths(one.refund_amount);
        refunded.set(transaction_id, sum);
        const paid = toHundredths(gateway.books.transactions.find(({ id }) => id === transaction_id)?.amount ?? '0');
        // A person may say that a transaction paid which there is not, or which is of another amount.
        const told = vouched.get(transaction_id) ?? 0n;
        const most = paid > told ? paid : told;
        if (sum > most) world.breach('refunds within the payment', `${sum} of ${most} of ${transaction_id}`);
      }
    },
  };
}

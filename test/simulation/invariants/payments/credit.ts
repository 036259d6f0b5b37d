import { type Attempt, isUnsettled, wasSent } from '../../../../relay/payments/attempt.ts';
import { CLOCK_TOLERANCE_MS } from '../../../../relay/payments/settlement/records.ts';
import type { Transaction } from '../../world/gateway/books.ts';
import type { Scene } from '../../world/scene.ts';

/**
 * A payment is credited to the attempt that the gateway charged, where that can be known: by a transaction_id of its own, or because
 * it is the only unsettled attempt of the sum or, if none is, the latest that has no other transaction.
 */
export function watchCredit({ world, gateway, onWritten, vouched }: Scene): void {
  onWritten.push((before, after) => {
    if (after.payments === before.payments) return;
    for (const { transaction_id: id, attempt_id } of after.payments) {
      const one = gateway.books.transactions.find((transaction) => transaction.id === id);
      if (!one?.attempt || vouched.has(id) || before.payments.some(({ transaction_id }) => transaction_id === id))
        continue;
      const own = after.attempts.find((attempt) => attempt.transaction_id === id)?.id ?? likelyOf(one, before.attempts);
      if (own !== one.attempt || attempt_id === own) continue;
      world.breach('credit where it is due', `${id} of ${after.order_no} is credited to ${attempt_id}, not to ${own}`);
    }
  });
}

/** An attempt that was approved, or declined by a signed answer, under another transaction is not the one where another may be. */
function likelyOf({ id, amount, currency, read }: Transaction, attempts: readonly Attempt[]): string | undefined {
  const equal = attempts.filter(
    (attempt) =>
      wasSent(attempt) &&
      attempt.amount === amount &&
      attempt.currency === currency &&
      Date.parse(attempt.started_at) <= read + CLOCK_TOLERANCE_MS,
  );
  const isOfOther = ({ transaction_id, state }: Attempt): boolean =>
    transaction_id !== undefined &&
    transaction_id !== id &&
    (state.status === 'approved' || (state.status === 'declined' && state.proof === 'answer'));
  return (equal.find(isUnsettled) ?? equal.findLast((one) => !isOfOther(one)) ?? equal.at(-1))?.id;
}

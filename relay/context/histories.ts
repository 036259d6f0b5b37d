import {
  type Histories,
  type PaymentHistory,
  type RefusalPeriod,
  recentRefusals,
  refundsIn,
  withCountedRefusals,
} from '../payments/ledger/payment-operation.ts';
import type { KeptHistory } from '../store/facets/listing.ts';
import { type Context, type Refunded, refundedOfPayments } from './context.ts';

/**
 * The histories of an account's payments, that is the operations on them. Throws StoreError.
 * @param taken the refunded sums from before this call; they are read if left out
 */
export async function historiesOf(
  context: Context,
  account: string,
  transactionIds: readonly string[],
  taken?: Refunded,
): Promise<Histories> {
  if (transactionIds.length === 0) return new Map();
  const { store, config, now } = context;
  const sums = taken ?? (await refundedOfPayments(context, account, transactionIds));
  const [operations, refunds] = await Promise.all([
    store.operations.onPayments(account, transactionIds),
    sums.size > 0 ? store.operations.refundsOf(account, transactionIds) : [],
  ]);
  const refused = recentRefusals(now(), config.resolve.absent_ms);
  return historiesFrom(transactionIds, { operations, refunds, taken: sums }, refused);
}

/**
 * The histories of payments from their stored operations.
 * @param refused the period of counted refusals; none if the result is kept for longer than that
 */
export function historiesFrom(
  transactionIds: readonly string[],
  { operations, refunds, taken }: KeptHistory,
  refused?: RefusalPeriod,
): Histories {
  const own = Map.groupBy(operations, ({ transaction_id }) => transaction_id);
  return new Map(
    [...new Set(transactionIds)].map((id): [string, PaymentHistory] => {
      const history = {
        operations: refused ? withCountedRefusals(own.get(id) ?? [], refused) : (own.get(id) ?? []),
        refunds: refundsIn(refunds, id),
        taken: taken.get(id) ?? 0n,
      };
      return [id, history];
    }),
  );
}

import {
  counted,
  type Histories,
  type PaymentHistory,
  recentRefusals,
  refundsIn,
} from '../payments/ledger/payment-operation.ts';
import type { KeptHistory } from '../store/facets/listing.ts';
import { type Context, type Refunded, refundedOfPayments } from './context.ts';

/**
 * What operations did to these payments of an account, as of now. Throws StoreError.
 * @param taken what counted as refunded of them before this was called; it is read if left out
 */
export async function historiesOf(
  context: Context,
  account: string,
  transactionIds: readonly string[],
  taken?: Refunded,
): Promise<Histories> {
  if (transactionIds.length === 0) return new Map();
  const { store } = context;
  const sums = taken ?? (await refundedOfPayments(context, account, transactionIds));
  const [operations, refunds] = await Promise.all([
    store.operations.onPayments(account, transactionIds),
    sums.size > 0 ? store.operations.refundsOf(account, transactionIds) : [],
  ]);
  return historiesFrom(context, transactionIds, { operations, refunds, taken: sums });
}

/** What operations did to these payments by what is kept of them, as of now: what the gateway refused counts for a while. */
export function historiesFrom(
  { config, now }: Pick<Context, 'config' | 'now'>,
  transactionIds: readonly string[],
  { operations, refunds, taken }: KeptHistory,
): Histories {
  const refused = recentRefusals(now(), config.resolve.absent_ms);
  const own = Map.groupBy(operations, ({ transaction_id }) => transaction_id);
  return new Map(
    [...new Set(transactionIds)].map((id): [string, PaymentHistory] => {
      const history = {
        operations: counted(own.get(id) ?? [], refused),
        refunds: refundsIn(refunds, id),
        taken: taken.get(id) ?? 0n,
      };
      return [id, history];
    }),
  );
}

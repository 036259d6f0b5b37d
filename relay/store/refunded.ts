import type { Order } from '../payments/order.ts';
import type { Context } from './context.ts';

/** What refunds took of payments, by their transaction_id, in minor units. It has none of which they took nothing. */
export type Refunded = ReadonlyMap<string, bigint>;

/** What refunds took of an order's payments; what is not known yet counts. Throws StoreError. */
export async function refundedOf(context: Context, { account, payments, sessions }: Order): Promise<Refunded> {
  return refundedOfPayments(context, account, [
    ...payments.map(({ transaction_id }) => transaction_id),
    ...sessions.flatMap(({ state }) => (state.status === 'approved' ? [state.transaction_id] : [])),
  ]);
}

/** The same of an account's payments, in one read. Throws StoreError. */
export async function refundedOfPayments(
  { store }: Context,
  account: string,
  transactionIds: readonly string[],
): Promise<Refunded> {
  const ids = [...new Set(transactionIds)];
  const sums = ids.length === 0 ? [] : await store.refunded(account, ids);
  return new Map(sums.map(({ transaction_id, sum }) => [transaction_id, sum]));
}

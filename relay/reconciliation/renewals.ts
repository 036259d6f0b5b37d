import type { OrderRecord } from '../../shared/gateway/query.ts';
import { updatePayments } from '../commit/commit.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { identifierIn } from '../gateway/outcome.ts';
import { wasSent } from '../payments/attempt.ts';
import type { Histories } from '../payments/ledger/payment-operation.ts';
import { isRenewal, type StoredOrder, transactionIdsOf } from '../payments/order.ts';
import { withNextQuery } from '../payments/schedule.ts';
import { followPayments } from '../payments/settlement/confirmation.ts';
import {
  chargesIn,
  isNoted,
  noteCharges,
  payRenewal,
  type ShownCharge,
  withNotedCharges,
} from '../payments/settlement/contracts.ts';
import { closePaid } from '../payments/settlement/release.ts';
import { type Decision, startDecision, withOrder } from '../payments/transitions.ts';
import { contractTerm } from '../store/facets/listing.ts';

/** The maximum number of orders of a contract that are read to find the one that began it, which is the oldest. */
const MAX_ORDERS = 5;

/** Records of counted queries of an account; `at` is when the first of these began (ISO 8601). */
type Found = { account: string; records: readonly OrderRecord[]; at: string };

/**
 * Applies later charges that records show. A successful charge becomes a payment of the order with its number, usually its own order.
 * Every charge is noted with the order that began the contract. Repeating it changes nothing, so a failure in between is repaired when
 * the charge is shown again. False if the records show nothing new. Throws StoreError.
 * @param known orders that were read a moment ago
 */
export async function takeUpCharges(
  context: Context,
  { account, records, at }: Found,
  known: readonly StoredOrder[] = [],
): Promise<boolean> {
  const byContract = Map.groupBy(records, ({ subscription_result }) => identifierIn(subscription_result?.recurring_id));
  let isNew = false;
  for (const [id, of] of byContract) {
    if (id === undefined || of.every(({ transaction_id }) => known.some((order) => isItsOwn(order, transaction_id))))
      continue;
    const first = known.find((order) => hasBegun(order, id)) ?? (await contractOrder(context, account, id));
    if (!first) continue;
    const shown = chargesIn(first, of, rulesOf(context.config)).filter(({ charge }) => !isNoted(first, charge));
    if (shown.length > 0 && (await takeUp(context, first, shown, at))) isNew = true;
  }
  return isNew;
}

/** True for a payment of the order's sessions. Most records belong to one. */
function isItsOwn({ payments }: StoredOrder, id: string | null | undefined): boolean {
  return payments.some((payment) => payment.transaction_id === id && !isRenewal(payment));
}

function hasBegun({ payments }: StoredOrder, recurringId: string): boolean {
  return payments.some((payment) => payment.recurring_id === recurringId && !isRenewal(payment));
}

/** The order whose payment began a contract, by the list of orders, if the relay knows it. Throws StoreError. */
export async function contractOrder({ store }: Context, account: string, id: string): Promise<StoredOrder | undefined> {
  const numbers = await store.listing.oldest(account, contractTerm(id), MAX_ORDERS);
  const orders = await store.orders.getMany(account, numbers);
  return orders.find((order) => hasBegun(order, id));
}

async function takeUp(context: Context, before: StoredOrder, shown: ShownCharge[], at: string): Promise<boolean> {
  const { account } = before;
  const first = withNotedCharges(before, shown, context.now());
  const taken: ShownCharge[] = [];
  for (const one of shown) {
    const { order_no, transaction_id } = one.charge;
    const paid = await context.store.operations.ordersPaidBy(account, [transaction_id]);
    if (paid.some((number) => number !== order_no)) continue;
    if (order_no === first.order_no || (await payOwnOrder(context, first, one, at))) taken.push(one);
  }
  if (taken.length === 0) return false;
  await updatePayments(
    context,
    before,
    (order) => [...transactionIdsOf(order), ...taken.map(({ charge }) => charge.transaction_id)],
    (order, histories) => {
      const noted = noteCharges(startDecision(order), taken, context.now());
      return noted.order === order ? undefined : withFollowedPayments(context, noted, taken, at, histories);
    },
    () => ({}),
  );
  return true;
}

/** Pays the order with the number of a charge. False if something was sent for that order: then its own queries settle its records. */
async function payOwnOrder(context: Context, first: StoredOrder, one: ShownCharge, at: string): Promise<boolean> {
  const { order } = await updatePayments(
    context,
    { account: first.account, order_no: one.charge.order_no },
    (order) => [...transactionIdsOf(order), one.charge.transaction_id],
    (order, histories) => {
      if (order.attempts.some(wasSent)) return undefined;
      const paid = payRenewal(startDecision(order), first, one, context.now());
      if (paid.order === order) return undefined;
      const asked =
        order.version > 0 ? paid : withOrder(paid, { queries: { last: { at, counted: true }, failures: 0 } });
      return withFollowedPayments(context, closePaid(asked), [one], at, histories);
    },
    () => ({}),
  );
  return !order.attempts.some(wasSent);
}

/** The decision with the records of these charges applied to their payments. */
function withFollowedPayments(
  context: Context,
  decision: Decision,
  shown: readonly ShownCharge[],
  at: string,
  histories: Histories,
): Decision {
  const [now, rules] = [context.now(), rulesOf(context.config)];
  const records = shown.map(({ record }) => record);
  return withNextQuery(followPayments(decision, { records, counted: false, at, histories }, now, rules), now, rules);
}

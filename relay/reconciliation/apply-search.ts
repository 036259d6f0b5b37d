import type { RefundItem, RefundRecord } from '../../shared/gateway/refund.ts';
import { commitOperation } from '../commit/commit.ts';
import { operationEvents } from '../commit/operation-events.ts';
import type { Account } from '../config/load.ts';
import { type Context, momentOf, nowWithoutJumps, type Refunded, refundedOfPayments } from '../context/context.ts';
import { MAX_CLOCK_SKEW_MS, type Moment } from '../payments/absence-clock.ts';
import { afterRefundSearch, showsMore } from '../payments/operations/after-refund-search.ts';
import { countedRefunds, refundItems } from '../payments/operations/counted-refunds.ts';
import { type Match, matchRefunds } from '../payments/operations/match-refunds.ts';
import {
  canBeSettled,
  gaveUp,
  isWatched,
  nextSearchAt,
  type StoredOperation,
} from '../payments/operations/operation.ts';
import type { Before, Searched } from './refund-search.ts';

/**
 * Applies a search to one refund, with regard to the other refunds of its payments. Throws StoreError.
 * @param begun when the search began
 */
export async function applySearch(
  context: Context,
  operation: StoredOperation,
  searched: Extract<Searched, { counted: true }>,
  begun: Moment,
): Promise<void> {
  const payments = refundItems(operation.request).map(({ transaction_id }) => transaction_id);
  const refunds = await context.store.operations.refundsOf(operation.account, payments);
  const found = matchedAmong(context, operation, searched.records, refunds);
  // What counts as not made needs no further proof.
  const isProved = searched.whole || found.kind !== 'absent' || isWatched(operation);
  await writeSearch(context, operation, isProved ? found : { kind: 'undecided' }, begun);
}

/**
 * Whether another refund of payments may be sent. `late`: not yet, because the gateway shows an earlier refund (`isThere`) or may have made
 * one. `none`: yes. `refunded`, if given, are sums that must not have changed when it is sent.
 */
type LateRefund =
  | { kind: 'late'; operation: StoredOperation; isThere: boolean }
  | { kind: 'none'; refunded?: Refunded };

/**
 * Finds a late refund before another refund of the payments is sent: one that counts as not made, or that the gateway refused, and that
 * the gateway shows now or may have made. Writes the result. A refund that another search found since the request began is late, too.
 * Throws StoreError.
 * @param shown the refunds of these payments at the gateway, if its answer counts
 * @param begun when the request for the other refund began
 * @returns the first late refund; if there is none but one may still appear, the sums that change when it appears
 */
export async function lateRefund(
  context: Context,
  account: Account,
  items: readonly RefundItem[],
  shown: Before['shown'],
  begun: Date,
): Promise<LateRefund> {
  // Most payments have no refund yet, and nothing is read for them.
  if (shown?.whole && shown.records.length === 0) return { kind: 'none' };
  const payments = items.map(({ transaction_id }) => transaction_id);
  const read = () => context.store.operations.refundsOf(account.id, payments);
  const foundIn = (refunds: readonly StoredOperation[]): LateRefund | undefined => {
    const operation = refunds.find((one) => isFoundLate(one, begun, context.now()));
    return operation && { kind: 'late', operation, isThere: true };
  };
  const refunds = await read();
  const found = foundIn(refunds);
  if (found) return found;
  const suspects = refunds.filter(mayComeLate);
  for (const operation of suspects) {
    if (!shown) return { kind: 'late', operation, isThere: false };
    const found = matchedAmong(context, operation, shown.records, refunds);
    const isSeen = showsMore(operation, found);
    if (found.kind === 'absent' && !isSeen) continue;
    // An open refund waits for its own searches, unless this search settles it. A write made meanwhile has the same result.
    if (found.kind === 'found' || (isSeen && isWatched(operation)))
      await writeSearch(context, operation, found, momentOf(context));
    return { kind: 'late', operation, isThere: true };
  }
  const [first] = suspects;
  if (!first) return { kind: 'none' };
  if (!shown?.whole) return { kind: 'late', operation: first, isThere: false };
  // A refund that is found from now on changes a sum.
  const refunded = await refundedOfPayments(context, account.id, payments);
  return foundIn(await read()) ?? { kind: 'none', refunded };
}

/** True for a refund that was answered as not made, and that the gateway may book late. */
function mayComeLate(operation: StoredOperation): boolean {
  if (operation.state.status === 'refused' && operation.state.reserved) return true;
  return isWatched(operation) && nextSearchAt(operation) !== undefined;
}

/**
 * True for a refund that counted as not made, or that the gateway refused, and that a search showed between these moments: the shop
 * requested another one without knowing that.
 */
function isFoundLate({ state, settled_at, lookup }: StoredOperation, from: Date, to: Date): boolean {
  const isBetween = (time = '') =>
    Date.parse(time) > from.getTime() && Date.parse(time) <= to.getTime() + MAX_CLOCK_SKEW_MS;
  if (isBetween(lookup?.reopened_at)) return true;
  if (state.status !== 'settled' || state.settlement.by !== 'refund_search') return false;
  const { late = false, refund_reference_ids: found } = state.settlement;
  const wasRefused = state.reason === undefined && state.answer === undefined;
  return (late || (wasRefused && found.length > 0)) && isBetween(settled_at);
}

function matchedAmong(
  { config }: Context,
  operation: StoredOperation,
  records: readonly RefundRecord[],
  refunds: readonly StoredOperation[],
): Match {
  const others = refunds.filter(({ id }) => id !== operation.id);
  return matchRefunds(operation, records, others, config.gateway.profile.codes);
}

/**
 * Writes the result of a search. False if a person or the gateway settled the operation meanwhile. Throws StoreError.
 * @param begun when the search began
 */
export async function writeSearch(
  context: Context,
  operation: StoredOperation,
  found: Parameters<typeof afterRefundSearch>[1],
  begun: Moment,
): Promise<boolean> {
  const next = afterRefundSearch(
    operation,
    found,
    begun,
    context.now(),
    context.config.resolve,
    nowWithoutJumps(context),
  );
  const isReopened = isWatched(operation) && canBeSettled(next);
  const counted = canBeSettled(next) ? undefined : countedRefunds(next);
  const events = operationEvents(context, operation, next);
  const reserved = isReopened ? refundItems(next.request).map(() => true) : undefined;
  const change = { operation: next, events, counted: counted ?? reserved };
  if (!(await commitOperation(context, operation, change))) return false;
  const { id, name } = operation;
  context.log.info({ operation: id, name, outcome: found.kind, status: next.state.status }, 'refund reconciled');
  if (isReopened || (isWatched(operation) && events.length > 0)) {
    context.log.error(
      { operation: id, name },
      'a refund that counted as not made was found: it may have been made twice',
    );
  }
  if (gaveUp(operation, next)) {
    context.metrics.gaveUp('operation');
    context.log.error({ operation: id, name }, 'outcome still unknown: a person must check the gateway’s books');
  }
  return true;
}

import type { RefundItem, RefundRecord } from '../../shared/gateway/refund.ts';
import type { Account } from '../config/load.ts';
import { afterRefundSearch, showsMore } from '../payments/operations/after-refund-search.ts';
import { type Match, matchRefunds } from '../payments/operations/match-refunds.ts';
import { gaveUp, isWatched, nextLookAt, type Operation } from '../payments/operations/operation.ts';
import { countedRefunds, refundItems } from '../payments/operations/refund-rule.ts';
import type { Moment } from '../payments/waited.ts';
import { type Context, momentOf, steadyNow } from '../store/context.ts';
import { commitOperation } from '../webhooks/commit.ts';
import { operationEvents } from '../webhooks/operation-events.ts';
import type { Searched } from './refund-search.ts';

/**
 * Writes what a search tells of one refund, beside the other refunds of its payments. Throws StoreError.
 * @param begun when the search began
 */
export async function applySearch(
  context: Context,
  operation: Operation,
  searched: Extract<Searched, { counted: true }>,
  begun: Moment,
): Promise<void> {
  const payments = refundItems(operation.request).map(({ transaction_id }) => transaction_id);
  const refunds = await context.store.refundsOf(operation.account, payments);
  const found = matchedAmong(context, operation, searched.records, refunds);
  const isProved = searched.whole || found.kind !== 'absent';
  await writeSearch(context, operation, isProved ? found : { kind: 'undecided' }, begun);
}

/**
 * Looks, before another refund of payments is sent, whether one that counted as not made is there now, and writes that. Throws
 * StoreError.
 * @param records what the gateway has of these payments
 * @returns the first such refund
 */
export async function lateRefund(
  context: Context,
  account: Account,
  items: readonly RefundItem[],
  records: readonly RefundRecord[],
): Promise<Operation | undefined> {
  if (records.length === 0) return undefined;
  const payments = items.map(({ transaction_id }) => transaction_id);
  const refunds = await context.store.refundsOf(account.id, payments);
  for (const operation of refunds) {
    if (!isWatched(operation) || nextLookAt(operation) === undefined) continue;
    const found = matchedAmong(context, operation, records, refunds);
    if (showsMore(operation, found) && (await writeSearch(context, operation, found, momentOf(context))))
      return operation;
  }
  return undefined;
}

function matchedAmong(
  { config }: Context,
  operation: Operation,
  records: readonly RefundRecord[],
  refunds: readonly Operation[],
): Match {
  const others = refunds.filter(({ id }) => id !== operation.id);
  return matchRefunds(operation, records, others, config.gateway.profile.codes);
}

/**
 * Writes what a search told. False where a person or the gateway said meanwhile what became of the operation. Throws StoreError.
 * @param begun when the search began
 */
export async function writeSearch(
  context: Context,
  operation: Operation,
  found: Parameters<typeof afterRefundSearch>[1],
  begun: Moment,
): Promise<boolean> {
  const next = afterRefundSearch(operation, found, begun, context.now(), context.config.resolve, steadyNow(context));
  const counted = next.settled_at === undefined ? undefined : countedRefunds(next);
  const events = operationEvents(context, operation, next);
  const change = { operation: next, events, ...(counted ? { counted } : {}) };
  if (!(await commitOperation(context, change))) return false;
  const { id, name } = operation;
  context.log.info({ operation: id, name, outcome: found.kind, status: next.state.status }, 'refund reconciled');
  if (isWatched(operation) && events.length > 0) {
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

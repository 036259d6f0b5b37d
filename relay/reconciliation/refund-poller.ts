import type { RefundRecord } from '../../shared/gateway/refund.ts';
import { logFailure, type Polling, startPolling } from '../base/polling.ts';
import type { Account } from '../config/load.ts';
import { afterRefundSearch } from '../payments/operations/after-refund-search.ts';
import { type Match, matchRefunds } from '../payments/operations/match-refunds.ts';
import { gaveUp, type Operation, type RefundSearchResult } from '../payments/operations/operation.ts';
import { countedRefunds, refundItems } from '../payments/operations/refund-rule.ts';
import { accountOf, type Context, leaseOf } from '../store/context.ts';
import { commitOperation } from '../webhooks/commit.ts';
import { operationEvents } from '../webhooks/operation-events.ts';
import { takeOverOperations } from './orphaned.ts';
import { MAX_NAMES, type SearchedBy, searchFor, searchRefunds } from './refund-search.ts';

const BATCH = 100;

/** Between two polls; shorter where the first search is due sooner. */
const MAX_PAUSE_MS = 500;

/** The most searches that one failed search is split into: enough to find several refunds at fault among a hundred. */
const MAX_SEARCHES = 40;

/** A refund whose search is due, and what it asks for. */
type Due = SearchedBy & { operation: Operation };

/** Asks the gateway what became of refunds. */
type RefundPoller = {
  /**
   * Asks about the refunds whose next search is due, several of an account in one search; begins no further search once
   * `stopping`. Throws StoreError.
   */
  poll(stopping?: AbortSignal): Promise<void>;
};

/** Takes over what crashed relays left, and polls until stopped. */
export function startRefundPoller(context: Context): Polling {
  const poller = createRefundPoller(context);
  const everyMs = Math.min(MAX_PAUSE_MS, context.config.resolve.first_ms);
  return startPolling(context.log, 'refunds', everyMs, async (stopping) => {
    await takeOverOperations(context);
    await poller.poll(stopping);
  });
}

function createRefundPoller(context: Context): RefundPoller {
  /** One search. Where its content may explain that it does not count, each half is asked for by itself. */
  const reconcile = async (account: Account, whole: readonly Due[], isOver: () => boolean): Promise<void> => {
    // Split elsewhere each time: where not every part is asked for, others are left out the next time.
    const first = context.now().getTime() % whole.length;
    const batches = [[...whole.slice(first), ...whole.slice(0, first)]];
    for (const batch of batches) {
      const [one] = batch;
      if (!one || isOver()) return;
      const searched = await searchRefunds(context, account, { list: one.list, names: allNames(batch) });
      if (!searched.counted && searched.own && batch.length > 1 && batches.length + 2 <= MAX_SEARCHES) {
        const middle = Math.ceil(batch.length / 2);
        batches.push(batch.slice(0, middle), batch.slice(middle));
        continue;
      }
      for (const { operation } of batch) {
        const found = searched.counted
          ? await matched(context, account, operation, searched.records)
          : { kind: searched.result };
        await write(context, operation, found);
      }
    }
  };

  return {
    async poll(stopping) {
      const lease = leaseOf(context, BATCH);
      const accounts = context.config.accounts.map(({ id }) => id);
      const leased = await context.store.leaseDueOperations(lease, accounts);
      // Whoever gets the rest when the lease is over must be the only one who asks for it.
      const isOver = (): boolean => stopping?.aborted === true || context.now().toISOString() >= lease.until;
      // One account's trouble must not keep the others waiting.
      const asked = [...Map.groupBy(leased, ({ account }) => account)].map(async ([id, operations]) => {
        const due = await searchable(context, operations);
        for (const batch of batchesOf(due)) await reconcile(accountOf(context, id), batch, isOver);
      });
      for (const done of await Promise.allSettled(asked)) {
        if (done.status === 'rejected') logFailure(context.log, 'refunds', done.reason);
      }
    },
  };
}

/** What the records of a search tell of one refund, beside the other refunds of its payments. */
async function matched(
  context: Context,
  account: Account,
  operation: Operation,
  records: readonly RefundRecord[],
): Promise<Match> {
  const payments = refundItems(operation.request).map(({ transaction_id }) => transaction_id);
  const others = (await context.store.refundsOf(account.id, payments)).filter(({ id }) => id !== operation.id);
  return matchRefunds(operation, records, others, context.config.gateway.profile.codes);
}

/** Those that can be asked for; of the others that they cannot is written. */
async function searchable(context: Context, operations: readonly Operation[]): Promise<Due[]> {
  const due: Due[] = [];
  for (const operation of operations) {
    const by = searchFor(operation, context.config.gateway.profile.list_separator);
    if (by) due.push({ operation, ...by });
    else await write(context, operation, { kind: 'search_refused' });
  }
  return due;
}

/** Batches of one list each, none with more names than a search may hold. */
function batchesOf(due: readonly Due[]): Due[][] {
  const batches: Due[][] = [];
  for (const sameList of Map.groupBy(due, ({ list }) => list).values()) {
    let batch: Due[] | undefined;
    for (const one of sameList) {
      if (batch && allNames([...batch, one]).length <= MAX_NAMES) {
        batch.push(one);
      } else {
        batch = [one];
        batches.push(batch);
      }
    }
  }
  return batches;
}

/** Writes what a search told, unless a person or the gateway said meanwhile what became of the operation. */
async function write(
  context: Context,
  operation: Operation,
  found: Match | { kind: RefundSearchResult },
): Promise<void> {
  const next = afterRefundSearch(operation, found, context.now(), context.config.resolve);
  const counted = next.settled_at === undefined ? undefined : countedRefunds(next);
  const events = operationEvents(context, operation, next);
  const change = { operation: next, events, ...(counted ? { counted } : {}) };
  if (!(await commitOperation(context, change))) return;
  const { id, name } = operation;
  context.log.info({ operation: id, name, outcome: found.kind, status: next.state.status }, 'refund reconciled');
  if (!gaveUp(operation, next)) return;
  context.metrics.gaveUp('operation');
  context.log.error({ operation: id, name }, 'outcome still unknown: a person must check the gateway’s books');
}

function allNames(batch: readonly Due[]): string[] {
  return [...new Set(batch.flatMap(({ names }) => names))];
}

import { createRuns, type Polling, startPolling } from '../base/polling.ts';
import type { Account } from '../config/load.ts';
import type { Operation } from '../payments/operations/operation.ts';
import { accountOf, type Context, leaseOf, momentOf } from '../store/context.ts';
import { applySearch, writeSearch } from './apply-search.ts';
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
   * Begins to ask about the refunds whose next search is due, several of an account in one search; begins no further search once
   * `stopping`. Does not wait for these searches. Throws StoreError.
   */
  poll(stopping?: AbortSignal): Promise<void>;
  /** Waits for the searches that run. */
  idle(): Promise<void>;
};

/** Takes over what crashed relays left, and polls until stopped. */
export function startRefundPoller(context: Context): Polling {
  const poller = createRefundPoller(context);
  const everyMs = Math.min(MAX_PAUSE_MS, context.config.resolve.first_ms);
  const polling = startPolling(context.log, 'refunds', everyMs, async (stopping) => {
    await takeOverOperations(context);
    await poller.poll(stopping);
  });
  return {
    async stop() {
      await polling.stop();
      await poller.idle();
    },
  };
}

function createRefundPoller(context: Context): RefundPoller {
  const runs = createRuns(context.log, 'refunds');
  /** One search. Where its content may explain that it does not count, each half is asked for by itself. */
  const reconcile = async (account: Account, whole: readonly Due[], isOver: () => boolean): Promise<void> => {
    // Split elsewhere each time: where not every part is asked for, others are left out the next time.
    const first = context.now().getTime() % whole.length;
    const batches = [[...whole.slice(first), ...whole.slice(0, first)]];
    for (const batch of batches) {
      const [one] = batch;
      if (!one || isOver()) return;
      const begun = momentOf(context);
      const searched = await searchRefunds(context, account, { list: one.list, names: allNames(batch) });
      if (!searched.counted && searched.own && batch.length > 1 && batches.length + 2 <= MAX_SEARCHES) {
        const middle = Math.ceil(batch.length / 2);
        batches.push(batch.slice(0, middle), batch.slice(middle));
        continue;
      }
      for (const { operation } of batch) {
        if (searched.counted) await applySearch(context, operation, searched, begun);
        else await writeSearch(context, operation, { kind: searched.result }, begun);
      }
    }
  };

  return {
    async poll(stopping) {
      const lease = leaseOf(context, BATCH);
      const accounts = context.config.accounts.map(({ id }) => id).filter(runs.isIdle);
      if (accounts.length === 0) return;
      const leased = await context.store.leaseDueOperations(lease, accounts);
      // Whoever gets the rest when the lease is over must be the only one who asks for it.
      const isOver = (): boolean => stopping?.aborted === true || context.now().toISOString() >= lease.until;
      for (const [id, operations] of Map.groupBy(leased, ({ account }) => account)) {
        runs.start(id, async () => {
          const due = await searchable(context, operations);
          for (const batch of batchesOf(due)) await reconcile(accountOf(context, id), batch, isOver);
        });
      }
    },
    idle: runs.idle,
  };
}

/** Those that can be asked for; of the others that they cannot is written. */
async function searchable(context: Context, operations: readonly Operation[]): Promise<Due[]> {
  const due: Due[] = [];
  for (const operation of operations) {
    const by = searchFor(operation, context.config.gateway.profile.list_separator);
    if (by) due.push({ operation, ...by });
    else await writeSearch(context, operation, { kind: 'search_refused' }, momentOf(context));
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

function allNames(batch: readonly Due[]): string[] {
  return [...new Set(batch.flatMap(({ names }) => names))];
}

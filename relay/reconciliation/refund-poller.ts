import { createAccountWork, type Polling, startPolling } from '../base/polling.ts';
import type { Account } from '../config/load.ts';
import { accountOf, type Context, leaseOf, momentOf } from '../context/context.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import { applySearch, writeSearch } from './apply-search.ts';
import { MAX_UNCLEAR, partsOf } from './content-fault.ts';
import { takeOverOperations } from './orphaned.ts';
import { MAX_NAMES, type Searched, type SearchedBy, searchFor, searchRefunds } from './refund-search.ts';

const BATCH = 100;

/** The time between two polls; shorter if the first search is due sooner. */
const MAX_PAUSE_MS = 500;

/** A lease that began less than this time ago lasts for one more search. */
const FRESH_MS = 10_000;

/** The maximum number of searches that one failed search is split into: enough to find several refunds at fault among a hundred. */
const MAX_SEARCHES = 40;

/** A refund whose search is due, and the names of that search. */
type Due = SearchedBy & { operation: StoredOperation };

type Uncounted = Extract<Searched, { counted: false }>;

/** Searches for the outcomes of refunds. */
type RefundPoller = {
  /**
   * Begins the due searches, several refunds of an account in one search. Does not wait for them. No search begins after `stopping` is
   * aborted. Throws StoreError.
   */
  poll(stopping?: AbortSignal): Promise<void>;
  /** Waits for the searches that run. */
  idle(): Promise<void>;
};

/** Takes over the operations of crashed relays, and polls until stopped. */
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
  const runs = createAccountWork(context.log, 'refunds');
  /**
   * One search. If parts of it may be answered, these are searched for separately, as in `queryOrders`.
   * @param hold keeps the leases of unwritten refunds; false if no further search may begin
   */
  const reconcile = async (
    account: Account,
    whole: readonly Due[],
    hold: (left: readonly Due[]) => Promise<boolean>,
  ): Promise<void> => {
    // Split at another place each time, so that parts that were not searched for are included the next time.
    const first = context.now().getTime() % whole.length;
    const batches: (readonly Due[])[] = [[...whole.slice(first), ...whole.slice(0, first)]];
    let unclear: Uncounted[] = [];
    for (const [nth, batch] of batches.entries()) {
      const [one] = batch;
      if (!one || !(await hold(batches.slice(nth).flat()))) return;
      const begun = momentOf(context);
      const [last] = unclear;
      const by = { list: one.list, names: allNames(batch) };
      // A part is sent once: it fails because of its content, or is searched for again later.
      const withinMs = nth > 0 ? context.config.gateway.timeout_ms : undefined;
      const searched =
        last && unclear.length >= MAX_UNCLEAR ? last : await searchRefunds(context, account, by, withinMs);
      const parts = searched.counted ? [] : partsOf(batch, searched.cause, unclear.length, 0);
      if (!searched.counted && searched.cause === 'unclear') unclear = [searched, ...unclear];
      if (parts.length > 0 && batches.length + parts.length <= MAX_SEARCHES) {
        batches.push(...parts);
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
      const leased = await context.store.operations.leaseDue(lease, accounts);
      for (const [id, operations] of Map.groupBy(leased, ({ account }) => account)) {
        runs.start(id, async () => {
          let { until } = lease;
          const hold = async (left: readonly Due[]): Promise<boolean> => {
            // When the lease is over another relay may search.
            if (stopping?.aborted || context.now().toISOString() >= until) return false;
            const longer = leaseOf(context, BATCH);
            if (Date.parse(longer.until) - Date.parse(until) < FRESH_MS) return true;
            await context.store.operations.renewLeases(
              left.map(({ operation }) => operation.id),
              longer,
            );
            until = longer.until;
            return true;
          };
          const batches = batchesOf(await searchable(context, operations));
          for (const [nth, batch] of batches.entries()) {
            const later = batches.slice(nth + 1).flat();
            await reconcile(accountOf(context, id), batch, (left) => hold([...left, ...later]));
          }
        });
      }
    },
    idle: runs.idle,
  };
}

/** The operations that a search can find. The others are written as not searchable. */
async function searchable(context: Context, operations: readonly StoredOperation[]): Promise<Due[]> {
  const due: Due[] = [];
  for (const operation of operations) {
    const by = searchFor(operation, context.config.gateway.profile.list_separator);
    if (by) due.push({ operation, ...by });
    else await writeSearch(context, operation, { kind: 'search_refused' }, momentOf(context));
  }
  return due;
}

/** Batches with one list each, of at most the names that a search may contain. */
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

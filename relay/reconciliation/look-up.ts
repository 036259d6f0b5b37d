import { logFailure, type Rounds, startRounds } from '../base/rounds.ts';
import type { Account } from '../config/load.ts';
import { type Match, matchRefunds } from '../payments/match-refunds.ts';
import { gaveUp, type Operation, type RefundFinding } from '../payments/operation.ts';
import { countedRefunds, refundItems } from '../payments/refunds.ts';
import { accountOf, type Context, leaseOf } from '../store/context.ts';
import { operationEvents } from '../webhooks/operation-events.ts';
import { afterLook } from './refund-lookup.ts';
import { MOST_NAMES, paymentNames, searchRefunds } from './refund-search.ts';

const BATCH = 100;

/** Between two rounds; shorter where the first look is due sooner. */
const LONGEST_PAUSE_MS = 500;

/** An operation with the names of its payments. */
type Due = { operation: Operation; names: readonly string[] };

/** Runs `lookUpOperations` again and again until stopped. */
export function startLookingUp(context: Context): Rounds {
  const everyMs = Math.min(LONGEST_PAUSE_MS, context.config.resolve.first_ms);
  return startRounds(context.log, 'look_up', everyMs, (stopping) => lookUpOperations(context, stopping));
}

/**
 * Looks up the unknown refunds whose next look is due, several of an account in one search; no more of them once
 * `stopping`. Throws StoreError.
 */
export async function lookUpOperations(context: Context, stopping?: AbortSignal): Promise<void> {
  const accounts = context.config.accounts.map(({ id }) => id);
  const due = await context.store.leaseDueOperations(leaseOf(context, BATCH), accounts);
  // One account's trouble must not keep the others waiting.
  await Promise.all(
    [...Map.groupBy(due, ({ account }) => account)].map(([account, operations]) =>
      lookUpAll(context, accountOf(context, account), operations, stopping).catch((error: unknown) =>
        logFailure(context.log, 'look_up', error),
      ),
    ),
  );
}

async function lookUpAll(
  context: Context,
  account: Account,
  operations: readonly Operation[],
  stopping: AbortSignal | undefined,
): Promise<void> {
  const { list_separator } = context.config.gateway.profile;
  const batches: Due[][] = [];
  for (const operation of operations) {
    const names = paymentNames(refundItems(operation.request), list_separator);
    if (!names) {
      await write(context, operation, { kind: 'search_refused' });
      continue;
    }
    const last = batches.at(-1);
    if (last && allNames([...last, { operation, names }]).length <= MOST_NAMES) last.push({ operation, names });
    else batches.push([{ operation, names }]);
  }
  for (const batch of batches) {
    if (stopping?.aborted) return;
    await lookUp(context, account, batch);
  }
}

async function lookUp(context: Context, account: Account, batch: readonly Due[]): Promise<void> {
  const searched = await searchRefunds(context, account, allNames(batch));
  if (searched.kind === 'search_refused' && batch.length > 1) {
    // One name that the gateway does not take must not hide the others' refunds.
    for (const one of batch) await lookUp(context, account, [one]);
    return;
  }
  for (const { operation } of batch) {
    if (searched.kind !== 'found') {
      await write(context, operation, { kind: searched.kind });
      continue;
    }
    const payments = refundItems(operation.request).map(({ transaction_id }) => transaction_id);
    const others = (await context.store.refundsOf(account.id, payments)).filter(({ id }) => id !== operation.id);
    const { codes } = context.config.gateway.profile;
    await write(context, operation, matchRefunds(operation, searched.records, others, codes));
  }
}

/** Writes what a look found, unless a person or the gateway said meanwhile what became of the operation. */
async function write(context: Context, operation: Operation, found: Match | { kind: RefundFinding }): Promise<void> {
  const next = afterLook(operation, found, context.now(), context.config.resolve);
  const counted = next.state.status === 'settled' ? countedRefunds(next) : undefined;
  const events = operationEvents(context, operation, next);
  const change = { operation: next, events, ...(counted ? { counted } : {}) };
  if (!(await context.store.finishOperation(change))) return;
  const { id, name } = operation;
  context.log.info({ operation: id, name, finding: found.kind, status: next.state.status }, 'looked up operation');
  if (!gaveUp(operation, next)) return;
  context.metrics.gaveUp('operation');
  context.log.error({ operation: id, name }, 'outcome still unknown: a person must look at the gateway’s books');
}

function allNames(batch: readonly Due[]): string[] {
  return [...new Set(batch.flatMap(({ names }) => names))];
}

import { within } from '../base/bounded.ts';
import { StoreError } from '../base/errors.ts';
import { logFailure, type Polling, startPolling } from '../base/polling.ts';
import { createSemaphore } from '../base/semaphore.ts';
import { commitOperation, updateOrder } from '../commit/commit.ts';
import { operationEvents } from '../commit/operation-events.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context, Subject, UnsentAttempt, UnsentList, UnsentWork } from '../context/context.ts';
import { applyAnswer, isOpenToAnswer } from '../payments/answer.ts';
import { countedRefunds } from '../payments/operations/counted-refunds.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import type { StoredOrder } from '../payments/order.ts';
import type { Decision } from '../payments/transitions.ts';
import { releaseKeys } from './late-writes.ts';
import { noteBegun } from './send-window.ts';

/** The time between two polls, and the shortest time between two searches for the same attempt or operation. */
const POLL_MS = 250;

/**
 * The longest time between two searches for the same attempt or operation. They become rarer with time; with the time until the next
 * poll it is less than five seconds.
 */
const MAX_WAIT_MS = 4500;
const WAIT_SHARE = 20;

/** The maximum searches of one poll, and at the same time: 1,000 take 3–5 s. A long list must not keep the store busy. */
const MAX_SEARCHES = 100;
const SEARCHES_AT_ONCE = 8;

/** The maximum number of entries, and how long they are kept. A commit that waits for a standby becomes visible with the standby. */
const MAX_UNSENT = 1000;
const KEEP_MS = 86_400_000;

/** How long the poller waits after the store failed. */
const BACK_OFF_MS = 1000;

/** The maximum time for the last searches of a relay that stops. */
const LAST_SEARCHES_MS = 1000;

const NOT_CONFIRMED = 'The relay could not reach its store in time, so nothing was sent. Try again.';

/**
 * Makes an attempt or an operation durable before it is sent. If the store fails, nothing is sent, but the store may have written it:
 * then a poller records that it was not sent. Throws the errors of `begin`.
 */
export async function beginBeforeSending<Result>(
  context: Context,
  unsent: UnsentWork,
  begin: () => Promise<Result>,
): Promise<Result> {
  noteBegun(context, idOf(unsent));
  try {
    return await begin();
  } catch (error) {
    if (error instanceof StoreError && !error.wroteNothing) remember(context, unsent);
    throw error;
  }
}

function remember({ unsent: list, monotonic, log }: Context, unsent: UnsentWork): void {
  if (list.size >= MAX_UNSENT) {
    log.error(subjectOf(unsent), 'store failed, not sent; too many unsent operations to search for this one');
    return;
  }
  const since = monotonic();
  list.add({ unsent, since, dueAt: since });
  log.warn(subjectOf(unsent), 'store failed, so this was not sent');
}

/** Whether this relay knows that the attempt or operation was not sent. */
export function isUnsent({ unsent: list }: Context, id: string): boolean {
  return [...list].some(({ unsent }) => id === idOf(unsent));
}

function idOf(unsent: UnsentWork): string {
  return 'order_no' in unsent ? unsent.attempt : unsent.operation;
}

/** Records unsent attempts and operations in the store, and releases keys, until stopped; then all of them once more. */
export function startUnsentPoller(context: Context): Polling {
  const { log, monotonic } = context;
  let failedAt = Number.NEGATIVE_INFINITY;
  const polling = startPolling(log, 'unsent', POLL_MS, async (stopping) => {
    if (monotonic() - failedAt < BACK_OFF_MS) return;
    await recordUnsent(context, () => stopping.aborted).catch((error: unknown) => {
      failedAt = monotonic();
      throw error;
    });
  });
  return {
    async stop() {
      await polling.stop();
      const end = performance.now() + LAST_SEARCHES_MS;
      for (const one of context.unsent) one.dueAt = Number.NEGATIVE_INFINITY;
      const last = recordUnsent(context, () => performance.now() > end, MAX_UNSENT);
      await within(
        last.catch((error: unknown) => logFailure(log, 'unsent', error)),
        LAST_SEARCHES_MS,
      );
    },
  };
}

/**
 * Releases keys, and searches once for each due entry until `isOver`, the longest due first. After a failure no further search begins.
 * Throws StoreError when no search runs any more.
 */
export async function recordUnsent(
  context: Context,
  isOver: () => boolean = () => false,
  max = MAX_SEARCHES,
): Promise<void> {
  await releaseKeys(context);
  const now = context.monotonic();
  const due = [...context.unsent].filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => a.dueAt - b.dueAt);
  const permits = createSemaphore(SEARCHES_AT_ONCE);
  const failures: unknown[] = [];
  const searches = due.slice(0, max).map(async (one) => {
    const permit = await permits.acquire(idOf(one.unsent));
    try {
      if (failures.length === 0 && !isOver()) await recordIfVisible(context, one, now);
    } catch (error) {
      failures.push(error);
    } finally {
      permit.release();
    }
  });
  await Promise.all(searches);
  if (failures.length > 0) throw failures[0];
}

type Remembered = UnsentList extends Set<infer One> ? One : never;

/** Records one entry if the store shows it, otherwise plans the next search. Throws StoreError. */
async function recordIfVisible(context: Context, one: Remembered, now: number): Promise<void> {
  const age = now - one.since;
  // If this search fails, the next one begins as soon as the store may be back.
  one.dueAt = now + BACK_OFF_MS;
  const became = await record(context, one.unsent);
  one.dueAt = now + Math.min(MAX_WAIT_MS, Math.max(POLL_MS, age / WAIT_SHARE));
  const about = subjectOf(one.unsent);
  if (became !== 'not yet' || age > KEEP_MS) context.unsent.delete(one);
  if (became === 'recorded') context.log.info(about, 'recorded as not sent');
  else if (became === 'not yet' && age > KEEP_MS)
    context.log.info(about, 'not in the store after a day, no longer looked for');
}

/** `known`: it was settled meanwhile. `not yet`: the store does not show it. */
type Recorded = 'recorded' | 'known' | 'not yet';

/** Records in the store that an attempt or operation was not sent. Throws StoreError. */
function record(context: Context, unsent: UnsentWork): Promise<Recorded> {
  return 'order_no' in unsent ? recordAttempt(context, unsent) : recordOperation(context, unsent.operation);
}

async function recordOperation(context: Context, id: string): Promise<Recorded> {
  const current = await context.store.operations.get(id);
  if (!current) return 'not yet';
  if (current.state.status !== 'in_flight' && current.state.status !== 'unknown') return 'known';
  const operation = notSent(current, context.now());
  const events = operationEvents(context, current, operation);
  const isWritten = await commitOperation(context, current, { operation, counted: countedRefunds(operation), events });
  return isWritten ? 'recorded' : 'not yet';
}

/** An operation that its relay did not send, because the store had not confirmed it. */
function notSent({ lookup: _, ...operation }: StoredOperation, now: Date): StoredOperation {
  return {
    ...operation,
    version: operation.version + 1,
    state: { status: 'not_sent', detail: NOT_CONFIRMED },
    settled_at: now.toISOString(),
  };
}

async function recordAttempt(context: Context, unsent: UnsentAttempt): Promise<Recorded> {
  const { attempt: id, account, order_no, started_at, quotas } = unsent;
  let became: Recorded = 'not yet';
  const decide = (order: StoredOrder): Decision | undefined => {
    const attempt = order.attempts.find((one) => one.id === id);
    became = attempt === undefined ? 'not yet' : isOpenToAnswer(attempt) ? 'recorded' : 'known';
    if (became !== 'recorded') return undefined;
    return applyAnswer(order, id, { kind: 'not_sent' }, context.now(), rulesOf(context.config));
  };
  const more = quotas.length > 0 ? { uncounted: { quotas, at: started_at } } : {};
  await updateOrder(context, { account, order_no }, decide, more);
  return became;
}

/** The subject of log lines. */
function subjectOf(unsent: UnsentWork): Subject {
  return 'order_no' in unsent ? { session: unsent.session, attempt: unsent.attempt } : unsent;
}

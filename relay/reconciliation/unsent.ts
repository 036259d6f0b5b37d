import { createSemaphore, within } from '../base/concurrency.ts';
import { StoreError } from '../base/errors.ts';
import { logFailure, type Polling, startPolling } from '../base/polling.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context, Subject, UnsentAttempt, UnsentList, UnsentWork } from '../context/context.ts';
import { applyAnswer, isOpenToAnswer } from '../payments/answer.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import { countedRefunds } from '../payments/operations/refund-rule.ts';
import type { StoredOrder } from '../payments/order.ts';
import type { Decision } from '../payments/transitions.ts';
import { commitOperation, updateOrder } from '../webhooks/commit.ts';
import { operationEvents } from '../webhooks/operation-events.ts';
import { releaseKeys } from './late-writes.ts';
import { noteBegun } from './send-window.ts';

/** Between two polls, and so the shortest time between two looks for one of them. */
const POLL_MS = 250;

/**
 * The longest time between two looks: they become rarer with the time that has passed. With the poll that then finds one due it
 * is less than five seconds.
 */
const MAX_WAIT_MS = 4500;
const WAIT_SHARE = 20;

/**
 * The most looks of one poll, and how many run at once: a long list must not keep the store busy. A thousand take ten polls. Where a
 * look takes 5 ms that is little more than three seconds, and less than five with the pause after a failure.
 */
const MAX_SEARCHES = 100;
const SEARCHES_AT_ONCE = 8;

/** The most that is remembered, and for how long. A commit that waits for a standby is not visible before the standby is back. */
const MAX_UNSENT = 1000;
const KEEP_MS = 86_400_000;

/** How long the poller waits after the store failed. */
const BACK_OFF_MS = 1000;

/** The most time for the last looks of a relay that stops. */
const LAST_SEARCHES_MS = 1000;

const NOT_CONFIRMED = 'The relay could not reach its store in time, so nothing was sent. Try again.';

/**
 * Makes an attempt or an operation durable before it is sent. Where the store fails, its caller sends nothing, but the store may
 * have it all the same: then a poller records that nothing was sent. Throws what `begin` throws.
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
    log.error(subjectOf(unsent), 'store failed, so this was not sent; too many to look for whether it has it');
    return;
  }
  const since = monotonic();
  list.add({ unsent, since, dueAt: since });
  log.warn(subjectOf(unsent), 'store failed, so this was not sent');
}

/** Whether an attempt or operation with this id was not sent, as this relay knows. */
export function isUnsent({ unsent: list }: Context, id: string): boolean {
  return [...list].some(({ unsent }) => id === idOf(unsent));
}

function idOf(unsent: UnsentWork): string {
  return 'order_no' in unsent ? unsent.attempt : unsent.operation;
}

/** Looks for what was not sent in the store and records that, and gives keys back, until stopped; then for all of them once more. */
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
 * Gives keys back, and looks once for what is due, until `isOver`; what is due longest comes first. After a failure no further look
 * begins. Throws StoreError, once no look runs.
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

/** Looks for one, and plans the next look where the store does not show it. Throws StoreError. */
async function recordIfVisible(context: Context, one: Remembered, now: number): Promise<void> {
  const age = now - one.since;
  // If this look fails, the next one comes as soon as the store may be back.
  one.dueAt = now + BACK_OFF_MS;
  const became = await record(context, one.unsent);
  one.dueAt = now + Math.min(MAX_WAIT_MS, Math.max(POLL_MS, age / WAIT_SHARE));
  const about = subjectOf(one.unsent);
  if (became !== 'not yet' || age > KEEP_MS) context.unsent.delete(one);
  if (became === 'recorded') context.log.info(about, 'recorded as not sent');
  else if (became === 'not yet' && age > KEEP_MS)
    context.log.info(about, 'not in the store after a day, no longer looked for');
}

/** `known` where it was settled meanwhile, `not yet` while the store does not show it. */
type Recorded = 'recorded' | 'known' | 'not yet';

/** Records in the store that one was not sent. Throws StoreError. */
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

/** What the log names. */
function subjectOf(unsent: UnsentWork): Subject {
  return 'order_no' in unsent ? { session: unsent.session, attempt: unsent.attempt } : unsent;
}

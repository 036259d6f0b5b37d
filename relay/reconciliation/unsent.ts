import { StoreError } from '../base/errors.ts';
import { type Polling, startPolling } from '../base/polling.ts';
import { rulesOf } from '../config/rules.ts';
import { applyAnswer, isOpenToAnswer } from '../payments/answer.ts';
import type { Operation } from '../payments/operations/operation.ts';
import { countedRefunds } from '../payments/operations/refund-rule.ts';
import type { Decision } from '../payments/transitions.ts';
import type { Context, Subject, Unsent, UnsentAttempt } from '../store/context.ts';
import { commitOperation, updateOrder } from '../webhooks/commit.ts';
import { operationEvents } from '../webhooks/operation-events.ts';

/** Between two polls, and so the shortest time between two looks for one of them. */
const POLL_MS = 250;

/** The longest time between two looks: they become rarer with the time that has passed. */
const MAX_WAIT_MS = 60_000;
const WAIT_SHARE = 20;

/** The most looks of one poll: a long list must not keep the store busy. */
const MAX_LOOKS = 20;

/** The most that is remembered, and for how long. A commit that waits for a standby is not visible before the standby is back. */
const MAX_UNSENT = 1000;
const KEEP_MS = 86_400_000;

const NOT_CONFIRMED = 'The relay could not reach its store in time, so nothing was sent. Try again.';

/**
 * Makes an attempt or an operation durable before it is sent. Where the store fails, its caller sends nothing, but the store may
 * have it all the same: then a poller records that nothing was sent. Throws what `begin` throws.
 */
export async function beginBeforeSending<Result>(
  context: Context,
  unsent: Unsent,
  begin: () => Promise<Result>,
): Promise<Result> {
  try {
    return await begin();
  } catch (error) {
    if (error instanceof StoreError) remember(context, unsent);
    throw error;
  }
}

function remember({ unsent: list, now, log }: Context, unsent: Unsent): void {
  const [oldest] = list;
  if (oldest && list.size >= MAX_UNSENT) {
    list.delete(oldest);
    log.warn(subjectOf(oldest.unsent), 'too many to look for: whether the store has this is not known');
  }
  const since = now().getTime();
  list.add({ unsent, since, lookAt: since });
  log.warn(subjectOf(unsent), 'store failed, so this was not sent');
}

/** Looks for what was not sent in the store and records that, until stopped. */
export function startUnsentPoller(context: Context): Polling {
  return startPolling(context.log, 'unsent', POLL_MS, () => recordUnsent(context));
}

/** Looks once for what is due. Throws StoreError. */
export async function recordUnsent(context: Context): Promise<void> {
  const { unsent: list, log } = context;
  const now = context.now().getTime();
  const due = [...list].filter(({ lookAt }) => lookAt <= now).toSorted((a, b) => a.lookAt - b.lookAt);
  for (const one of due.slice(0, MAX_LOOKS)) {
    const age = now - one.since;
    one.lookAt = now + Math.min(MAX_WAIT_MS, Math.max(POLL_MS, age / WAIT_SHARE));
    const { unsent } = one;
    if (await ('order_no' in unsent ? recordAttempt(context, unsent) : recordOperation(context, unsent.operation))) {
      list.delete(one);
      log.info(subjectOf(unsent), 'recorded as not sent');
    } else if (age > KEEP_MS) {
      list.delete(one);
      log.info(subjectOf(unsent), 'not in the store after a day, no longer looked for');
    }
  }
}

/** False while the store does not have it, or where somebody else wrote it at the same time. */
async function recordOperation(context: Context, id: string): Promise<boolean> {
  const current = await context.store.operation(id);
  if (!current) return false;
  if (current.state.status !== 'in_flight' && current.state.status !== 'unknown') return true;
  const { lookup: _, ...rest } = current;
  const operation: Operation = {
    ...rest,
    version: current.version + 1,
    state: { status: 'not_sent', detail: NOT_CONFIRMED },
    settled_at: context.now().toISOString(),
  };
  const events = operationEvents(context, current, operation);
  return commitOperation(context, { operation, counted: countedRefunds(operation), events });
}

/** False while the store does not have it. */
async function recordAttempt(context: Context, unsent: UnsentAttempt): Promise<boolean> {
  const { attempt: id, account, order_no, started_at, quotas } = unsent;
  let isStored = false;
  const decide = (order: Parameters<typeof applyAnswer>[0]): Decision | undefined => {
    const attempt = order.attempts.find((one) => one.id === id);
    isStored = attempt !== undefined;
    if (!attempt || !isOpenToAnswer(attempt)) return undefined;
    return applyAnswer(order, id, { kind: 'not_sent' }, context.now(), rulesOf(context.config));
  };
  const more = quotas.length > 0 ? { uncounted: { quotas, at: started_at } } : {};
  await updateOrder(context, { account, order_no }, decide, more);
  return isStored;
}

/** What the log names. */
function subjectOf(unsent: Unsent): Subject {
  return 'order_no' in unsent ? { session: unsent.session, attempt: unsent.attempt } : unsent;
}

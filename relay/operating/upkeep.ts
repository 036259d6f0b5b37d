import { logFailure, type Polling, pause, startPolling } from '../base/polling.ts';
import { KNOWN_NETWORK_MS } from '../console/sign-in/tries.ts';
import { type Context, steadyNow } from '../context/context.ts';
import { MAX_WINDOW_MS } from '../payments/attempt.ts';
import { GIVE_UP_MS } from '../webhooks/send-webhook.ts';

/** Idempotency keys are kept this long; the promise is 24 hours. */
const KEY_LIFE_MS = 7 * 86_400_000;

/** No sign-in to the console is good for longer. */
const SIGN_IN_LIFE_MS = 86_400_000;

/** Rows of a kind that are deleted in one step, and the pause between two, so that payments hardly wait. */
const STEP_ROWS = 100;
const STEP_PAUSE_MS = 100;

/** Between two checks for what has become old. */
const CHECK_MS = 3_600_000;

const DAY_MS = 86_400_000;

/** Forgets what is older than `retention_days` and over, a little at a time, until stopped. */
export function startRetention(context: Context): Polling {
  let nextCheck = Number.NEGATIVE_INFINITY;
  return startPolling(context.log, 'retention', STEP_PAUSE_MS, async () => {
    const now = context.monotonic();
    if (now < nextCheck) return;
    // After a failure, too, the next check is an hour later.
    nextCheck = now + CHECK_MS;
    if (await forgetSome(context)) nextCheck = now;
  });
}

/** One step: true when there may be more to forget. A clock that was set ahead makes nothing be forgotten early. Throws StoreError. */
export async function forgetSome(context: Context): Promise<boolean> {
  const { config, store } = context;
  const now = steadyNow(context);
  const isMoreOrphaned = await giveUpOrphanedEvents(context, now);
  const isMoreRemoved = await endRemovedDeliveries(context, now);
  const areMoreKeys = await store.keys.forget(ago(now, KEY_LIFE_MS), STEP_ROWS);
  const areMoreSignIns = await store.people.forgetSignIns(ago(now, SIGN_IN_LIFE_MS), STEP_ROWS);
  const areMoreNetworks = await store.credentials.forgetNetworks(ago(now, KNOWN_NETWORK_MS), STEP_ROWS);
  const isMoreOld = await store.purge({
    before: ago(now, config.retention_days * DAY_MS),
    counted_before: ago(now, MAX_WINDOW_MS),
    limit: STEP_ROWS,
  });
  return isMoreOrphaned || isMoreRemoved || areMoreKeys || areMoreSignIns || areMoreNetworks || isMoreOld;
}

/**
 * Webhooks of an account that is not configured are never tried. They are given up when any other would be, but not before this process has
 * run for as long: an account may be missing for a moment, and a relay that was paused has older webhooks. What is as old as
 * `retention_days` is given up at once.
 */
async function giveUpOrphanedEvents(context: Context, now: Date): Promise<boolean> {
  const { config, store, log, monotonic, started } = context;
  const accounts = config.accounts.map(({ id }) => id);
  const hasRunLong = monotonic() - started.monotonic_ms >= GIVE_UP_MS;
  const before = ago(now, hasRunLong ? GIVE_UP_MS : Math.max(GIVE_UP_MS, config.retention_days * DAY_MS));
  const events = await store.outbox.failOrphaned(accounts, before, now.toISOString(), STEP_ROWS);
  if (events > 0) log.error({ count: events }, 'webhooks given up: their account is not configured');
  return events >= STEP_ROWS;
}

/**
 * Webhooks that wait for an endpoint which its account has no more are sent no more. The events are kept. Not at once: while a
 * configuration is rolled out, another relay may have an endpoint that this one does not know yet.
 */
async function endRemovedDeliveries({ config, store, log }: Context, now: Date): Promise<boolean> {
  const accounts = config.accounts.map(({ id }) => id);
  const endpoints = config.accounts.flatMap(({ id: account, webhooks }) =>
    webhooks.map(({ id: endpoint }) => ({ account, endpoint })),
  );
  const ended = await store.outbox.endRemoved(accounts, endpoints, ago(now, CHECK_MS), STEP_ROWS);
  if (ended > 0) log.warn({ count: ended }, 'webhooks not sent: their endpoint was removed');
  return ended >= STEP_ROWS;
}

const ago = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString();

/** Between two looks for what changed of the hours that are over. */
const LOOK_MS = 15_000;

/** The pause after a step is so many times as long as the step was: payments need the processor. */
const REST_FACTOR = 4;

/** Brings the tallies of counts and sums up to date again and again, until stopped. */
export function startStatsUpkeep({ store, log, now }: Context): Polling {
  return startPolling(log, 'stats', LOOK_MS, async (stopping) => {
    while (!stopping.aborted) {
      const start = performance.now();
      if (!(await store.stats.refresh(now().toISOString()))) return;
      await pause(REST_FACTOR * (performance.now() - start), stopping);
    }
  });
}

/** Logs each account that the configuration no longer has and that has open orders or operations: they are queried no more. */
export async function warnOfLeftAccounts({ config, store, log }: Context): Promise<void> {
  const accounts = config.accounts.map(({ id }) => id);
  try {
    for (const { account, orders, operations } of await store.stats.openBeside(accounts)) {
      const about = { account, open_orders: orders, open_operations: operations };
      log.warn(about, 'account is not configured: what is open of it is not asked about');
    }
  } catch (error) {
    logFailure(log, 'left_accounts', error);
  }
}

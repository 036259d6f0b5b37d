import { type Context, nowWithoutJumps } from '../context/context.ts';
import { GIVE_UP_MS } from '../webhooks/after-try.ts';

const DAY_MS = 86_400_000;

/** How long after a webhook another relay may have an endpoint that this one does not have. */
const ROLL_OUT_MS = 3_600_000;

/**
 * Gives up old webhooks of accounts that are not configured, which are never tried: after the time limit of other
 * webhooks, but not before this process has run for that time. An account may be missing for a moment, and a paused
 * relay has older webhooks. Webhooks older than `retention_days` are given up at once.
 */
export async function giveUpOrphanedEvents(context: Context, limit: number): Promise<boolean> {
  const { config, store, log, monotonic, started } = context;
  const now = nowWithoutJumps(context);
  const accounts = config.accounts.map(({ id }) => id);
  const hasRunLong = monotonic() - started.monotonic_ms >= GIVE_UP_MS;
  const before = ago(now, hasRunLong ? GIVE_UP_MS : Math.max(GIVE_UP_MS, config.retention_days * DAY_MS));
  const events = await store.outbox.failOrphaned(accounts, before, now.toISOString(), limit);
  if (events > 0) log.error({ count: events }, 'webhooks given up: their account is not configured');
  return events >= limit;
}

/**
 * Ends the delivery of webhooks to removed endpoints, and keeps the events. It waits, because during the roll-out of a
 * configuration another relay may have an endpoint that this one does not have yet.
 */
export async function endRemovedDeliveries(context: Context, limit: number): Promise<boolean> {
  const { config, store, log } = context;
  const accounts = config.accounts.map(({ id }) => id);
  const endpoints = config.accounts.flatMap(({ id: account, webhooks }) =>
    webhooks.map(({ id: endpoint }) => ({ account, endpoint })),
  );
  const ended = await store.outbox.endRemoved(accounts, endpoints, ago(nowWithoutJumps(context), ROLL_OUT_MS), limit);
  if (ended > 0) log.warn({ count: ended }, 'webhooks not sent: their endpoint was removed');
  return ended >= limit;
}

const ago = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString();

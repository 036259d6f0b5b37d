import { logFailure, type Polling, pause, startPolling } from '../base/polling.ts';
import type { Config } from '../config/load.ts';
import { KNOWN_NETWORK_MS } from '../console/sign-in/sign-in-limits.ts';
import { type Context, nowWithoutJumps } from '../context/context.ts';
import { MAX_WINDOW_MS } from '../payments/attempt.ts';
import { type Place, type Purged, type RetainedKind, retainedKinds } from '../store/facets/retention.ts';
import { endRemovedDeliveries, giveUpOrphanedEvents } from './give-up-webhooks.ts';

/** How long idempotency keys are stored. The documented time is 24 hours. */
const KEY_LIFE_MS = 7 * 86_400_000;

/** The maximum life of a sign-in to the console. */
const SIGN_IN_LIFE_MS = 86_400_000;

const DAY_MS = 86_400_000;

/** The pause between two checks for due tasks. */
const POLL_MS = 100;

/**
 * The pause between two walks through new old rows, and between two walks through all old rows: some of them were not
 * over before.
 */
const CHECK_MS = 60_000;
const WHOLE_CHECK_MS = 3_600_000;

/** Counted attempts are not sorted by time, so each check reads all of them. */
const COUNTED_CHECK_MS = 600_000;

/** The pause after a failed step. */
const RETRY_MS = 15_000;

/** The number of rows in a step: at first, and its limits. */
const ROWS = { first: 100, min: 20, max: 2000 };

/** A kind of rows to delete in steps, and the pause between two walks. */
type Task = { name: string; checkMs: number; take(rows: number, after?: Place): Promise<Purged> };

/** Deletes ended data older than `retention_days`, in small steps, until stopped. */
export function startRetention(context: Context): Polling {
  const { log, monotonic, store } = context;
  const works = tasksOf(context).map((task) => createWork(context, task));
  return startPolling(log, 'retention', POLL_MS, async (stopping) => {
    for (;;) {
      const due = works.filter((work) => work.isDue(monotonic()));
      if (due.length === 0) return;
      for (const work of due) {
        if (stopping.aborted) return;
        const ms = await work.step();
        if (ms > 0) await pause(store.retention.pace.restFactor * ms, stopping);
      }
    }
  });
}

/** Deletes all rows that are old now. Throws StoreError. */
export async function deleteOld(context: Context): Promise<void> {
  for (const { take } of tasksOf(context)) {
    let taken = await take(ROWS.first);
    while (taken.isMore) taken = await take(ROWS.first, taken.last);
  }
}

/** The age, in milliseconds, at which a kind of row is deleted. */
function lifeOf(kind: RetainedKind, { retention_days, request_log_days }: Config): number {
  if (kind === 'keys') return KEY_LIFE_MS;
  if (kind === 'requests') return request_log_days * DAY_MS;
  return kind === 'counted' ? MAX_WINDOW_MS : retention_days * DAY_MS;
}

/** The number of seconds for which the oldest row of each kind is overdue; 0 if no row is. Rejects with StoreError. */
export async function secondsOverdue({
  store,
  retentionPlaces,
  ...context
}: Context): Promise<ReadonlyMap<RetainedKind, number>> {
  const now = nowWithoutJumps(context).getTime();
  const walks = retainedKinds
    .filter((kind) => kind !== 'counted')
    .map((kind) => {
      const [life, after] = [lifeOf(kind, context.config), retentionPlaces.get(kind)];
      return { kind, life, before: new Date(now - life).toISOString(), ...(after ? { after } : {}) };
    });
  const oldest = await store.retention.overdue(walks);
  return new Map(
    walks.map(({ kind, life }) => {
      const since = oldest.get(kind);
      return [kind, since === undefined ? 0 : Math.max(0, now - life - Date.parse(since)) / 1000];
    }),
  );
}

/**
 * One task in steps: the place of its walk, the number of rows in the next step, and when that is due. A failure is
 * logged here, so that it does not delay the other tasks.
 */
function createWork({ log, monotonic, store, retentionPlaces }: Context, { name, checkMs, take }: Task) {
  const { stepMs } = store.retention.pace;
  let [rows, dueAt, wholeAt] = [ROWS.first, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return {
    isDue: (now: number): boolean => now >= dueAt,
    /** Returns the milliseconds for which the store was busy. */
    async step(): Promise<number> {
      const now = monotonic();
      const isWhole = now >= wholeAt;
      if (isWhole) wholeAt = now + WHOLE_CHECK_MS;
      try {
        // If the first step of a complete walk fails, the next one continues at the known place.
        const { isMore, last, ms } = await take(rows, isWhole ? undefined : retentionPlaces.get(name));
        if (last) retentionPlaces.set(name, last);
        else retentionPlaces.delete(name);
        if (ms > stepMs) rows = Math.max(ROWS.min, rows >> 1);
        else if (isMore && ms < stepMs / 2) rows = Math.min(ROWS.max, rows << 1);
        dueAt = isMore ? now : now + checkMs;
        return ms;
      } catch (error) {
        logFailure(log, 'retention', error);
        rows = ROWS.min;
        dueAt = now + RETRY_MS;
        return 0;
      }
    },
  };
}

function tasksOf(context: Context): Task[] {
  const { config, store } = context;
  // A clock that was set ahead deletes nothing early.
  const before = (ms: number): string => new Date(nowWithoutJumps(context).getTime() - ms).toISOString();
  const rare = (name: string, forget: (rows: number) => Promise<boolean>): Task => ({
    ...{ name, checkMs: WHOLE_CHECK_MS },
    // The reported duration leaves the number of rows unchanged.
    take: async (rows) => ({ isMore: await forget(rows), ms: store.retention.pace.stepMs }),
  });
  return [
    rare('orphaned', (rows) => giveUpOrphanedEvents(context, rows)),
    rare('removed', (rows) => endRemovedDeliveries(context, rows)),
    rare('sign_ins', (rows) => store.people.forgetSignIns(before(SIGN_IN_LIFE_MS), rows)),
    rare('networks', (rows) => store.credentials.forgetNetworks(before(KNOWN_NETWORK_MS), rows)),
    ...retainedKinds.map((kind): Task => {
      const take: Task['take'] = (limit, after) =>
        store.retention.purge({ kind, before: before(lifeOf(kind, config)), limit, ...(after ? { after } : {}) });
      return { name: kind, checkMs: kind === 'counted' ? COUNTED_CHECK_MS : CHECK_MS, take };
    }),
  ];
}

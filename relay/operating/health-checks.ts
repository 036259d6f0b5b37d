import { readdirSync, readFileSync } from 'node:fs';
import { within } from '../base/bounded.ts';
import { StoreError } from '../base/errors.ts';
import { isUsedUp, systemCode } from '../base/outages.ts';
import { createWakeUp, type Polling, startPolling } from '../base/polling.ts';
import type { Context } from '../context/context.ts';

/** The time between two checks: while everything works, and while the store is lost. */
const CHECK_EVERY_MS = 5000;
const CHECK_LOST_EVERY_MS = 1000;

/** A store that does not answer within this time is lost. */
const ANSWER_MS = 6000;

/** A write that takes longer delays every payment. */
const SLOW_MS = 1000;

/** The tolerated difference between the clocks of relays and their store. */
const MAX_AHEAD_MS = 1000;

/** The maximum share of the file descriptors that may be in use. */
const MAX_USED = 0.9;

/** Reports whether the servers accept further connections. */
type Connections = { areFree(): Promise<boolean> };

/**
 * Checks the relay's dependencies: its store, the clock, file descriptors and connections. Reports each loss and each
 * recovery.
 */
export function startHealthChecks(context: Context, connections: Connections): Polling {
  const { log, outages } = context;
  const wakeUp = createWakeUp();
  let timer: NodeJS.Timeout | undefined;
  const polling = startPolling(
    log,
    'watch',
    CHECK_EVERY_MS,
    async () => {
      await checkStore(context);
      await checkClock(context);
      checkDescriptors(context);
      if (await connections.areFree()) outages.works('connections');
      outages.settle();
      const isLost = outages.lost().some(({ part }) => part === 'store');
      if (isLost) timer = setTimeout(() => wakeUp.wake(), CHECK_LOST_EVERY_MS);
    },
    wakeUp,
  );
  return {
    stop() {
      clearTimeout(timer);
      return polling.stop();
    },
  };
}

/** The code of a failure of the store. */
export function storeReason(error: unknown): string {
  return (error instanceof StoreError ? error.reason : undefined) ?? 'UNKNOWN';
}

async function checkStore({ store, outages, metrics, monotonic }: Context): Promise<void> {
  const began = monotonic();
  const checked = store.check().then(
    () => 'works',
    (error: unknown) => ({ reason: storeReason(error) }),
  );
  const result = (await within(checked, ANSWER_MS)) ?? { reason: 'ETIMEDOUT' };
  if (typeof result === 'object') return outages.failed('store', result.reason);
  outages.works('store');
  const ms = monotonic() - began;
  metrics.storeChecked(ms / 1000);
  if (ms > SLOW_MS) outages.failed('disk', 'SLOW_COMMIT');
  else outages.works('disk');
}

async function checkClock({ store, outages, metrics, now }: Context): Promise<void> {
  const ahead = await store.clockAhead(now().toISOString()).catch(() => undefined);
  if (ahead === undefined) return;
  metrics.clockAhead(ahead / 1000);
  if (Math.abs(ahead) > MAX_AHEAD_MS) outages.failed('clock', 'CLOCK_SKEW');
  else outages.works('clock');
}

/** Reports whether nearly all file descriptors are in use. Only Linux shows the number. */
function checkDescriptors({ outages }: Context): void {
  try {
    const used = readdirSync('/proc/self/fd').length;
    if (used > MAX_USED * descriptorLimit()) outages.failed('descriptors', 'EMFILE');
    else outages.works('descriptors');
  } catch (error) {
    const code = systemCode(error);
    if (code !== undefined && isUsedUp(code)) outages.failed('descriptors', code);
  }
}

/**
 * The maximum number of file descriptors of this process; infinite on systems that do not show it. Throws the system's
 * error if none is left.
 */
export function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch (error) {
    if (isUsedUp(systemCode(error))) throw error;
    return Number.POSITIVE_INFINITY;
  }
}

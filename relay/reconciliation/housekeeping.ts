import { type Rounds, startRounds } from '../base/rounds.ts';
import type { Operation } from '../payments/operation.ts';
import { type Context, leaseOf } from '../store/context.ts';
import { operationEvents } from '../webhooks/operation-events.ts';
import { withFirstLook } from './refund-lookup.ts';
import { strandedBefore } from './stranded.ts';

/** Idempotency keys are kept this long; the promise is 24 hours. */
const KEY_LIFE_MS = 7 * 86_400_000;

const BATCH = 100;

/** Between two rounds. */
const PAUSE_MS = 1000;

/** Runs the two below again and again until stopped. */
export function startHousekeeping(context: Context): Rounds {
  return startRounds(context.log, 'housekeeping', PAUSE_MS, async () => {
    await takeOverOperations(context);
    await forgetOldKeys(context);
  });
}

/** Takes over operations whose relay died while it sent them: what became of them is unknown. Throws StoreError. */
export async function takeOverOperations(context: Context): Promise<void> {
  for (const operation of await context.store.leaseStrandedOperations(
    leaseOf(context, BATCH),
    strandedBefore(context),
  )) {
    const now = context.now();
    const lost: Operation = {
      ...operation,
      version: operation.version + 1,
      state: { status: 'unknown', reason: 'relay_stopped', since: now.toISOString(), evidence: {} },
    };
    const stranded = withFirstLook(lost, now, context.config.resolve);
    const events = operationEvents(context, operation, stranded);
    if (await context.store.finishOperation({ operation: stranded, events })) {
      context.log.warn({ operation: operation.id, name: operation.name }, 'a relay stopped while it sent this');
    }
  }
}

/** Forgets idempotency keys whose time is over, some at a time. Throws StoreError. */
export async function forgetOldKeys(context: Context): Promise<void> {
  const before = new Date(context.now().getTime() - KEY_LIFE_MS);
  await context.store.forgetKeys(before.toISOString(), BATCH);
}

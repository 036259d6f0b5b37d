import { rulesOf } from '../config/rules.ts';
import { withFirstSearch } from '../payments/operations/after-refund-search.ts';
import type { Operation } from '../payments/operations/operation.ts';
import { type Context, leaseOf } from '../store/context.ts';
import { commitOperation } from '../webhooks/commit.ts';
import { operationEvents } from '../webhooks/operation-events.ts';
import { isUnsent } from './unsent.ts';

/**
 * How long after it was begun a message may still leave. Less than the grace before it counts as orphaned, so that whoever takes work over, because
 * the relay that began it was stopped for a while, can be sure that it is not sent after that.
 */
const SEND_WITHIN_MS = 4000;

/** The moment before which what was begun and is still being sent has lost the relay that sends it, as ISO 8601. */
export function orphanedBefore({ now, config }: Context): string {
  return new Date(now().getTime() - rulesOf(config).orphanedMs).toISOString();
}

/** True for what was begun (ISO 8601) so long ago that it must not be sent any more. */
export function isTooLateToSend({ now }: Context, begunAt: string): boolean {
  return now().getTime() - Date.parse(begunAt) > SEND_WITHIN_MS;
}

const BATCH = 100;

/** Takes over operations whose relay crashed while it sent them: their outcome is unknown. Throws StoreError. */
export async function takeOverOperations(context: Context): Promise<void> {
  const { store, now, config, log } = context;
  for (const operation of await store.leaseOrphanedOperations(leaseOf(context, BATCH), orphanedBefore(context))) {
    // It has just become visible: it is recorded as not sent.
    if (isUnsent(context, operation.id)) continue;
    const since = now();
    const lost: Operation = {
      ...operation,
      version: operation.version + 1,
      state: { status: 'unknown', reason: 'relay_stopped', since: since.toISOString(), evidence: {} },
    };
    const orphaned = withFirstSearch(lost, since, config.resolve);
    const events = operationEvents(context, operation, orphaned);
    if (await commitOperation(context, { operation: orphaned, events })) {
      log.warn({ operation: operation.id, name: operation.name }, 'a relay stopped while it sent this operation');
    }
  }
}

import { commitOperation } from '../commit/commit.ts';
import { operationEvents } from '../commit/operation-events.ts';
import { rulesOf } from '../config/rules.ts';
import { type Context, leaseOf } from '../context/context.ts';
import { withFirstSearch } from '../payments/operations/after-refund-search.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import { isBeingSent } from './send-window.ts';
import { isUnsent } from './unsent.ts';

/** The time (ISO 8601) before which an operation in flight must have begun to count as orphaned. */
export function orphanedBefore({ now, config }: Context): string {
  return new Date(now().getTime() - rulesOf(config).orphanedMs).toISOString();
}

const BATCH = 100;

/** Takes over operations whose relay crashed while it sent them: their outcome is unknown. Throws StoreError. */
export async function takeOverOperations(context: Context): Promise<void> {
  const { store, now, config, log, outages } = context;
  for (const operation of await store.operations.leaseOrphaned(leaseOf(context, BATCH), orphanedBefore(context))) {
    // It has just become visible in the store, and is recorded as not sent; or the clock was set while this process
    // sends it.
    if (isUnsent(context, operation.id) || isBeingSent(context, operation.id)) continue;
    const since = now();
    const lost: StoredOperation = {
      ...operation,
      version: operation.version + 1,
      state: { status: 'unknown', reason: 'relay_stopped', since: since.toISOString(), evidence: {} },
    };
    const orphaned = withFirstSearch(lost, since, config.resolve);
    const events = operationEvents(context, operation, orphaned);
    if (await commitOperation(context, operation, { operation: orphaned, events })) {
      // By this relay's clock it began too long ago, but the clock may be wrong.
      const clock = outages.lost().find(({ part }) => part === 'clock');
      const reason = clock && { reason: clock.code };
      log.warn(
        { operation: operation.id, name: operation.name, ...reason },
        'a relay stopped while it sent this operation',
      );
    }
  }
}

import { withFirstSearch } from '../payments/operations/after-refund-search.ts';
import type { Operation } from '../payments/operations/operation.ts';
import { type Context, leaseOf } from '../store/context.ts';
import { operationEvents } from '../webhooks/operation-events.ts';
import { orphanedBefore } from './orphaned.ts';

const BATCH = 100;

/** Takes over operations whose relay died while it sent them: what became of them is unknown. Throws StoreError. */
export async function takeOverOperations(context: Context): Promise<void> {
  const { store, now, config, log } = context;
  for (const operation of await store.leaseOrphanedOperations(leaseOf(context, BATCH), orphanedBefore(context))) {
    const since = now();
    const lost: Operation = {
      ...operation,
      version: operation.version + 1,
      state: { status: 'unknown', reason: 'relay_stopped', since: since.toISOString(), evidence: {} },
    };
    const orphaned = withFirstSearch(lost, since, config.resolve);
    const events = operationEvents(context, operation, orphaned);
    if (await store.finishOperation({ operation: orphaned, events })) {
      log.warn({ operation: operation.id, name: operation.name }, 'a relay stopped while it sent this operation');
    }
  }
}

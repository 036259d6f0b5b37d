import type { Context } from '../context.ts';
import { sessionEvents } from '../events/session-events.ts';
import type { Session } from './session.ts';
import type { Change } from './transitions.ts';

/**
 * Writes what became of an attempt and its session, with the webhooks that tell it, if `before` still is what the store
 * holds. False when somebody else was faster; then nothing is written. Throws StoreError.
 */
export async function commit(context: Context, before: Session, change: Change): Promise<boolean> {
  const events = await sessionEvents(context, before, change);
  return context.store.settle(change.session, change.attempt, change.hold, events);
}

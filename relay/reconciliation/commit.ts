import type { Attempt, Session } from '../payments/session.ts';
import type { Change } from '../payments/transitions.ts';
import type { Context } from '../store/context.ts';
import { sessionEvents } from '../webhooks/session-events.ts';
import { alarmPaidTwice } from './second-payment.ts';

/**
 * Writes what became of an attempt and its session, with the webhooks that tell it, if `before` still is what the store
 * holds. False when somebody else was faster; then nothing is written. Throws StoreError.
 * @param attempts those of the order, where they were just read
 */
export async function commit(
  context: Context,
  before: Session,
  change: Change,
  attempts?: readonly Attempt[],
): Promise<boolean> {
  const events = await sessionEvents(context, before, { ...change, attempts });
  const written = await context.store.settle(change.session, change.attempt, change.hold, events);
  if (written) alarmPaidTwice(context, before, change.session);
  return written;
}

import type { Attempt, Session } from '../checkout/session.ts';
import { sessionAnswer } from '../checkout/session-answer.ts';
import type { Context } from '../context.ts';
import type { EventType, NewEvent } from './event.ts';
import { newEvent, tellsShop } from './new-event.ts';

/** A session as it is to be written, with the attempt that changes with it. */
type Changed = { session: Session; attempt?: Attempt };

/**
 * The webhooks that tell of a session's change, to be written with it: none where the shop need not know, or wants none.
 * Throws StoreError.
 */
export async function sessionEvents(context: Context, before: Session, changed: Changed): Promise<NewEvent[]> {
  const { session, attempt } = changed;
  const type = tellsShop(context, session.account) ? typeOf(before, session) : undefined;
  if (!type) return [];
  const stored = await context.store.attemptsOfOrder(session.account, session.order_no);
  // What is in the store is from before the change.
  const attempts = stored.map((entry) => (entry.id === attempt?.id ? attempt : entry));
  const now = context.now();
  const late = type === 'session.approved' && wasOver(before, now) ? { late: true } : {};
  const data = { ...sessionAnswer(session, attempts, now), ...late };
  return newEvent(context, { account: session.account, id: session.id }, type, data);
}

function typeOf({ state: before }: Session, { state: after }: Session): EventType | undefined {
  switch (after.status) {
    case 'unknown':
      return before.status !== 'unknown' || (after.search.needs_attention && !before.search.needs_attention)
        ? 'session.unknown'
        : undefined;
    case 'open':
      // Whoever was told that it is unknown is told how that ended, even where the shopper only went away.
      return before.status === 'unknown' || (before.status !== 'open' && after.notice === 'declined')
        ? 'session.declined'
        : undefined;
    case 'processing':
      return undefined;
    default:
      return before.status === after.status ? undefined : `session.${after.status}`;
  }
}

/** True for a session that its shop had given up: it may have told its customer so. */
function wasOver({ state, expires_at }: Session, now: Date): boolean {
  if (state.status === 'open') return Date.parse(expires_at) <= now.getTime();
  return state.status === 'failed' || state.status === 'expired';
}

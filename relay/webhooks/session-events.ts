import { sha256 } from '../base/keys.ts';
import { type PaidTwice, paidAgain } from '../payments/paid-twice.ts';
import type { Attempt, Session } from '../payments/session.ts';
import type { Context } from '../store/context.ts';
import type { EventType, NewEvent } from '../store/event.ts';
import { newEvent, tellsShop } from './new-event.ts';
import { sessionAnswer } from './session-answer.ts';

/**
 * A session as it is to be written, with the attempt that changes with it. `attempts` are those of its order, where they
 * were just read.
 */
type Changed = { session: Session; attempt?: Attempt; attempts?: readonly Attempt[] | undefined };

/**
 * The webhooks that tell of a session's change, to be written with it: none where the shop need not know, or wants none.
 * Throws StoreError.
 */
export async function sessionEvents(context: Context, before: Session, changed: Changed): Promise<NewEvent[]> {
  const { session, attempt, attempts: known } = changed;
  if (!tellsShop(context, session.account)) return [];
  const type = typeOf(before, session);
  const twice = paidAgain(before.state, session.state);
  if (!type && twice.length === 0) return [];
  const stored = known ?? (await context.store.attemptsOfOrder(session.account, session.order_no));
  // What is in the store is from before the change.
  const attempts = stored.map((entry) => (entry.id === attempt?.id ? attempt : entry));
  const now = context.now();
  const late = type === 'session.approved' && wasOver(before, now) ? { late: true } : {};
  const data = sessionAnswer(session, attempts, now);
  const subject = { account: session.account, id: session.id };
  return [
    ...(type ? newEvent(context, subject, type, { ...data, ...late }) : []),
    ...twice.flatMap((ids) => {
      const told = { ...data, transaction_ids: ids };
      return newEvent(context, subject, 'session.paid_twice', told, idOfPaidTwice(session, ids));
    }),
  ];
}

/** The same for whoever finds a second payment: the shop is told of it once, ever. */
function idOfPaidTwice({ account, order_no }: Session, [, second]: PaidTwice): string {
  return `msg_${sha256(JSON.stringify([account, order_no, second]))}`;
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

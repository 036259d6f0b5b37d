import type { Session } from '../checkout/session.ts';
import type { Change } from '../checkout/transitions.ts';
import type { Context } from '../context.ts';
import type { NewEvent } from './event.ts';

/** The webhooks that tell of a session's change. */
export function sessionEvents(_context: Context, _before: Session, _change: Pick<Change, 'session'>): NewEvent[] {
  return [];
}

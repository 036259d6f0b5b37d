import { rulesOf } from '../config/rules.ts';
import type { Context } from '../store/context.ts';

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

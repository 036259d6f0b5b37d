import type { Attempt } from '../../../../relay/payments/attempt.ts';
import type { Order } from '../../../../relay/payments/order.ts';
import { ABSENT_MS } from '../../world/config.ts';
import type { Relays } from '../../world/relays.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from '../queries/query-log.ts';
import { isBlocking } from './sending.ts';

const QUERIES = 3;

/** A query may begin a little before its attempt is noted here. */
const SLACK_MS = 2000;

/**
 * An attempt is absent only after its time, and after three counted queries that are spread over it and show nothing that holds its
 * order: no pending or unlisted record, and no approved one without a name.
 */
export function watchAbsence(scene: Scene, log: QueryLog): void {
  const { world, relays, onWritten } = scene;
  /** When each attempt began: a relay's clock may tell another time. */
  const began = new Map<string, number>();
  const check = ({ order_no: orderNo, attempts }: Order, { id }: Attempt): void => {
    const since = began.get(id) ?? Number.NEGATIVE_INFINITY;
    const counted = log.of(orderNo).filter(({ at, endedAt, counts }) => counts && endedAt && at >= since - SLACK_MS);
    const shows = counted.findLastIndex(({ records }) =>
      records.some((record) => isBlocking(scene, orderNo, record, attempts)),
    );
    const clear = counted.slice(shows + 1);
    const [first, last] = [clear[0], clear.at(-1)];
    const spread = first && last ? (last.endedAt ?? 0) - first.at : 0;
    const waited = world.clock.now() - since;
    const least = ABSENT_MS - SLACK_MS - clockError(relays, since, ABSENT_MS);
    if (clear.length >= QUERIES && Math.min(spread, waited) >= least) return;
    world.breach(
      'absence is proved',
      `${id} of ${orderNo} is absent ${waited} ms after it was sent, and ${clear.length} queries within ${spread} ms`,
    );
  };
  onWritten.push((before, after) => {
    for (const { id } of after.attempts) if (!began.has(id)) began.set(id, world.clock.now());
    // Of a paid order records that are not approved say nothing.
    if (after.payments.length > 0) return;
    for (const attempt of after.attempts) {
      const was = before.attempts.find(({ id }) => id === attempt.id);
      if (was && isAbsent(attempt) && !isAbsent(was)) check(after, attempt);
    }
  });
}

/**
 * By how much less than `ms` may have passed: where another process made the query before, clocks tell how long ago that was, and a third
 * of the time at most counts by them.
 */
export function clockError({ clocks }: Relays, since: number, ms: number): number {
  return clocks.wereWrong(since) ? ms / 3 : 0;
}

function isAbsent({ state }: Attempt): boolean {
  return state.status === 'not_paid' && state.reason === 'absent';
}

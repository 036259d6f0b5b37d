import type { Attempt } from '../../../../relay/payments/attempt.ts';
import { ABSENT_MS } from '../../world/config.ts';
import { paymentStatus, transactionOf } from '../../world/gateway/books.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from '../queries/query-log.ts';

const QUERIES = 3;

/** Clocks of several relays may be this far apart, and a date of the store is one of theirs. */
const SKEW_MS = 2000;

/**
 * An attempt is absent only after its time, and after three counted queries that are spread over it and do not show it as pending,
 * unless a person decided about that.
 */
export function watchAbsence({ world, gateway, decided, onWritten }: Scene, log: QueryLog): void {
  const check = (orderNo: string, { id, started_at }: Attempt): void => {
    const since = Date.parse(started_at);
    const known = decided.get(orderNo)?.map((one) => one.transaction_id) ?? [];
    const counted = log.of(orderNo).filter(({ at, endedAt, counts }) => counts && endedAt && at >= since - SKEW_MS);
    const shows = counted.findLastIndex(({ records }) =>
      records.some(
        (record) =>
          record.payment_status === paymentStatus.pending &&
          transactionOf(gateway.books, record)?.attempt === id &&
          !known.includes(String(record.transaction_id)),
      ),
    );
    const clear = counted.slice(shows + 1);
    const [first, last] = [clear[0], clear.at(-1)];
    const spread = first && last ? (last.endedAt ?? 0) - first.at : 0;
    const waited = world.clock.now() - since;
    if (clear.length >= QUERIES && Math.min(spread, waited) >= ABSENT_MS - SKEW_MS) return;
    world.breach(
      'absence is proved',
      `${id} of ${orderNo} is absent ${waited} ms after it was sent, and ${clear.length} queries within ${spread} ms`,
    );
  };
  onWritten.push((before, after) => {
    // Of a paid order records that are not approved say nothing.
    if (after.payments.length > 0) return;
    for (const attempt of after.attempts) {
      const was = before.attempts.find(({ id }) => id === attempt.id);
      if (was && isAbsent(attempt) && !isAbsent(was)) check(after.order_no, attempt);
    }
  });
}

function isAbsent({ state }: Attempt): boolean {
  return state.status === 'not_paid' && state.reason === 'absent';
}

import * as right from '../../../../relay/payments/absence-clock.ts';

export * from '../../../../relay/payments/absence-clock.ts';

const kind = new URL(import.meta.url).search.slice(1);

/** Wrong: waiting is measured by the wall clock (`clock`). */
export const withClearQuery: typeof right.withClearQuery = (clear, begun, absentMs) =>
  right.withClearQuery(clear, kind === 'clock' ? { ...begun, monotonic_ms: Date.parse(begun.at) } : begun, absentMs);

/** Or wrong: waiting begins only when a stored time in the future has passed (`ahead`). */
export const notInFuture: typeof right.notInFuture = (time, seen, now) =>
  kind === 'ahead' ? time : right.notInFuture(time, seen, now);

/** Or wrong: one query is enough (`once`), or a tenth of the time (`soon`). */
export const isAbsenceProved: typeof right.isAbsenceProved = (clear, absentMs) =>
  kind === 'once'
    ? clear.queries > 0 && clear.waited_ms >= 0
    : right.isAbsenceProved(clear, kind === 'soon' ? absentMs / 10 : absentMs);

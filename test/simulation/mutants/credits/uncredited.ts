import { isUnsettled } from '../../../../relay/payments/attempt.ts';
import { isWaiting } from '../../../../relay/payments/session.ts';
import * as right from '../../../../relay/payments/settlement/credit.ts';
import { approvalOf } from '../../../../relay/payments/settlement/match.ts';

export * from '../../../../relay/payments/settlement/credit.ts';

type Credit = typeof right.creditRecords;

/** Wrong: while one session waits, an approved record of another session's attempt is ignored. */
const others: Credit = (before, records, now) => {
  const waiting = before.order.sessions.find(isWaiting);
  const own = records.filter((record) => {
    const approval = approvalOf(before.order, record, records);
    return !waiting || approval.kind !== 'credit' || approval.attempt?.session_id === waiting.id;
  });
  return right.creditRecords(before, own, now);
};

/** Wrong: an approved record pays only if something is unsettled, and not after a refusal or a decline. */
const settled: Credit = (before, records, now) => {
  const isAwaited = before.order.attempts.some(isUnsettled);
  return right.creditRecords(before, isAwaited ? records : [], now);
};

/** One of the two, by the query of this file's address. */
export const creditRecords: Credit = new URL(import.meta.url).search === '?others' ? others : settled;

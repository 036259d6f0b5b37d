import { isWaiting } from '../../../relay/payments/session.ts';
import { approvalOf } from '../../../relay/payments/settlement/approval.ts';
import * as right from '../../../relay/payments/settlement/credit.ts';

export * from '../../../relay/payments/settlement/credit.ts';

/** Wrong: while one session waits, an approved record of another one's attempt is thrown away. */
export const creditRecords: typeof right.creditRecords = (before, records, now) => {
  const waiting = before.order.sessions.find(isWaiting);
  const own = records.filter((record) => {
    const approval = approvalOf(before.order, record);
    return !waiting || approval.kind !== 'credit' || approval.attempt?.session_id === waiting.id;
  });
  return right.creditRecords(before, own, now);
};

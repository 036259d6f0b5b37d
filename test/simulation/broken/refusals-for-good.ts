import { isUnsettled } from '../../../relay/payments/attempt.ts';
import * as right from '../../../relay/payments/settlement/credit.ts';

export * from '../../../relay/payments/settlement/credit.ts';

/** Wrong: an approved record pays only where something is unsettled, and not after a refusal or a decline. */
export const creditRecords: typeof right.creditRecords = (before, records, now) => {
  const isAwaited = before.order.attempts.some(isUnsettled);
  return right.creditRecords(before, isAwaited ? records : [], now);
};

import type { Notify } from '../notifications/notices.ts';
import { notifyRefund } from './refund-notice.ts';
import type { Refunds } from './refunds.ts';

type Surroundings = { refunds: Refunds; now: () => Date; notify: Notify };

/** Sends the money of a waiting refund back, and tells it; false when no such refund waits. */
export function processRefund(reference_id: string, { refunds, now, notify }: Surroundings): boolean {
  const refund = refunds.withReference(reference_id);
  if (!refund || refund.processedAt) return false;
  refund.processedAt = now();
  notifyRefund(notify, refund);
  return true;
}

import type { Notify } from '../notifications/notices.ts';
import { refundRecord } from './refund-record.ts';
import type { Refund } from './refunds.ts';

/** Tells a refund to the notify_url of the payment that it refunds, if that has one. */
export function notifyRefund(notify: Notify, refund: Refund): void {
  const { merchant_id, account_id, order, notify_url, faults } = refund.payment;
  if (!notify_url) return;
  const account = { merchant_id, account_id };
  notify({
    url: notify_url,
    account,
    kind: 'refund',
    order_no: order.order_no,
    ...(faults && { faults }),
    fields: { ...account, ...refundRecord(refund) },
  });
}

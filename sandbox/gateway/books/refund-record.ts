import { formatDate } from '../../../shared/gateway/dates.ts';
import type { RefundRecord } from '../../../shared/gateway/refund-search.ts';
import { utc } from '../base/dates.ts';
import { paymentStatus } from './payment-status.ts';
import type { Refund } from './refunds.ts';

/** §2.5: a refund as a search tells it. */
export function refundRecord(refund: Refund): RefundRecord {
  const { payment, refund_amount, refund_reason, refund_reference_id, at, processedAt } = refund;
  const dateOf = (date: Date) => formatDate('YYYYMMDDHHMMSS', utc(date));
  return {
    transaction_id: payment.transaction_id,
    order_no: payment.order.order_no,
    amount: payment.order.amount,
    currency: payment.order.currency,
    refund_status: '1',
    payment_status: paymentStatus(payment),
    refund_amount,
    refund_reference: '',
    refund_reason,
    refund_reference_id,
    refund_date: dateOf(at),
    refund_processing_date: processedAt ? dateOf(processedAt) : '',
  };
}

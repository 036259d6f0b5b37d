import { fromMinor, toMinor } from '../../../shared/gateway/amounts.ts';
import { formatDate } from '../../../shared/gateway/dates.ts';
import type { RefundRecord } from '../../../shared/gateway/refund.ts';
import { utc } from '../base/clock.ts';
import type { Notify } from '../notifications/notices.ts';
import type { Payment, StatusOf } from './payments.ts';
import type { Returned } from './states.ts';

/** A refund that the gateway accepted. Without `processedAt` the money was not returned yet. */
export type Refund = {
  refund_reference_id: string;
  payment: Payment;
  refund_amount: string;
  refund_reason: string;
  at: Date;
  processedAt?: Date;
};

/** The refunds since the start of the gateway, in the order of arrival. */
export class Refunds {
  readonly #all: Refund[] = [];
  readonly #byTransaction = new Map<string, Refund[]>();

  /** Books a refund under the payment's next reference, `<transaction_id>-<two digits>` (§2.5). */
  add(refund: Omit<Refund, 'refund_reference_id'>): Refund {
    const { transaction_id } = refund.payment;
    const before = this.#byTransaction.get(transaction_id) ?? [];
    const number = String(before.length + 1).padStart(2, '0');
    const added = { ...refund, refund_reference_id: `${transaction_id}-${number}` };
    this.restore(added);
    return added;
  }

  /** Books a refund under its existing reference. */
  restore(refund: Refund): void {
    const { transaction_id } = refund.payment;
    this.#all.push(refund);
    this.#byTransaction.set(transaction_id, [...(this.#byTransaction.get(transaction_id) ?? []), refund]);
  }

  list(): readonly Refund[] {
    return this.#all;
  }

  withReference(reference_id: string): Refund | undefined {
    const refunds = this.#byTransaction.get(reference_id.replace(/-\d+$/, '')) ?? [];
    return refunds.find(({ refund_reference_id }) => refund_reference_id === reference_id);
  }

  of(payment: Payment): readonly Refund[] {
    return this.#byTransaction.get(payment.transaction_id) ?? [];
  }

  /**
   * The refundable rest of a payment: the captured amount, or the whole amount of one that is not captured by hand,
   * less all accepted refunds.
   */
  left(payment: Payment): string {
    const { state, order, byHand } = payment;
    if (state.status !== 'approved') return '0.00';
    const from = toMinor(state.captured ?? (byHand ? '0.00' : order.amount), order.currency);
    return fromMinor(from - this.#sum(payment), order.currency);
  }

  /** The refunded amount of a payment. */
  returned(payment: Payment): Returned {
    if (this.#sum(payment) === 0n) return 'nothing';
    return toMinor(this.left(payment), payment.order.currency) === 0n ? 'all' : 'a part';
  }

  #sum(payment: Payment): bigint {
    const { currency } = payment.order;
    return this.of(payment).reduce((sum, { refund_amount }) => sum + toMinor(refund_amount, currency), 0n);
  }
}

/** §2.5: a refund, as a search returns it. */
export function refundRecord(refund: Refund, statusOf: StatusOf): RefundRecord {
  const { payment, refund_amount, refund_reason, refund_reference_id, at, processedAt } = refund;
  const dateOf = (date: Date) => formatDate('YYYYMMDDHHMMSS', utc(date));
  return {
    transaction_id: payment.transaction_id,
    order_no: payment.order.order_no,
    amount: payment.order.amount,
    currency: payment.order.currency,
    refund_status: '1',
    payment_status: statusOf(payment),
    refund_amount,
    refund_reference: '',
    refund_reason,
    refund_reference_id,
    refund_date: dateOf(at),
    refund_processing_date: processedAt ? dateOf(processedAt) : '',
  };
}

/** Notifies the notify_url of the refunded payment, if it has one. */
export function notifyRefund(notify: Notify, refund: Refund, statusOf: StatusOf): void {
  const { merchant_id, account_id, order, notify_url, faults } = refund.payment;
  if (!notify_url) return;
  const account = { merchant_id, account_id };
  notify({
    url: notify_url,
    account,
    kind: 'refund',
    order_no: order.order_no,
    ...(faults && { faults }),
    fields: { ...account, ...refundRecord(refund, statusOf) },
  });
}

/** Completes a waiting refund, with a notification. False if no such refund waits. */
export function processRefund(refund: Refund | undefined, at: Date, notify: Notify, statusOf: StatusOf): boolean {
  if (!refund || refund.processedAt) return false;
  refund.processedAt = at;
  notifyRefund(notify, refund, statusOf);
  return true;
}

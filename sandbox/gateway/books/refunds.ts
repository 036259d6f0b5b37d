import { fromMinor, toMinor } from '../../../shared/gateway/amounts.ts';
import type { Payment } from './payments.ts';

/** A refund that the gateway accepted. Without `processedAt` the money has not gone back yet. */
export type Refund = {
  refund_reference_id: string;
  payment: Payment;
  refund_amount: string;
  refund_reason: string;
  at: Date;
  processedAt?: Date;
};

/** Every refund since the gateway started, in the order they came. */
export class Refunds {
  readonly #all: Refund[] = [];
  readonly #byTransaction = new Map<string, Refund[]>();

  /** Books a refund under the payment's next reference, `<transaction_id>-<two digits>` (§2.5). */
  add(refund: Omit<Refund, 'refund_reference_id'>): Refund {
    const { transaction_id } = refund.payment;
    const before = this.#byTransaction.get(transaction_id) ?? [];
    const number = String(before.length + 1).padStart(2, '0');
    const added = { ...refund, refund_reference_id: `${transaction_id}-${number}` };
    this.#all.push(added);
    this.#byTransaction.set(transaction_id, [...before, added]);
    return added;
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

  /** What may still be refunded of a payment: its captured amount, or all of it, less every refund accepted before. */
  left(payment: Payment): string {
    if (payment.state.status !== 'approved') return '0.00';
    const { currency } = payment.order;
    const from = toMinor(payment.state.captured ?? payment.order.amount, currency);
    const refunded = this.of(payment).reduce((sum, { refund_amount }) => sum + toMinor(refund_amount, currency), 0n);
    return fromMinor(from - refunded, currency);
  }
}

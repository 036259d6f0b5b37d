import { formatDate } from '../../../shared/gateway/dates.ts';
import { type Clock, utc } from '../base/clock.ts';
import type { Random } from '../base/ids.ts';
import type { AnswerStyles } from '../faults/answer-style.ts';
import type { Notify } from '../notifications/notices.ts';
import { Contracts } from './contracts.ts';
import { type Payment, Payments, type StatusOf } from './payments.ts';
import { Payouts } from './payouts.ts';
import { Refunds } from './refunds.ts';
import { orderStatus, paymentStatus, reasonOf, recurringStatus } from './states.ts';

/** All records of the gateway. */
export type Books = {
  payments: Payments;
  refunds: Refunds;
  contracts: Contracts;
  payouts: Payouts;
  statusOf: StatusOf;
};

type Surroundings = { clock: Clock; random: Random; notify: Notify; styles: AnswerStyles };

/** Creates empty records. They send notifications and charge contracts as the clock moves. */
export function openBooks({ clock, random, notify, styles }: Surroundings): Books {
  const refunds = new Refunds();
  const statusOf: StatusOf = (payment) =>
    paymentStatus(payment, refunds.returned(payment), styles.current.payment_codes);
  const payments = new Payments(clock, (payment) => notifyPayment(notify, payment, statusOf(payment)));
  return {
    payments,
    refunds,
    contracts: new Contracts({ payments, clock, random }),
    payouts: new Payouts(),
    statusOf,
  };
}

/** Notifies a payment's notify_url of its state, if it has one. */
function notifyPayment(notify: Notify, payment: Payment, payment_status: string): void {
  const { merchant_id, account_id, transaction_id, order, notify_url, subscription, at, faults } = payment;
  if (!notify_url) return;
  notify({
    url: notify_url,
    account: { merchant_id, account_id },
    kind: subscription && subscription.cycle > 1 ? 'recurring' : 'payment',
    order_no: order.order_no,
    ...(faults && { faults }),
    fields: {
      merchant_id,
      account_id,
      order_no: order.order_no,
      transaction_id,
      amount: order.amount,
      currency: order.currency,
      order_status: orderStatus(payment),
      payment_status,
      decline_reason: reasonOf(payment),
      transaction_date: formatDate('YYYYMMDDHHMMSS', utc(at)),
      ...(subscription && {
        contract_name: subscription.contract.contract_name,
        recurring_id: subscription.contract.recurring_id,
        recurring_status: recurringStatus(subscription.contract),
      }),
    },
  });
}

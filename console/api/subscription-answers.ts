import type { SubscriptionAnswer, SubscriptionList } from '../../shared/api/subscription.ts';
import { isItemOutcome, isOperationStatus } from './answers.ts';
import { type Guard, list, number, object, oneOf, optional, text } from './guards.ts';

const charge = object<SubscriptionAnswer['first_charge']>({
  transaction_id: text,
  at: optional(text),
  amount: optional(text),
  currency: optional(text),
});

const subscription = object<SubscriptionAnswer>({
  recurring_id: text,
  contract_name: optional(text),
  status: oneOf({ active: true, ending: true, end_unknown: true, ended: true }),
  order_no: text,
  session_id: optional(text),
  started_at: text,
  shopper_email: optional(text),
  card: optional(text),
  currency: text,
  terms: optional(
    object<NonNullable<SubscriptionAnswer['terms']>>({
      contract: optional(text),
      contract_amount: optional(text),
      interval: optional(text),
      interval_count: optional(text),
      billing_cycle: optional(number),
      promotion_cycle: optional(number),
      contract_start: optional(text),
      contract_end: optional(text),
      price_id: optional(text),
    }),
  ),
  recurring_deduction_period: optional(text),
  recurring_deduction_time: optional(text),
  recurring_status: optional(text),
  first_charge: charge,
  later_charges: number,
  last_charge: optional(charge),
  next_charge: optional(
    object<NonNullable<SubscriptionAnswer['next_charge']>>({
      date: text,
      by: oneOf({ gateway: true, terms: true }),
      amount: text,
      currency: text,
    }),
  ),
  end: optional(
    object<NonNullable<SubscriptionAnswer['end']>>({
      operation_id: text,
      status: isOperationStatus,
      outcome: optional(isItemOutcome),
      at: text,
      by: optional(text),
    }),
  ),
  notifications: number,
  notified_at: optional(text),
});

export const isSubscriptionList: Guard<SubscriptionList> = object<SubscriptionList>({
  subscriptions: list(subscription),
  next: optional(text),
});

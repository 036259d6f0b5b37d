import { isItemOutcome } from './answers.ts';
import { type Guard, list, number, object, oneOf, optional, text } from './guards.ts';
import type { SubscriptionAnswer, SubscriptionList } from './read.ts';

const charge = object<SubscriptionAnswer['first_charge']>({
  at: optional(text),
  amount: optional(text),
});

const subscription = object<SubscriptionAnswer>({
  recurring_id: text,
  contract_name: optional(text),
  status: oneOf({ active: true, ending: true, end_unknown: true, ended: true }),
  order_no: text,
  started_at: text,
  shopper_email: optional(text),
  card: optional(text),
  currency: text,
  terms: optional(
    object<NonNullable<SubscriptionAnswer['terms']>>({
      contract_amount: optional(text),
      interval: optional(text),
      interval_count: optional(text),
      contract_end: optional(text),
    }),
  ),
  recurring_deduction_period: optional(text),
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
      outcome: optional(isItemOutcome),
    }),
  ),
  notifications: number,
});

export const isSubscriptionList: Guard<SubscriptionList> = object<SubscriptionList>({
  subscriptions: list(subscription),
  next: optional(text),
});

import { z } from 'zod';
import { operations } from '../../../shared/gateway/operations.ts';
import type { Clock } from '../base/clock.ts';
import { faultNames } from '../faults/faults.ts';
import { issuerBehaviourNames } from '../faults/issuer-behaviours.ts';
import type { Books } from './books.ts';
import type { Contract } from './contract.ts';
import { type IssuerPayment, type Payment, paymentOrder } from './payments.ts';
import { reviews } from './states.ts';

const date = z.coerce.date();
const account = { merchant_id: z.string(), account_id: z.string() };

const approved = z.object({
  status: z.literal('approved'),
  captured: z.string().exactOptional(),
  ended: z.enum(['cancelled', 'expired']).exactOptional(),
});
const state = z.discriminatedUnion('status', [
  z.object({ status: z.literal('undecided') }),
  z.object({ status: z.literal('pending') }),
  approved,
  z.object({ status: z.literal('declined'), reason: z.string() }),
  z.object({ status: z.literal('cancelled'), cause: z.enum(['merchant', 'review', 'expiry']) }),
  z.object({ status: z.literal('charged_back'), before: approved }),
]);

const payment = z.object({
  transaction_id: z.string(),
  ...account,
  at: date,
  order: paymentOrder,
  notify_url: z.string().exactOptional(),
  subscription: z.object({ recurring_id: z.string(), cycle: z.int() }).exactOptional(),
  review: z.enum(reviews),
  state,
  faults: z.array(z.enum(faultNames)).exactOptional(),
  byHand: z.object({ expiresAt: date.exactOptional() }).exactOptional(),
  issuer: z
    .object({
      issuer_token: z.string(),
      manner: z.enum(issuerBehaviourNames),
      payment_method: z.string(),
      return_url: z.string().exactOptional(),
    })
    .exactOptional(),
});
type KeptPayment = z.output<typeof payment>;

const contract = z.object({
  recurring_id: z.string(),
  contract_name: z.string(),
  ...account,
  period_word: z.string(),
  terms: z.object({
    interval: z.object({ unit: z.enum(['day', 'week', 'month', 'year']), count: z.int() }).exactOptional(),
    startsAt: date,
    endsAt: date.exactOptional(),
    cycles: z.int().exactOptional(),
    promotionCycles: z.int(),
    amount: z.string(),
  }),
  status: z.enum(['active', 'cancelled', 'completed']),
  declines: z.boolean().exactOptional(),
  period: z
    .object({ number: z.int(), from: date, to: date, status: z.enum(['open', 'charged', 'declined', 'cancelled']) })
    .exactOptional(),
});

const refund = z.object({
  refund_reference_id: z.string(),
  transaction_id: z.string(),
  refund_amount: z.string(),
  refund_reason: z.string(),
  at: date,
  processedAt: date.exactOptional(),
});

const payout = z.object({
  transaction_id: z.string(),
  short_reference_id: z.string(),
  payer_id: z.string(),
  request: operations.payout.request.omit({ encryption_data: true }),
  createdAt: date,
  updatedAt: date,
  state: z.discriminatedUnion('status', [
    z.object({ status: z.literal('PROCESSING') }),
    z.object({ status: z.literal('COMPLETED') }),
    z.object({ status: z.literal('FAILED'), failure_type: z.string(), failure_reason: z.string() }),
  ]),
});

/** The stored records. `ahead_ms` is how far the gateway's clock is ahead of the machine's. */
export const snapshot = z.object({
  version: z.literal(1),
  ahead_ms: z.int(),
  payments: z.array(payment),
  contracts: z.array(contract),
  refunds: z.array(refund),
  payouts: z.array(payout),
});
export type Snapshot = z.output<typeof snapshot>;

/** A snapshot of the records. */
export function snapshotOf({ payments, refunds, contracts, payouts }: Books, clock: Clock): Snapshot {
  return {
    version: 1,
    ahead_ms: clock.now().getTime() - Date.now(),
    payments: payments.list().map(keptPayment),
    contracts: [...contracts.list()],
    refunds: refunds.list().map(({ payment: { transaction_id }, ...rest }) => ({ ...rest, transaction_id })),
    payouts: [...payouts.list()],
  };
}

function keptPayment(given: Payment): KeptPayment {
  const { subscription, faults = [], ...rest } = given;
  return {
    ...rest,
    faults: [...faults],
    ...(subscription && {
      subscription: { recurring_id: subscription.contract.recurring_id, cycle: subscription.cycle },
    }),
    ...(isWithIssuer(given) && { issuer: issuerOf(given) }),
  };
}

function isWithIssuer(given: Payment): given is IssuerPayment {
  return 'issuer_token' in given;
}

function issuerOf({ issuer_token, manner, payment_method, return_url }: IssuerPayment) {
  return { issuer_token, manner, payment_method, ...(return_url && { return_url }) };
}

/** Restores a snapshot without notifications. Existing records stay. The clock does the work that became due since. */
export function restore(kept: Snapshot, { payments, refunds, contracts, payouts }: Books): void {
  const known = new Map<string, Contract>(kept.contracts.map((one) => [one.recurring_id, one]));
  const fresh = kept.payments.filter(({ transaction_id }) => !payments.withTransaction(transaction_id));
  for (const { issuer, subscription, ...rest } of fresh) {
    const contract = subscription && known.get(subscription.recurring_id);
    payments.restore({
      ...rest,
      ...issuer,
      ...(contract && { subscription: { contract, cycle: subscription.cycle } }),
    });
  }
  const restored = fresh.flatMap(({ transaction_id }) => payments.withTransaction(transaction_id) ?? []);
  for (const { transaction_id, ...rest } of kept.refunds) {
    const payment = restored.find((one) => one.transaction_id === transaction_id);
    if (payment) refunds.restore({ ...rest, payment });
  }
  for (const one of kept.payouts) {
    if (!payouts.list().some(({ transaction_id }) => transaction_id === one.transaction_id)) payouts.add(one);
  }
  for (const payment of restored) {
    if (payment.subscription?.cycle === 1) contracts.restore(payment.subscription.contract, payment);
  }
}

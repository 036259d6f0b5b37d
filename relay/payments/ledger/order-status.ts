import type { OrderStatus } from '../../../shared/api/order.ts';
import type { PaymentStatus } from '../../../shared/api/order-payment.ts';
import type { SessionStatus } from '../../../shared/checkout/status.ts';
import {
  furtherLast,
  isPaid,
  isProved,
  isRenewal,
  type OrderPayment,
  type PaymentRules,
  type StoredOrder,
} from '../order.ts';
import { isOver, type Ledger } from './ledger.ts';
import { type Histories, historyIn } from './payment-operation.ts';
import { standingOf } from './standing.ts';

/** A payment of an order with its own status. */
export type Standing = { payment: OrderPayment; status: PaymentStatus };

/** The inputs of the order status rules: the order's payments and sessions, oldest first. */
type OrderFacts = {
  payments: readonly Standing[];
  sessions: readonly SessionStatus[];
  isPaid: boolean;
  isHeld: boolean;
};

/** A rule of the order status: returns one of its statuses if it applies and no earlier rule does. */
export type OrderStatusRule = {
  statuses: readonly [OrderStatus, ...OrderStatus[]];
  when: string;
  statusOf: (order: OrderFacts) => OrderStatus | undefined;
};

/** The statuses of sessions whose payment has not ended. */
const unfinished: readonly SessionStatus[] = ['processing', 'redirected', 'pending'];

/**
 * The rules of the order status. The first one that applies decides. The table in docs/orders.md is generated from
 * these rules.
 */
export const orderStatusRules: readonly OrderStatusRule[] = [
  {
    statuses: ['paid_twice'],
    when: 'The gateway proved more than one payment that is not `cancelled`, `rejected`, `reversed` or `refunded`. Renewals do not count.',
    statusOf: ({ payments }) => (leftToShop(payments).length > 1 ? 'paid_twice' : undefined),
  },
  {
    statuses: [
      ...(['paid', 'held', 'authorised', 'partially_captured', 'partially_refunded'] as const),
      ...(['refunded', 'cancelled', 'rejected', 'reversed'] as const),
    ],
    when: 'The status of its payment; of several payments the first one of which something is left, or else the first one.',
    statusOf: ({ payments }) => decidingPayment(payments)?.status,
  },
  {
    statuses: ['paid'],
    when: 'It was paid, and the payment is no longer kept.',
    statusOf: (order) => when('paid', order.isPaid),
  },
  {
    statuses: ['pending'],
    when: 'A payment is being sent, the shopper is at the issuer’s page, or a voucher or transfer is in progress.',
    statusOf: ({ sessions }) =>
      when(
        'pending',
        sessions.some((status) => unfinished.includes(status)),
      ),
  },
  {
    statuses: ['unknown'],
    when: 'The outcome of a payment is unknown.',
    statusOf: ({ sessions, isHeld }) => when('unknown', sessions.includes('unknown') || isHeld),
  },
  {
    statuses: ['open'],
    when: 'A session of it can be paid.',
    statusOf: ({ sessions }) => when('open', sessions.includes('open')),
  },
  {
    statuses: ['failed'],
    when: 'Its last session failed.',
    statusOf: ({ sessions }) => when('failed', sessions.at(-1) === 'failed'),
  },
  { statuses: ['expired'], when: 'Its last session expired.', statusOf: () => 'expired' },
];

function when<Status>(status: Status, applies: boolean): Status | undefined {
  return applies ? status : undefined;
}

/** Derives the status of an order from its payments (`standingsOf`), otherwise from its sessions. */
export function orderStatusOf(order: StoredOrder, payments: readonly Standing[]): OrderStatus {
  const { sessions, hold } = order;
  const decisive: OrderFacts = {
    payments,
    sessions: sessions.map(({ state }) => state.status),
    isPaid: isPaid(order) || hold === 'paid',
    isHeld: hold === 'held',
  };
  for (const { statusOf } of orderStatusRules) {
    const status = statusOf(decisive);
    if (status !== undefined) return status;
  }
  return 'expired';
}

/** A payment of an order with its own status and its sums. */
export type StandingPayment = Standing & Ledger;

/**
 * The payments of an order, each with its own status and its sums.
 * @param histories the operations on its payments
 */
export function standingsOf(order: StoredOrder, histories: Histories, rules: PaymentRules): StandingPayment[] {
  return order.payments.map((payment) => ({
    payment,
    ...standingOf(order, payment, historyIn(histories, payment.transaction_id), rules),
  }));
}

/**
 * The payments that count for `paid_twice`: proved by the gateway, not a renewal, and with money that is left for the
 * shop.
 */
export function leftToShop(payments: readonly Standing[]): Standing[] {
  return payments
    .filter(({ payment, status }) => isProved(payment) && !isRenewal(payment) && !isOver(status))
    .toSorted((one, another) => furtherLast(one.payment, another.payment));
}

/**
 * The payment that counts for an order that was paid more than once, and the payments to refund. Undefined for any
 * other order, and while one of the payments is held or has an undecided operation that could end or refund it.
 */
export function paidTwice(
  payments: readonly Standing[],
  histories: Histories,
): { counts: string; surplus: string[] } | undefined {
  const left = leftToShop(payments);
  const [counts, ...surplus] = left.map(({ payment }) => payment.transaction_id);
  if (counts === undefined || surplus.length === 0) return undefined;
  const isOpen = left.some(({ payment, status }) => {
    const { operations, refunds } = historyIn(histories, payment.transaction_id);
    const mayGo = [...operations, ...refunds].some(({ name, outcome }) => name !== 'capture' && outcome === 'unknown');
    return status === 'held' || mayGo;
  });
  return isOpen ? undefined : { counts, surplus };
}

/** The payment that decides the status of the order. A renewal decides only if the order has no other payment. */
export function decidingPayment(payments: readonly Standing[]): Standing | undefined {
  const first = payments.filter(({ payment }) => !isRenewal(payment));
  const own = first.length > 0 ? first : payments;
  return own.find(({ status }) => !isOver(status)) ?? own[0];
}

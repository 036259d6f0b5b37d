/** A decimal string and its currency. */
export type Money = { amount: string; currency: string };

/** A refund that the relay was asked for. */
export type RefundHere = Money & { transaction_id: string; outcome: 'succeeded' | 'unknown'; at: string };

/** A transaction that paid an order, as the relay has it. `refunded` is what all refunds took of it. */
export type PaymentHere = Money & { transaction_id: string; refunded: string };

/** An order as the relay has it. */
export type OrderHere = {
  order_no: string;
  status: 'paid' | 'in_progress' | 'open';
  /** What its sessions and attempts asked for, the last one first. */
  asked: readonly [Money, ...Money[]];
  payments: readonly PaymentHere[];
  refunds: readonly RefundHere[];
  /** Transactions that were cancelled or reviewed through the relay: the gateway may rightly say that they are not paid. */
  reversed: ReadonlySet<string>;
  /** The contracts that the order began: their later charges bear its number, and pay it no second time. */
  contracts: ReadonlySet<string>;
  /** When the first and the last attempt were sent (ISO 8601). */
  firstSentAt?: string;
  lastSentAt?: string;
  /** There is more of its history than the relay shows. */
  truncated: boolean;
};

/** What a code of the gateway's means under the relay's profile. */
export type PaymentMeaning = 'approved' | 'declined' | 'pending' | 'unlisted';
export type RefundMeaning = 'succeeded' | 'failed' | 'unlisted';

/** A payment in the gateway's books. `date` is in milliseconds, as if the gateway's clock showed UTC. */
export type PaymentThere = Money & {
  transaction_id: string;
  meaning: PaymentMeaning;
  code: string;
  date?: number;
  contract?: string;
};

/** A refund in the gateway's books. */
export type RefundThere = Money & { transaction_id: string; refund_reference_id: string; meaning: RefundMeaning };

/** An order as the gateway has it. */
export type OrderThere = { payments: readonly PaymentThere[]; refunds: readonly RefundThere[] };

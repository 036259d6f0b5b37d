/** A status in the gateway's books, and when it begins: `after` milliseconds after the payment. */
export type Phase = { after: number; status: 'approved' | 'declined' | 'pending' | 'unlisted' };

/** A state of an approved payment, and when it begins: `after` milliseconds after the booking or the previous state. */
export type Standing = { after: number; is: 'approved' | 'held' | 'reversed' };

/** One try of a shopper at the issuer's page. `same`: it changes the transaction of the previous try. */
export type Try = { after: number; status: Phase['status']; same: boolean };

/** The plan of a payment's message: its way to the gateway, the gateway's books, and the answer. Times are in milliseconds. */
export type PaymentPlan = {
  way: 'arrives' | 'not_sent' | 'lost';
  /** The time until the gateway acts. */
  slow: number;
  says: 'approved' | 'declined' | 'pending' | 'unlisted' | 'redirect' | 'refused_400' | 'refused_429';
  /** With `unsigned_other`, the answer is unsigned and names a transaction that does not exist. */
  answer: 'whole' | 'lost' | 'http_500' | 'unsigned' | 'unsigned_other' | 'other_amount' | 'other_order' | 'no_id';
  /** The time from the action to the answer. */
  answerSlow: number;
  book: Phase[];
  /** Its states after the approval. */
  life?: Standing[];
  tries: Try[];
  /** The time until queries show its records. */
  hidden: number;
  /** The time until queries show a change of its records. Notifications report the change at once. */
  changesLate?: number;
  /** The number of calls of the store that fail after the answer. */
  unstored?: number;
  twice: boolean;
  /** Its records name no transaction while they are approved or unlisted. */
  nameless?: boolean;
  /** The payment begins a contract, which its answer names, or only its record. */
  contract?: 'answer' | 'record';
  /** Later charges of the contract, and their amounts if they differ. */
  later?: { after: number; amount?: number }[];
  /** The error of the dates of its records, in minutes. */
  dated: number;
  /** When the shopper returns from the issuer's page, after the last try. Undefined: never. */
  back?: number;
  /** Notifications of each change, or only of changes to the status `of`: when, and how often. */
  notices: { after: number; times: number; of?: Phase['status'] }[];
};

/** The plan of the message of a refund, capture, cancel, review or payout. */
export type OperationPlan = {
  way: 'arrives' | 'not_sent' | 'lost';
  slow: number;
  /** Unlisted operations get an outcome later: `unlisted` moves money, `unlisted_failed` does not. */
  does: 'done' | 'failed' | 'unlisted' | 'unlisted_failed' | 'refused_400';
  answer: 'whole' | 'lost' | 'http_500' | 'unsigned';
  answerSlow: number;
  hidden: number;
  /** The items of a batch after the first one. */
  more?: MoreItem[];
  /** The results of a batch are in reverse order. */
  turned?: boolean;
  /** The time after which the gateway executes an operation that it refused. */
  booked?: number;
  /** `unlisted`: searches show the result of the late refund only after `hidden`. `beyond`: it exceeds what is left of its payment. */
  bookedAs?: 'unlisted' | 'beyond';
  /** The notifications of an accepted payout. */
  notices?: PayoutNotice[];
};

/**
 * A notification of a payout. `at`: when its status began; `after`: when it is sent, both in milliseconds after the payout. `untimed`:
 * without the time of the status. The profile lists only `COMPLETED` and `FAILED`.
 */
export type PayoutNotice = {
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'SETTLED';
  at: number;
  after: number;
  times: number;
  unsigned: boolean;
  untimed?: boolean;
};

/** An item of a batch after the first one: of the same payment, or of another order's. */
export type MoreItem = { same: boolean; does: Exclude<OperationPlan['does'], 'refused_400'> };

/** The plan of a payment without trouble. Descriptions of steps omit these values. */
export const defaultPaymentPlan: Omit<PaymentPlan, 'says'> = {
  ...{ way: 'arrives', slow: 50, answer: 'whole', answerSlow: 50 },
  ...{ book: [], tries: [], hidden: 0, twice: false, dated: 0, notices: [] },
};

export const defaultOperationPlan: OperationPlan = {
  ...{ way: 'arrives', slow: 50, does: 'done', answer: 'whole', answerSlow: 50, hidden: 0 },
};

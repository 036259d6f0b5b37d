/** What a gateway's books say of a payment from some moment on, in milliseconds after it was made. */
export type Phase = { after: number; status: 'approved' | 'declined' | 'pending' | 'unlisted' };

/** How a payment stands after its approval, and how long after its booking, or after the change before. */
export type Standing = { after: number; is: 'approved' | 'held' | 'reversed' };

/** One try of a shopper at the issuer's page; `same` turns the transaction of the try before. */
export type Try = { after: number; status: Phase['status']; same: boolean };

/** What becomes of a payment's message: on its way, at the gateway, in its books, and on the way back. */
export type PaymentPlan = {
  way: 'arrives' | 'not_sent' | 'lost';
  /** Until the gateway acts. */
  slow: number;
  says: 'approved' | 'declined' | 'pending' | 'unlisted' | 'redirect' | 'refused_400' | 'refused_429';
  /** `unsigned_other`: it names a transaction that there is not. */
  answer: 'whole' | 'lost' | 'http_500' | 'unsigned' | 'unsigned_other' | 'other_amount' | 'other_order' | 'no_id';
  /** Until the answer is there. */
  answerSlow: number;
  book: Phase[];
  /** What its records say after its approval. */
  life?: Standing[];
  tries: Try[];
  /** Until queries show its records. */
  hidden: number;
  /** Until queries show a change of its records, of which notifications tell at once. */
  changesLate?: number;
  /** So many calls of the store fail once the answer is there. */
  unstored?: number;
  twice: boolean;
  /** Its records name no transaction while they are approved or unlisted. */
  nameless?: boolean;
  /** It begins a contract: its answer tells so, or only its record. */
  contract?: 'answer' | 'record';
  /** What is charged for the contract later: how long after, and which amount, if another one. */
  later?: { after: number; amount?: number }[];
  /** Minutes by which its records are dated wrongly. */
  dated: number;
  /** When the shopper comes back from the issuer's page, after the last try; never, where it is left out. */
  back?: number;
  /** Notifications of each change, or of those to one status alone: when, and how often. */
  notices: { after: number; times: number; of?: Phase['status'] }[];
};

/** What becomes of a refund, capture, cancel or payout. */
export type OperationPlan = {
  way: 'arrives' | 'not_sent' | 'lost';
  slow: number;
  /** The outcome of the two unlisted ones is known later: money moves, or it does not. */
  does: 'done' | 'failed' | 'unlisted' | 'unlisted_failed' | 'refused_400';
  answer: 'whole' | 'lost' | 'http_500' | 'unsigned';
  answerSlow: number;
  hidden: number;
  /** A batch's items beside the first, each with what becomes of it. */
  more?: MoreItem[];
  /** The results of a batch come in the other order. */
  turned?: boolean;
  /** What is refused is done all the same, so much later. */
  booked?: number;
  /** Then a search tells its result late, by `hidden`; or it is made beyond what is left of its payment. */
  bookedAs?: 'unlisted' | 'beyond';
  /** What the gateway notifies of a payout that it took. */
  notices?: PayoutNotice[];
};

/**
 * A payout's notification: `at` is when its status began, `after` when it is sent, in milliseconds after the payout. `untimed`: it
 * does not tell when. The profile lists `COMPLETED` and `FAILED` alone.
 */
export type PayoutNotice = {
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'SETTLED';
  at: number;
  after: number;
  times: number;
  unsigned: boolean;
  untimed?: boolean;
};

/** One more item of a batch: of the same payment, or of another order's, which may do otherwise than the first. */
export type MoreItem = { same: boolean; does: Exclude<OperationPlan['does'], 'refused_400'> };

/** What a fate is where nothing goes wrong; a description leaves that out. */
export const defaultPaymentPlan: Omit<PaymentPlan, 'says'> = {
  ...{ way: 'arrives', slow: 50, answer: 'whole', answerSlow: 50 },
  ...{ book: [], tries: [], hidden: 0, twice: false, dated: 0, notices: [] },
};

export const defaultOperationPlan: OperationPlan = {
  ...{ way: 'arrives', slow: 50, does: 'done', answer: 'whole', answerSlow: 50, hidden: 0 },
};

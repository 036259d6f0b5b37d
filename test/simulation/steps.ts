/** What orders cost, by their currency: steps name an amount by its number. */
export const AMOUNTS = {
  BRL: ['10.00', '12.50', '99.90'],
  JPY: ['10.00', '12.00', '99.00'],
  KWD: ['10.000', '12.505', '99.900'],
} as const;

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

/**
 * What people do. `session` counts an order's sessions from the latest on; a number too high counts on from there.
 * `repeat` asks once more for the effect of that kind that was asked for last, if there is one, whatever its order; `anew` for the
 * last refund of the order, as a new one, or for the last payout under another key.
 */
export type Action =
  | { do: 'buy'; order: number; amount: number; method: Method; presses: number; gap: number; fate: PaymentPlan }
  | { do: 'create session'; order: number; amount: number; seconds: number }
  | {
      do: 'press pay';
      order: number;
      session: number;
      method: Method;
      presses: number;
      gap: number;
      hangsUp: boolean;
      fate: PaymentPlan;
    }
  | {
      do: 'pay from server';
      order: number;
      amount: number;
      method: Method;
      requests: number;
      /** Without an idempotency key. */
      keyless?: boolean;
      fate: PaymentPlan;
    }
  /**
   * A shop repeats a request that it made under a key, the latest or one before it, so many milliseconds later; `isOther`: with
   * another body, where it heard an answer that is kept.
   */
  | { do: 'repeat request'; back: number; later: number; isOther: boolean }
  /** People repeat, under its key, how they settled or withdrew a session, or settled an operation, or dealt with webhooks. */
  | { do: 'repeat decision'; back: number; later: number }
  | { do: 'view session'; order: number; session: number }
  | { do: 'return from issuer'; order: number; session: number }
  | { do: 'say returned'; order: number; session: number }
  | { do: 'abandon'; order: number; session: number }
  /** `other`: by mistake they name a transaction of another order. */
  | { do: 'settle'; order: number; session: number; approve: boolean; other?: true }
  | { do: 'expire'; order: number; session: number }
  /** An empty note takes the note away, and none leaves it. */
  | { do: 'change order'; order: number; session: number; amount: number; note?: string }
  | { do: 'reconcile'; order: number }
  | { do: 'forge notification'; order: number; session: number; times: number }
  | {
      do: 'book foreign record';
      order: number;
      amount: number;
      minutes: number;
      nameless?: boolean;
      /** In another currency than the order's. */
      isForeign?: boolean;
      book: Phase[];
    }
  | { do: 'break gateway'; what: 'queries' | 'payments' | 'everything'; how: Weather; ms: number }
  | {
      do: 'spoil records';
      order: number;
      /** `foreign`: queries also bring a record of an order that was not asked about. */
      how: 'unreadable' | 'too_large' | 'timeout' | 'http_500' | 'refused' | 'no_success' | 'foreign';
      ms: number;
    }
  | { do: 'break store'; how: StoreTrouble; calls: number }
  | { do: 'kill relay'; relay: number; calls: number; effect: boolean; downMs: number }
  /** The clock of a relay, or of one that is down, is set ahead by so many milliseconds, or back. */
  | { do: 'step clock'; relay: number; ms: number }
  /** The operator changes the configuration, for which all relays stop and start again. */
  | { do: 'change config'; what: ConfigChange; downMs: number }
  /** A relay alone loses its store for some time. */
  | { do: 'cut off'; relay: number; ms: number }
  /** A person settles an operation that is not known, the latest or one before it. */
  | { do: 'settle operation'; back: number; says: 'truth' | 'succeeded'; relay: number }
  | { do: 'break shop'; how: 'http_500' | 'http_410' | 'silent'; ms: number }
  | { do: 'failed webhooks'; what: 'redeliver' | 'acknowledge' }
  | ({ do: 'refund'; order: number; part: boolean; repeat: boolean; anew?: true; fate: OperationPlan } & OrderAction)
  | ({ do: 'capture' | 'cancel' | 'review'; order: number; repeat: boolean; fate: OperationPlan } & OrderAction)
  | { do: 'pay out'; repeat: boolean; anew?: true; fate: OperationPlan }
  | { do: 'wait' };

/**
 * How an operation is asked for: by its order, to which the relay adds the payment and what is left of it, or by a message for the
 * gateway. `named`: by its order, with the transaction.
 */
export type OrderAction = { byOrder?: 'named' | 'unnamed' };

/**
 * `codes`: the code of a declined record is listed, where it was not. `secret`: another signing secret, beside the one before. An
 * account is left out, or is back. All changes at the gateway are paused, or resumed.
 */
export type ConfigChange = 'codes' | 'secret' | 'account goes' | 'account comes' | 'pause' | 'resume';

export type Method = 'card' | 'apm';
/**
 * The store's calls fail, before they write or after it, or take long. `commit unheard` and `commit late` are only about those that
 * write sessions, orders and operations; late ones are done some time after they failed, and `commit heard late` confirms them after a while.
 * `commit fails`: the transaction is undone at its end.
 */
export type StoreTrouble =
  | 'not written'
  | 'written unheard'
  | 'commit unheard'
  | 'commit late'
  | 'commit heard late'
  | 'commit fails'
  | 'slow';
/** `no_success`: queries and searches are answered with a return_status that is none. */
export type Weather = 'timeout' | 'http_500' | 'not_sent' | 'slow' | 'refused_400' | 'no_success';

/** `after`: milliseconds since the step before. */
export type Step = { after: number } & Action;

/** One world and what happens in it. */
export type History = { seed: number; relays: number; variant?: GatewayVariant; steps: Step[] };

/**
 * What a gateway does in its own way. It leaves out a list that would be empty, where `emptyLists` is set: that is how the profile
 * of its relays reads such an answer. `lateCodes`: at first the profile does not list the code of declined records. `endpoints`: each shop
 * has a second endpoint, or one of the shops has none.
 */
export type GatewayVariant = {
  numbers?: Numbers;
  emptyLists?: 'not_counted' | 'empty';
  zone?: Zone;
  lateCodes?: boolean;
  wording?: Wording;
  /** No paid order is asked about by the day. */
  paidDays?: 'none';
  endpoints?: 'two' | 'none';
};

/**
 * How the gateway writes what the spec has otherwise: amounts and codes as JSON numbers, currencies in small letters, or a record that
 * says of an order without records that it is not found.
 */
export type Wording = 'json numbers' | 'small currencies' | 'not found';

/**
 * The gateway dates its records by the clocks of Paris, and the history begins so long before they change. `isLate`: it sets them
 * forward an hour late.
 */
export type Zone = { change: 'spring' | 'autumn'; minutesBefore: number; isLate?: boolean };

/** How the gateway writes order numbers, where it does not write them as it got them: in its records, or in answers too. */
export type Numbers = { form: 'small letters' | 'trailing blank'; isInAnswers: boolean };

/** What a fate is where nothing goes wrong; a description leaves that out. */
export const defaultPaymentPlan: Omit<PaymentPlan, 'says'> = {
  ...{ way: 'arrives', slow: 50, answer: 'whole', answerSlow: 50 },
  ...{ book: [], tries: [], hidden: 0, twice: false, dated: 0, notices: [] },
};

export const defaultOperationPlan: OperationPlan = {
  ...{ way: 'arrives', slow: 50, does: 'done', answer: 'whole', answerSlow: 50, hidden: 0 },
};

const defaults = new Map(
  Object.entries({ ...defaultPaymentPlan, ...defaultOperationPlan, unstored: 0, nameless: false, changesLate: 0 }),
);

/** A step as a person reads it. */
export function describeStep(step: Step): string {
  const { after, do: what, ...details } = withoutDefaults(step);
  return `+${(after / 1000).toFixed(3)} s  ${what} ${JSON.stringify(details).replaceAll('"', '')}`;
}

/** A step of whose fate only what is unusual is left, as `kept` keeps it. */
export function withoutDefaults(step: Step): Omit<Step, 'fate'> & { fate?: object } {
  return 'fate' in step ? { ...step, fate: differences(step.fate) } : step;
}

function differences(fate: PaymentPlan | OperationPlan): object {
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  return Object.fromEntries(
    Object.entries(fate).filter(([name, value]) => defaults.get(name) !== value && !isEmpty(value)),
  );
}

/** How much goes wrong in a step. */
export function faultsIn(step: Step): number {
  if (!('fate' in step)) return /^(break|spoil|kill|forge|book|step|change config|cut off)/.test(step.do) ? 1 : 0;
  const odd = Object.keys(differences(step.fate)).filter(
    (name) => !['says', 'book', 'tries', 'back', 'notices'].includes(name),
  );
  const turns = 'book' in step.fate && step.fate.book.length + step.fate.tries.length > 1 ? 1 : 0;
  return odd.length + turns;
}

import type {
  CreateSession,
  InstallmentOption,
  Order,
  PaymentMethod,
  SavedCard,
} from '../../shared/checkout/session.ts';
import type { Advice, Result } from '../../shared/checkout/status.ts';
import type { Evidence } from '../gateway/call.ts';
import type { UnknownReason } from '../gateway/outcome.ts';

/** What the shop fixed when it made the session, or changed since, and what the shopper filled in. */
export type Terms = {
  order: Order;
  methods: PaymentMethod[];
  installment_options: InstallmentOption[];
  saved_cards: SavedCard[];
  /** The shop keeps cards: it listed those that it has, be it none. */
  keeps_cards?: true;
  collect: NonNullable<CreateSession['collect']>;
  return_url?: string;
  locale?: string;
  /** A payment that the shop's server made: one attempt is all, and no form is shown. */
  single?: true;
  /** What the shopper sent beside the card, by dotted path; kept until the session is over. */
  filled?: Readonly<Record<string, string>>;
};

/** Whether the shopper decides about keeping a card that they type: the order's own `token_flag` is the shop's decision. */
export function offersSaving({ keeps_cards, order }: Terms): boolean {
  return keeps_cards === true && order.token_flag === undefined;
}

/** What is known of a session whose outcome is not known, and of the search for it. Times are ISO 8601 in UTC. */
export type Search = {
  reason: UnknownReason;
  since: string;
  next_look_at: string;
  looks: number;
  /** Counted queries in a row that did not know the attempt. */
  absent_looks: number;
  needs_attention: boolean;
  /** When the gateway was asked last, and what it said. */
  last_look?: { at: string; found: LookResult };
};

/** Why a query proves nothing: no answer could be used, or the gateway did not take the question. */
export type QueryFault = 'query_unanswered' | 'query_refused';

/** What a look at an attempt found that it did not settle. */
export type LookResult = 'absent' | Extract<UnknownReason, 'pending' | 'codes_not_listed'> | QueryFault;

/**
 * Looks at attempts that were left without a proof, whatever became of their session: they may be paid late, and then
 * perhaps the second time. Times are ISO 8601 in UTC.
 */
export type Watch = { since: string; next_look_at: string; looks: number };

/** A session's state, with what only that state knows. */
export type SessionState =
  | {
      status: 'open';
      notice?: 'not_paid' | 'declined';
      advice?: Advice;
      result?: Result;
      /** How the last attempt was to be paid: `card`, or the name of an alternative payment method. */
      last_method?: string;
    }
  | { status: 'processing'; attempt_id: string }
  /** `next_look_at`: when the resolver asks whether it is paid, should nobody come back. */
  | { status: 'redirected'; attempt_id: string; next_look_at: string }
  | { status: 'unknown'; attempt_id: string; search: Search }
  | {
      status: 'approved';
      attempt_id: string;
      transaction_id: string;
      card?: string;
      result?: Result;
      recurring_id?: string;
      /** The other transactions by which the order was paid, as far as this session told the shop. */
      paid_twice?: string[];
    }
  | { status: 'failed'; advice?: Advice; result?: Result }
  | { status: 'expired' };

/** One checkout of one order. `version` grows by one with every change; it is what compare-and-set compares. */
export type Session = {
  id: string;
  /** The account's id in the relay's configuration. */
  account: string;
  order_no: string;
  created_at: string;
  expires_at: string;
  revision: number;
  version: number;
  terms: Terms;
  state: SessionState;
  watch?: Watch;
};

/** When the resolver looks at a session next, as ISO 8601; undefined when nobody waits for a proof. */
export function nextLookAt({ state, watch }: Session): string | undefined {
  switch (state.status) {
    case 'unknown':
      return state.search.next_look_at;
    case 'redirected':
      return state.next_look_at;
    case 'processing':
      // Its payment's answer is written by compare-and-set: nobody else may change it meanwhile.
      return undefined;
    default:
      return watch?.next_look_at;
  }
}

/** What became of an attempt. Only `refused` and `not_sent` do not count against the session's attempts. */
export type AttemptState =
  | { status: 'in_flight' }
  | { status: 'redirected'; issuer_url: string; page_url?: string }
  | { status: 'unknown'; reason: UnknownReason; evidence: Evidence }
  | { status: 'approved'; result?: Result; recurring_id?: string }
  | { status: 'declined'; result: Result }
  | { status: 'not_paid' }
  | { status: 'refused'; result: Result; evidence: Evidence }
  | { status: 'not_sent' };

/** One try to pay a session, with the order frozen as it was sent. */
export type Attempt = {
  id: string;
  session_id: string;
  /** The `Idempotency-Key` that its request came with. */
  key?: string;
  account: string;
  order_no: string;
  /** `card`, `token`, or the name of an alternative payment method. */
  method: string;
  /** First six and last four digits at the most. */
  card?: string;
  amount: string;
  currency: string;
  started_at: string;
  settled_at?: string;
  transaction_id?: string;
  state: AttemptState;
};

/**
 * What a session asks for; once an attempt decides about it, what that one was sent with: the order may have been changed
 * after the attempt was left, and before it turned out to be paid.
 */
export function sumOf({ state, terms }: Session, attempts: readonly Attempt[]): { amount: string; currency: string } {
  const deciding = 'attempt_id' in state ? attempts.find(({ id }) => id === state.attempt_id) : undefined;
  const { amount, currency } = deciding ?? terms.order;
  return { amount, currency };
}

/** True while the gateway may still charge for this attempt and nobody has seen how it went. */
export function isUnsettled(attempt: Attempt): boolean {
  const { status } = attempt.state;
  return status === 'in_flight' || status === 'redirected' || status === 'unknown';
}

/** True for an attempt that the gateway took, as far as we know. */
export function wasTaken(attempt: Attempt): boolean {
  return attempt.state.status !== 'refused' && attempt.state.status !== 'not_sent';
}

/** An attempt that was left unpaid, as far as anybody saw: the shopper may still have paid it, or may still pay it. */
export function wasLeft(attempt: Attempt): boolean {
  return attempt.state.status === 'not_paid';
}

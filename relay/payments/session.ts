import type { Metadata } from '../../shared/checkout/metadata.ts';
import type { Result } from '../../shared/checkout/pay.ts';
import type {
  CreateSession,
  InstallmentOption,
  Order,
  PaymentMethod,
  SavedCard,
} from '../../shared/checkout/session.ts';
import type { Advice } from '../../shared/checkout/status.ts';
import { canonicalMessage } from '../../shared/gateway/signature.ts';
import { sha256 } from '../base/keys.ts';
import type { PaymentDetails, UnknownReason } from '../gateway/outcome.ts';
import type { NotPaidReason } from './attempt.ts';

/** What the shop fixed when it made the session, or changed since, and what the shopper filled in. */
export type Terms = {
  order: Order;
  methods: PaymentMethod[];
  installment_options: InstallmentOption[];
  saved_cards: SavedCard[];
  /** The shopper is asked whether a card that they type may be kept. */
  keeps_cards?: true;
  collect: NonNullable<CreateSession['collect']>;
  return_url?: string;
  locale?: string;
  /** The shop's own notes, without card data. The gateway never gets them. */
  metadata?: Metadata;
  /** A payment that the shop's server made: one attempt is all, and no form is shown. */
  single?: true;
  /** What the shopper sent beside the card, by dotted path; kept until the session is over. */
  filled?: Readonly<Record<string, string>>;
  /** What earlier revisions that an attempt was sent with asked for, as `orderDigest` has it. */
  sent_orders?: Readonly<Record<number, string>>;
};

/** Tells one order of a session from another: a paid one may be changed, and changed back. */
export function orderDigest(order: Order): string {
  return sha256(canonicalMessage({ order }));
}

/** Whether the form asks to keep a card that is typed: the order's own `token_flag` is the shop's decision. */
export function offersSaving({ keeps_cards, order }: Terms): boolean {
  return keeps_cards === true && order.token_flag === undefined;
}

/** Why a query proves nothing: no answer could be used, or the gateway did not take the question. */
export type QueryFault = 'query_unanswered' | 'query_refused';

/** What a counted query showed of an order that it did not settle. */
export type QueryResult = 'absent' | 'pending' | 'codes_not_listed' | 'amount_differs' | 'paid_before' | QueryFault;

/** What is known of a session whose outcome is not known, and of the queries about it. Times are ISO 8601 in UTC. */
export type Search = {
  since: string;
  looks: number;
  needs_attention: boolean;
  /** When the gateway was asked last, and what it said. */
  last_look?: { at: string; found: QueryResult };
};

/** Why a session ended unpaid. */
export type EndReason = 'declined' | Exclude<NotPaidReason, 'not_found'> | 'order_already_paid';

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
  | { status: 'redirected'; attempt_id: string }
  | { status: 'pending'; attempt_id: string; search: Search; transaction_id?: string }
  | { status: 'unknown'; attempt_id: string; search: Search & { reason: UnknownReason } }
  | {
      status: 'approved';
      attempt_id: string;
      transaction_id: string;
      card?: string;
      result?: Result;
      recurring_id?: string;
      details?: PaymentDetails;
      /** The API key by which the shop had withdrawn it before. */
      withdrawn_by?: string;
      /** The gateway declined what a person said was approved, or charged two orders under this transaction_id. */
      needs_attention?: true;
    }
  /** `needs_attention`: the gateway's records of the order are undecided, and no other session reports that. */
  | { status: 'failed'; advice?: Advice; result?: Result; reason?: EndReason; needs_attention?: true }
  /** `withdrawn_by`: the name of the API key by which the shop withdrew it. */
  | { status: 'expired'; reason?: EndReason; withdrawn_by?: string; needs_attention?: true };

/** Who decides what is undecided: the name of the API key, when (ISO 8601 in UTC), and why. */
export type Settler = { by: string; at: string; note: string };

/** A person's decision; of a payment what they said of it. */
export type Settled = Settler &
  (
    | { outcome: 'approved'; transaction_id: string; amount: string; currency: string }
    | { outcome: 'not_paid' }
    /** What was decided before more of it was kept. */
    | { outcome?: never }
  );

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
  settled?: Settled;
};

/** True for a session that a person must look at. */
export function needsPerson({ state }: Session): boolean {
  if ('search' in state) return state.search.needs_attention;
  return 'needs_attention' in state && state.needs_attention === true;
}

/** True for a session that takes no payment any more and waits for none. */
export function isOver({ state }: Session): boolean {
  return state.status === 'approved' || state.status === 'failed' || state.status === 'expired';
}

/** True for a session that waits for the outcome of a payment that is not being sent now. */
export function isWaiting({ state }: Session): boolean {
  return state.status === 'redirected' || state.status === 'pending' || state.status === 'unknown';
}

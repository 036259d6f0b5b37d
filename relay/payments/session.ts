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

/** The shop's settings of a session, as created or changed since, and the values that the shopper filled in. */
export type Terms = {
  order: Order;
  methods: PaymentMethod[];
  installment_options: InstallmentOption[];
  saved_cards: SavedCard[];
  /** The form asks the shopper whether to save a typed card. */
  keeps_cards?: true;
  collect: NonNullable<CreateSession['collect']>;
  return_url?: string;
  locale?: string;
  /** The shop's metadata, without card data. The gateway never gets it. */
  metadata?: Metadata;
  /** A payment by the shop's server: it has one attempt and no form. */
  single?: true;
  /** The shopper's values beside the card's, by dotted path. They are deleted when the session is over. */
  filled?: Readonly<Record<string, string>>;
  /** The `orderDigest` of each earlier revision that an attempt was sent with. */
  sent_orders?: Readonly<Record<number, string>>;
};

/** Identifies an order of a session: a paid order can be changed and changed back. */
export function orderDigest(order: Order): string {
  return sha256(canonicalMessage({ order }));
}

/** Whether the form asks to save a typed card. If the order has a `token_flag`, the shop has already decided. */
export function offersSaving({ keeps_cards, order }: Terms): boolean {
  return keeps_cards === true && order.token_flag === undefined;
}

/** Why a query proves nothing: the gateway sent no usable answer, or refused the query. */
export type QueryFault = 'query_unanswered' | 'query_refused';

/** The result of a counted query that did not settle the order. */
export type QueryResult = 'absent' | 'pending' | 'codes_not_listed' | 'amount_differs' | 'paid_before' | QueryFault;

/** The queries about a session without a known outcome. Times are ISO 8601 in UTC. */
export type Search = {
  since: string;
  looks: number;
  needs_attention: boolean;
  /** The time of the last query, and its result. */
  last_look?: { at: string; found: QueryResult };
};

/** Why a session ended unpaid. */
export type EndReason = 'declined' | Exclude<NotPaidReason, 'not_found'> | 'order_already_paid';

/** The state of a session, with the data of this state only. */
export type SessionState =
  | {
      status: 'open';
      notice?: 'not_paid' | 'declined';
      advice?: Advice;
      result?: Result;
      /** The method of the last attempt: `card`, or the name of an alternative payment method. */
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
      /** The name of the API key that had withdrawn the session before. */
      withdrawn_by?: string;
      /**
       * The gateway declined a payment that a person had reported as approved, or charged two orders under this
       * transaction_id.
       */
      needs_attention?: true;
    }
  /** `needs_attention`: the gateway's records of the order are undecided, and no other session reports this. */
  | { status: 'failed'; advice?: Advice; result?: Result; reason?: EndReason; needs_attention?: true }
  /** `withdrawn_by`: the name of the API key that withdrew it. */
  | { status: 'expired'; reason?: EndReason; withdrawn_by?: string; needs_attention?: true };

/** The author of a decision: the name of the API key, the time (ISO 8601 in UTC), and the reason. */
export type Settler = { by: string; at: string; note: string };

/** A person's decision, with the reported payment if there is one. */
export type Settled = Settler &
  (
    | { outcome: 'approved'; transaction_id: string; amount: string; currency: string }
    | { outcome: 'not_paid' }
    /** A decision of a version that did not store the outcome. */
    | { outcome?: never }
  );

/** One checkout of one order. `version` increases by one with every change, for compare-and-set. */
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

/** True for a session that a person must decide about. */
export function needsPerson({ state }: Session): boolean {
  if ('search' in state) return state.search.needs_attention;
  return 'needs_attention' in state && state.needs_attention === true;
}

/** True for a session that accepts no payment and waits for none. */
export function isOver({ state }: Session): boolean {
  return state.status === 'approved' || state.status === 'failed' || state.status === 'expired';
}

/** True for a session that waits for the outcome of a payment that is not being sent now. */
export function isWaiting({ state }: Session): boolean {
  return state.status === 'redirected' || state.status === 'pending' || state.status === 'unknown';
}

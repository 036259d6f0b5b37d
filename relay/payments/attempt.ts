import type { Result } from '../../shared/checkout/pay.ts';
import type { Evidence } from '../gateway/call.ts';
import type { UnknownReason } from '../gateway/outcome.ts';
import type { ClearQueries } from './absence-clock.ts';

/**
 * Why an attempt ended unpaid without a decline. `not_found`: its shopper returned from the issuer's page, and no query
 * showed a record in time. This does not prove that nothing was charged.
 */
export type NotPaidReason = 'absent' | 'abandoned' | 'not_found' | 'settled';

/** The addresses at which the shopper pays: the gateway's `issuer_url`, and the page to which it led. */
export type IssuerAddresses = { issuer_url: string; page_url?: string };

/** The state of an attempt. Only `refused` and `not_sent` do not count against the session's attempts. */
export type AttemptState =
  /** `seen_at`: when a clock first saw the start of the attempt in the future. */
  | { status: 'in_flight'; seen_at?: string }
  /** `returned_at`: when the shopper came back from the issuer's page. */
  | ({ status: 'redirected'; returned_at?: string } & IssuerAddresses)
  /** The gateway reported a payment in progress, such as a voucher or a transfer. The issuer's page stays known. */
  | ({ status: 'pending'; since: string } & Partial<IssuerAddresses>)
  | { status: 'unknown'; reason: UnknownReason; evidence: Evidence; since?: string }
  | { status: 'approved'; result?: Result; recurring_id?: string }
  /** `proof`: the gateway's signed answer, or a record in a query; absent for an unsigned answer. */
  | { status: 'declined'; result: Result; proof?: 'answer' | 'record' }
  /** `not_found` keeps the issuer's page, because a record may still show a pending payment. */
  | ({ status: 'not_paid'; reason?: NotPaidReason } & Partial<IssuerAddresses>)
  | { status: 'refused'; result: Result; evidence: Evidence }
  | { status: 'not_sent' };

/** One try to pay a session, with the order frozen as sent. */
export type Attempt = {
  id: string;
  session_id: string;
  /** The `Idempotency-Key` of its request. */
  key?: string;
  account: string;
  order_no: string;
  /** `card`, `token`, or the name of an alternative payment method. */
  method: string;
  /** At most the first six and the last four digits. */
  card?: string;
  /** The form read no device fingerprint, so the payment was sent without one. */
  device_fingerprint?: 'missing';
  /** Keyed hashes of the shopper's e-mail addresses. The addresses are deleted when the session is over. */
  emails?: readonly string[];
  amount: string;
  currency: string;
  /** The session's revision that was paid; 1 if it was never changed. */
  revision?: number;
  started_at: string;
  settled_at?: string;
  transaction_id?: string;
  /** A pending or unlisted record assigned this transaction to the attempt. It may belong to another attempt. */
  named_by?: 'record';
  /** Another transaction of an approved attempt, which the gateway named before and may still charge. */
  other_id?: string;
  /** The transaction in the gateway's signed answer, if that answer was not an approval. */
  signed_id?: string;
  /**
   * The gateway's signed answer had the codes of an approval but could not count. Only a record or a person ends the
   * attempt.
   */
  signed_approval?: true;
  /**
   * The gateway's answer, signed or not, reported the payment as pending. Only a record, a person or the shopper ends
   * the attempt.
   */
  answered_pending?: true;
  /** The counted queries in a row that showed nothing undecided of its order. */
  clear?: ClearQueries;
  /** When the order was queried because of a notification after the end of the attempt (ISO 8601). */
  notified_at?: string;
  state: AttemptState;
};

const DAY_MS = 86_400_000;

/** How long an attempt is watched: the longest time in which vouchers are paid. */
const WATCH_MS = 30 * DAY_MS;

/** Since when an attempt is in flight (ISO 8601); if its start is in the future, since it was first seen. */
export function inFlightSince({ state, started_at }: Attempt): string {
  return (state.status === 'in_flight' && state.seen_at) || started_at;
}

/** True while the gateway may still charge for this attempt and its outcome is not known. */
export function isUnsettled({ state }: Attempt): boolean {
  switch (state.status) {
    case 'in_flight':
    case 'redirected':
    case 'pending':
    case 'unknown':
      return true;
    case 'approved':
    case 'declined':
    case 'not_paid':
    case 'refused':
    case 'not_sent':
      return false;
  }
}

/**
 * Rule 6. True for an attempt that ended unpaid and that the gateway may still charge: it ended without the gateway's signed answer
 * (declined by a query or an unsigned answer, refused, absent, abandoned, not found or settled by a person), or the gateway notified
 * about it afterwards. Also true for an attempt that was approved under another transaction than the gateway named before.
 */
export function isWatched({ state, notified_at, other_id }: Attempt): boolean {
  switch (state.status) {
    case 'declined':
      return state.proof !== 'answer' || notified_at !== undefined;
    case 'not_paid':
    case 'refused':
      return true;
    case 'approved':
      return other_id !== undefined;
    case 'in_flight':
    case 'redirected':
    case 'pending':
    case 'unknown':
    case 'not_sent':
      return false;
  }
}

/** True for a watched attempt that is still queried at `now`: for thirty days. */
export function isWatchedAt(attempt: Attempt, now: Date): boolean {
  return isWatched(attempt) && now.getTime() - Date.parse(watchedSince(attempt)) < WATCH_MS;
}

/** When the watch of an attempt began: with its end, or with the notification that came later (ISO 8601). */
export function watchedSince({ notified_at, settled_at, started_at }: Attempt): string {
  const ended = settled_at ?? started_at;
  return notified_at !== undefined && notified_at > ended ? notified_at : ended;
}

/** True for an attempt that the shopper gave up. An attempt by card or token completes without the shopper, so it is never abandoned. */
export function isAbandoned(attempt: Attempt): boolean {
  const { state } = attempt;
  return state.status === 'not_paid' && state.reason === 'abandoned' && isApm(attempt);
}

/** True for an attempt whose own answer had the codes of an approval, or said that it is pending. Only a record or a person ends it. */
export function isNeverAbsent({ signed_approval, answered_pending }: Attempt): boolean {
  return signed_approval === true || answered_pending === true;
}

/** The issuer's page of an attempt, as far as its state keeps one. */
export function issuerAddressesOf(state: AttemptState): IssuerAddresses | undefined {
  if (!('issuer_url' in state) || state.issuer_url === undefined) return undefined;
  const { issuer_url, page_url } = state;
  return { issuer_url, ...(page_url === undefined ? {} : { page_url }) };
}

/** When the shopper returned from the issuer's page (ISO 8601); undefined before that, and in other states. */
export function returnedAt({ state }: Attempt): string | undefined {
  return state.status === 'redirected' ? state.returned_at : undefined;
}

/** True until the attempt's shopper returns from the issuer's page. */
export function isAtIssuerPage({ state }: Attempt): boolean {
  return state.status === 'redirected' && state.returned_at === undefined;
}

/** True for an attempt that the gateway may have received. */
export function wasSent({ state }: Attempt): boolean {
  return state.status !== 'not_sent';
}

/** True for an attempt that was sent and not refused: it counts against the session's attempts. */
export function wasTaken({ state }: Attempt): boolean {
  return state.status !== 'refused' && state.status !== 'not_sent';
}

/** True for an alternative payment method, which the shopper completes elsewhere. */
export function isApm({ method }: Attempt): boolean {
  return method !== 'card' && method !== 'token';
}

/** Attempts that count against `attempts_per_session`. */
export function attemptsMade(sessionId: string, attempts: readonly Attempt[]): number {
  return attempts.filter((attempt) => attempt.session_id === sessionId && wasTaken(attempt)).length;
}

/** The values by which attempts are limited, besides their session. Sign-ins to the console are limited in the same way. */
export const limitNames = ['ip', 'card', 'account', 'sign_in'] as const;

export type LimitName = (typeof limitNames)[number];

/** The longest window of a limit, in milliseconds. Older attempts limit nothing. */
export const MAX_WINDOW_MS = 3_600_000;

/**
 * The maximum number of attempts in any window of time with one address, card or account. `key` is a keyed hash of the limited value;
 * it is different for every name, account and value.
 */
export type Quota = { name: LimitName; key: string; max: number; window_ms: number };

/** The attempt would be one too many; `until` (ISO 8601) is when that ends. Nothing was counted. */
export type Limited = { kind: 'limited'; limit: LimitName; until: string };

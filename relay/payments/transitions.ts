import type { EventType, PaymentEventType, SubscriptionEventType } from '../../shared/api/webhook.ts';
import type { SavedCard } from '../../shared/checkout/session.ts';
import type { SessionStatus } from '../../shared/checkout/status.ts';
import { isUnsettled } from './attempt.ts';
import { type ContractCharge, isPaid, type OrderHold, type StoredOrder, sessionOf } from './order.ts';
import type { EndReason, Session, SessionState } from './session.ts';

/** What moves a session. */
export type Cause =
  | 'pay'
  | 'answer_approved'
  | 'answer_declined'
  | 'answer_redirect'
  | 'answer_pending'
  | 'answer_refused'
  | 'answer_unknown'
  | 'not_sent'
  | 'orphaned'
  | 'issuer_unreachable'
  | 'query_failed'
  | 'record_approved'
  | 'record_declined'
  | 'record_pending'
  | 'record_undecided'
  | 'absent'
  | 'abandoned'
  | 'person_approved'
  | 'person_not_paid'
  | 'order_paid'
  | 'gave_up'
  | 'time_over'
  | 'withdrawn';

/** Whether a session in its new state holds its order. */
type Lock = 'held' | 'paid' | 'released' | 'none';

/** One edge of a session's state machine: from, cause, to, the webhook, and whether the session holds the order after it. */
export type Transition = {
  from: SessionStatus;
  cause: Cause;
  to: SessionStatus;
  webhook: EventType | undefined;
  lock: Lock;
};

const edge = (
  from: SessionStatus | readonly SessionStatus[],
  cause: Cause | readonly Cause[],
  to: SessionStatus,
  webhook: EventType | undefined,
  lock: Lock,
): Transition[] =>
  [from].flat().flatMap((one) => [cause].flat().map((why) => ({ from: one, cause: why, to, webhook, lock })));

const undecided = ['redirected', 'pending', 'unknown'] as const;
const unsure = ['pending', 'unknown'] as const;
const unpaid = ['absent', 'abandoned', 'person_not_paid'] as const;
const ended = ['record_declined', ...unpaid] as const;

/**
 * Every edge of a session's state machine, in one table: the code, the tests and the diagram in docs/architecture.md read it. A session
 * that would become `open` becomes `expired` after its time, and `failed` if it has no attempt left.
 */
export const transitions: readonly Transition[] = [
  ...edge('open', 'pay', 'processing', undefined, 'held'),
  ...edge('open', ['time_over', 'withdrawn'], 'expired', 'session.expired', 'none'),

  // The gateway's own answer.
  ...edge('processing', 'answer_redirect', 'redirected', 'session.redirected', 'held'),
  ...edge(['processing', 'unknown'], 'answer_pending', 'pending', 'session.pending', 'held'),
  ...edge('processing', ['answer_unknown', 'answer_refused', 'orphaned'], 'unknown', 'session.unknown', 'held'),
  ...edge(['processing', 'unknown'], ['answer_declined', 'answer_refused'], 'open', 'session.declined', 'released'),
  ...edge(['processing', 'unknown'], ['answer_declined', 'answer_refused'], 'failed', 'session.failed', 'released'),
  ...edge(['processing', 'unknown'], ['answer_declined', 'answer_refused'], 'expired', 'session.expired', 'released'),
  ...edge('processing', 'not_sent', 'open', undefined, 'released'),
  ...edge('unknown', 'not_sent', 'open', 'session.declined', 'released'),
  ...edge(['processing', 'unknown'], 'not_sent', 'failed', 'session.failed', 'released'),
  ...edge(['processing', 'unknown'], 'not_sent', 'expired', 'session.expired', 'released'),

  // What queries show of an order that is not paid.
  ...edge(['open', 'processing', 'redirected', 'unknown'], 'record_pending', 'pending', 'session.pending', 'held'),
  ...edge(['open', 'processing', 'redirected', 'pending'], 'record_undecided', 'unknown', 'session.unknown', 'held'),
  ...edge('unknown', 'record_undecided', 'unknown', 'session.unknown', 'held'),
  ...edge('redirected', ['issuer_unreachable', 'query_failed'], 'unknown', 'session.unknown', 'held'),
  ...edge('unknown', 'gave_up', 'unknown', 'session.unknown', 'held'),
  ...edge('pending', 'time_over', 'pending', 'session.pending', 'held'),
  ...edge('redirected', ['record_declined', 'person_not_paid'], 'open', 'session.declined', 'released'),
  ...edge('redirected', ['absent', 'abandoned'], 'open', undefined, 'released'),
  ...edge(unsure, ended, 'open', 'session.declined', 'released'),
  ...edge(undecided, ended, 'failed', 'session.failed', 'released'),
  ...edge(undecided, ended, 'expired', 'session.expired', 'released'),

  // If all sessions of an order are over, the event of the last session reports that the order became undecided, or is no longer so.
  ...edge('failed', ['record_undecided', 'gave_up', ...ended, 'order_paid'], 'failed', 'session.failed', 'none'),
  ...edge('expired', ['record_undecided', 'gave_up', ...ended, 'order_paid'], 'expired', 'session.expired', 'none'),
  ...edge('open', 'person_not_paid', 'open', 'session.declined', 'released'),

  // Every state yields to a payment that the gateway proves.
  ...edge(['processing', 'unknown'], 'answer_approved', 'approved', 'session.approved', 'paid'),
  ...edge(
    ['open', 'redirected', 'pending', 'failed', 'expired'],
    'answer_approved',
    'approved',
    'session.approved',
    'paid',
  ),
  ...edge(
    ['open', 'processing', ...undecided, 'failed', 'expired'],
    'record_approved',
    'approved',
    'session.approved',
    'paid',
  ),
  ...edge(['open', ...undecided, 'failed', 'expired'], 'person_approved', 'approved', 'session.approved', 'paid'),
  ...edge(['open', 'processing', ...undecided], 'order_paid', 'failed', 'session.failed', 'paid'),
  // A payment that a person reported: it was proved under another transaction_id, or the gateway declined it.
  ...edge(
    'approved',
    ['record_approved', 'answer_approved', 'record_declined'],
    'approved',
    'session.approved',
    'paid',
  ),
];

const byKey = new Map(transitions.map((one) => [keyOf(one.from, one.cause, one.to), one]));

function keyOf(from: SessionStatus, cause: Cause, to: SessionStatus): string {
  return `${from} ${cause} ${to}`;
}

/** The edge that a move takes. Throws TypeError if the table has none: that is a mistake in the rules. */
export function transitionOf(from: SessionStatus, cause: Cause, to: SessionStatus): Transition {
  const found = byKey.get(keyOf(from, cause, to));
  if (!found) throw new TypeError(`no transition from ${from} to ${to} by ${cause}`);
  return found;
}

/** What a change of an order causes: a webhook of one of its sessions, written with it. */
export type OrderEvent = {
  type: EventType;
  session_id: string;
  /** The session was failed or expired before it turned out to be paid. */
  late?: true;
  reason?: EndReason;
  /** Two transactions that paid one order. */
  transaction_ids?: readonly [first: string, second: string];
  /** The saved card that the shopper removed. */
  saved_card?: SavedCard;
};

/** The event of a payment. `confirmed`: the gateway's books hold it. `restored`: it was reversed before. */
export type PaymentEvent = { type: PaymentEventType; transaction_id: string; confirmed?: boolean; restored?: true };

/**
 * The event of a later charge: the charge, how many charges of its contract failed in a row until then, and as `subject` the session that
 * began the contract, or its own id.
 */
export type ContractEvent = {
  type: SubscriptionEventType;
  charge: ContractCharge;
  failures: number;
  contract_name?: string;
  subject: string;
};

/** An order as it is to be written, and its webhooks: of its sessions, then of its payments, then of contracts. */
export type Decision = {
  order: StoredOrder;
  events: readonly OrderEvent[];
  payments?: readonly PaymentEvent[];
  contracts?: readonly ContractEvent[];
};

/** The decision that changes nothing yet. */
export function startDecision(order: StoredOrder): Decision {
  return { order, events: [] };
}

/** The decision with something of its order changed; who holds the order follows from all that is known of it. */
export function withOrder(decision: Decision, change: Partial<StoredOrder>): Decision {
  const next = { ...decision.order, ...change };
  return { ...decision, order: { ...next, hold: holdOf(next) } };
}

/** Who holds the order, by all that is known of it. */
export function holdOf(order: StoredOrder): OrderHold {
  const { attempts, undecided } = order;
  if (isPaid(order)) return 'paid';
  return undecided !== undefined || attempts.some(isUnsettled) ? 'held' : 'free';
}

/** The decision with one attempt changed. */
export function withAttempt(decision: Decision, attempt: StoredOrder['attempts'][number]): Decision {
  const { attempts } = decision.order;
  return withOrder(decision, { attempts: attempts.map((one) => (one.id === attempt.id ? attempt : one)) });
}

/** The decision with one session changed whose state stays the same. It causes no webhook. */
export function withSession(decision: Decision, session: Session): Decision {
  const { sessions } = decision.order;
  return withOrder(decision, { sessions: sessions.map((one) => (one.id === session.id ? session : one)) });
}

/** The decision with a session moved by a cause, and the webhook that the table has for it. Throws TypeError as above. */
export function moveSession(
  decision: Decision,
  id: string,
  state: SessionState,
  cause: Cause,
  more: Pick<OrderEvent, 'late' | 'reason'> = {},
): Decision {
  const before = sessionOf(decision.order, id);
  const { webhook } = transitionOf(before.state.status, cause, state.status);
  const moved = withSession(decision, withState(before, state));
  return webhook === undefined
    ? moved
    : { ...moved, events: [...moved.events, { type: webhook, session_id: id, ...more }] };
}

/**
 * The session with a new state. What the shopper filled in is forgotten with the last state in which
 * it could be paid with.
 */
function withState(session: Session, state: SessionState): Session {
  const isOver = state.status === 'approved' || state.status === 'failed' || state.status === 'expired';
  const { filled: _, ...kept } = session.terms;
  const terms = isOver && session.terms.filled ? kept : session.terms;
  return { ...session, terms, state };
}

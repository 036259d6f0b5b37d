import type { EventType, PaymentEventType, SubscriptionEventType } from '../../shared/api/webhook.ts';
import type { SavedCard } from '../../shared/checkout/session.ts';
import type { SessionStatus } from '../../shared/checkout/status.ts';
import { isUnsettled } from './attempt.ts';
import { type ContractCharge, isPaid, type OrderHold, type StoredOrder, sessionOf } from './order.ts';
import type { EndReason, Session, SessionState } from './session.ts';

/** The causes of a session's moves. */
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

/**
 * One edge of a session's state machine: from, cause, to, the webhook, and whether the session then holds the order.
 */
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
 * The table of all edges of a session's state machine, which the code, the tests and the diagram in
 * docs/architecture.md read. A session that would become `open` becomes `expired` after its time, and `failed` if no
 * attempt is left.
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

  // The results of queries about an order that is not paid.
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

  // If all sessions of an order are over, the event of the last session reports that the order became undecided or
  // decided.
  ...edge('failed', ['record_undecided', 'gave_up', ...ended, 'order_paid'], 'failed', 'session.failed', 'none'),
  ...edge('expired', ['record_undecided', 'gave_up', ...ended, 'order_paid'], 'expired', 'session.expired', 'none'),
  ...edge('open', 'person_not_paid', 'open', 'session.declined', 'released'),

  // A payment that the gateway proves takes precedence over every state.
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
  // A payment that a person reported: the gateway proved it under another transaction_id, or declined it.
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

/** The edge of a move. Throws TypeError if the table has none, which is a mistake in the rules. */
export function transitionOf(from: SessionStatus, cause: Cause, to: SessionStatus): Transition {
  const found = byKey.get(keyOf(from, cause, to));
  if (!found) throw new TypeError(`no transition from ${from} to ${to} by ${cause}`);
  return found;
}

/** A webhook of a session that a change of an order causes. It is written with the change. */
export type OrderEvent = {
  type: EventType;
  session_id: string;
  /** The session had failed or expired before it was paid. */
  late?: true;
  reason?: EndReason;
  /** Two transactions that paid one order. */
  transaction_ids?: readonly [first: string, second: string];
  /** The saved card that the shopper removed. */
  saved_card?: SavedCard;
};

/** The event of a payment. `confirmed`: the gateway's records contain it. `restored`: it was reversed before. */
export type PaymentEvent = { type: PaymentEventType; transaction_id: string; confirmed?: boolean; restored?: true };

/**
 * The event of a later charge: the charge, and the number of failed charges of its contract in a row. `subject` is the
 * session that began the contract, or the id of the contract.
 */
export type ContractEvent = {
  type: SubscriptionEventType;
  charge: ContractCharge;
  failures: number;
  contract_name?: string;
  subject: string;
};

/** An order to be written, and its webhooks: those of its sessions, then of its payments, then of contracts. */
export type Decision = {
  order: StoredOrder;
  events: readonly OrderEvent[];
  payments?: readonly PaymentEvent[];
  contracts?: readonly ContractEvent[];
};

/** The decision without a change. */
export function startDecision(order: StoredOrder): Decision {
  return { order, events: [] };
}

/** The decision with a change of its order. The order's hold follows from its attempts, payments and records. */
export function withOrder(decision: Decision, change: Partial<StoredOrder>): Decision {
  const next = { ...decision.order, ...change };
  return { ...decision, order: { ...next, hold: holdOf(next) } };
}

/** The hold of an order, by its payments, undecided records and attempts. */
export function holdOf(order: StoredOrder): OrderHold {
  const { attempts, undecided } = order;
  if (isPaid(order)) return 'paid';
  return undecided !== undefined || attempts.some(isUnsettled) ? 'held' : 'free';
}

/** The decision with one attempt replaced. */
export function withAttempt(decision: Decision, attempt: StoredOrder['attempts'][number]): Decision {
  const { attempts } = decision.order;
  return withOrder(decision, { attempts: attempts.map((one) => (one.id === attempt.id ? attempt : one)) });
}

/** The decision with one session replaced that has the same state. It causes no webhook. */
export function withSession(decision: Decision, session: Session): Decision {
  const { sessions } = decision.order;
  return withOrder(decision, { sessions: sessions.map((one) => (one.id === session.id ? session : one)) });
}

/**
 * The decision with a session moved by a cause, and with the webhook of this edge. Throws TypeError like
 * `transitionOf`.
 */
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

/** The session with a new state. The shopper's values are deleted when the session is over. */
function withState(session: Session, state: SessionState): Session {
  const isOver = state.status === 'approved' || state.status === 'failed' || state.status === 'expired';
  const { filled: _, ...kept } = session.terms;
  const terms = isOver && session.terms.filled ? kept : session.terms;
  return { ...session, terms, state };
}

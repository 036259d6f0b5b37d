import { noClearQueries } from '../absence-clock.ts';
import { type Attempt, isNeverAbsent } from '../attempt.ts';
import {
  furtherLast,
  isPaid,
  isProved,
  type OrderPayment,
  provedPayments,
  type StoredOrder,
  sessionOf,
} from '../order.ts';
import { type Decision, moveSession, withAttempt, withOrder, withSession } from '../transitions.ts';
import { approveAttempt, approvedBy, detailsOf } from './approve-attempt.ts';
import { type Approval, approvalOf, isKnown, rivalOf } from './match.ts';
import { creditOf, isOwn, mayReplace, mostProved, type Proof, paymentOf, proofOf } from './proof.ts';
import { type BookRecord, CLOCK_TOLERANCE_MS, isDecided, isSameSum } from './records.ts';

/**
 * Rule 2. Credits every approved record to the order, whatever was reported before, and returns the records that pay nothing. A record
 * of an amount that no attempt has, and a record that a person decided, pay the order only if another record pays it.
 */
export function creditRecords(
  before: Decision,
  records: readonly BookRecord[],
  now: Date,
): { decision: Decision; rest: readonly Extract<Approval, { kind: 'paid_before' | 'amount_differs' }>[] } {
  let decision = before;
  const approved = records.filter(({ meaning }) => meaning === 'approved');
  const rank = (record: BookRecord): number => {
    if (isKnown(record, before.order)) return 0;
    if (isDecided(record, before.order)) return 3;
    return approvalOf(before.order, record, approved).kind === 'amount_differs' ? 2 : 1;
  };
  const inTurn = approved.toSorted((a, b) => rank(a) - rank(b));
  const rest: Extract<Approval, { kind: 'paid_before' | 'amount_differs' }>[] = [];
  for (const record of inTurn) {
    if (rank(record) === 3 && provedPayments(decision.order).length === 0) continue;
    const approval = approvalOf(decision.order, record, approved);
    if (approval.kind === 'credit')
      decision = withOwnDate(creditPayment(decision, proofOf(record, now), approval.attempt, now), record);
    else if (approval.kind !== 'later_charge') rest.push(approval);
  }
  return { decision: withRivals(decision, records), rest };
}

/** Watches the attempts that may own another record: the gateway may charge its transaction, too. */
function withRivals(before: Decision, records: readonly BookRecord[]): Decision {
  return before.order.attempts.reduce((decision, attempt) => {
    const other_id = rivalOf(decision.order, attempt, records);
    return other_id === undefined ? decision : withAttempt(decision, { ...attempt, other_id });
  }, before);
}

/**
 * Gives a payment that began a contract the date of its record. Later charges are compared with this date. A difference within the
 * tolerance stays, so that queries write nothing.
 */
function withOwnDate(before: Decision, { transaction_id, date }: BookRecord): Decision {
  const { payments } = before.order;
  const known = payments.find((one) => one.transaction_id === transaction_id);
  if (known?.recurring_id === undefined || date === undefined) return before;
  if (Date.parse(known.date) - date <= CLOCK_TOLERANCE_MS) return before;
  const dated = { ...known, date: new Date(date).toISOString() };
  return withPayments(
    before,
    payments.map((one) => (one === known ? dated : one)),
  );
}

/**
 * Rule 2. Records a payment and approves its attempt and session. A known transaction moves to another attempt only by that attempt's
 * own answer. A proved payment replaces an unproved one. A second proved payment sends `session.paid_twice`.
 */
export function creditPayment(before: Decision, proof: Proof, attempt: Attempt | undefined, now: Date): Decision {
  const known = before.order.payments.find(({ transaction_id }) => transaction_id === proof.transaction_id);
  if (known) return confirmKnown(before, known, proof, attempt, now);
  const unproved = before.order.payments.find((payment) => mayReplace(proof, attempt, payment));
  if (unproved) {
    const meant = before.order.attempts.find(({ id }) => id === unproved.attempt_id);
    const isOthers = meant !== undefined && isOfOtherSum(proof, unproved, meant);
    const own = isOwn(proof, attempt) || isOthers ? attempt : undefined;
    if (!own || own.session_id === meant?.session_id)
      return replaceUnproved(before, unproved, proof, own ?? meant, now);
  }
  const isFirst = !isPaid(before.order);
  const payment = {
    ...paymentOf(proof, attempt),
    ...awaitedBy(proof, now),
    ...(isFirst ? { ready: 'due' as const } : {}),
  };
  const decision = approveAttempt(withPayments(before, [...before.order.payments, payment]), proof, attempt, now);
  // No session reports a payment without an attempt: it is reported beside a payment that a person settled, too.
  const byPerson = attempt === undefined ? before.order.payments.find((one) => one.proof === 'person') : undefined;
  const proved = otherProved(before.order);
  const other = proved?.attempt_id === undefined ? (byPerson ?? proved) : proved;
  return other && isProved(proof) ? reportPaidTwice(decision, other, payment) : decision;
}

/** The wait for the record of a payment that the gateway's answer proved. */
function awaitedBy({ proof }: Proof, now: Date): Pick<OrderPayment, 'awaited'> {
  return proof === 'answer' ? { awaited: { since: now.toISOString() } } : {};
}

/** Whether the proof has another sum than the person's payment and its attempt. */
function isOfOtherSum(proof: Proof, personPayment: OrderPayment, meant: Attempt): boolean {
  return personPayment.proof === 'person' && !isSameSum(proof, personPayment) && !isSameSum(proof, meant);
}

/** Applies another proof of a known transaction. */
function confirmKnown(
  before: Decision,
  known: OrderPayment,
  proof: Proof,
  attempt: Attempt | undefined,
  now: Date,
): Decision {
  if (proof.proof === 'person') return before;
  if (isProved(known) && proof.proof === 'record') return withContract(before, known, proof);
  const movesTo = proof.proof === 'answer' && attempt && attempt.id !== known.attempt_id ? attempt : undefined;
  const holder = movesTo ?? before.order.attempts.find(({ id }) => id === known.attempt_id);
  const proved = { ...mostProved(known, paymentOf(proof, undefined)), ...(holder ? creditOf(holder) : {}) };
  const payments = before.order.payments.map((one) => (one === known ? proved : one));
  const decision = withPayments(movesTo ? withoutCredit(before, known, now) : before, payments);
  // The record may name a contract that the answer does not name.
  const contract = known.recurring_id === undefined ? {} : { recurring_id: known.recurring_id };
  const approved =
    holder && proof.proof === 'answer'
      ? approveAttempt(decision, { ...contract, ...proof }, holder, now)
      : withSessionContract(decision, known, proof);
  const first = otherProved(before.order, known);
  return !isProved(known) && isProved(proof) && first ? reportPaidTwice(approved, first, proved) : approved;
}

/** Adds the contract that the payment began, if the record is the first that names it. */
function withContract(before: Decision, known: OrderPayment, proof: Proof): Decision {
  const { recurring_id } = proof;
  if (recurring_id === undefined || known.recurring_id !== undefined) return before;
  const payments = before.order.payments.map((one) => (one === known ? { ...known, recurring_id } : one));
  return withSessionContract(withPayments(before, payments), known, proof);
}

function withSessionContract(
  decision: Decision,
  { transaction_id }: OrderPayment,
  proof: Pick<Proof, 'proof' | 'recurring_id' | 'details'>,
): Decision {
  const { recurring_id } = proof;
  const session = decision.order.sessions.find(
    ({ state }) => state.status === 'approved' && state.transaction_id === transaction_id,
  );
  if (recurring_id === undefined || session?.state.status !== 'approved') return decision;
  const details = detailsOf(session, transaction_id, proof);
  return withSession(decision, { ...session, state: { ...session.state, recurring_id, ...details } });
}

/**
 * The decision without the credit of a payment that another attempt's answer claims. The attempt is watched again, or unknown if it
 * cannot be absent.
 */
function withoutCredit(decision: Decision, { attempt_id, transaction_id }: OrderPayment, now: Date): Decision {
  const attempt = decision.order.attempts.find(({ id }) => id === attempt_id);
  const own = decision.order.payments.filter((one) => one.attempt_id === attempt_id);
  if (!attempt || own.some((one) => one.transaction_id !== transaction_id)) return decision;
  const { transaction_id: _, settled_at: __, ...rest } = attempt;
  const at = now.toISOString();
  return withAttempt(
    decision,
    isNeverAbsent(attempt)
      ? {
          ...rest,
          clear: noClearQueries,
          state: { status: 'unknown', reason: 'codes_not_listed', evidence: {}, since: at },
        }
      : { ...rest, settled_at: at, state: { status: 'not_paid', reason: 'absent' } },
  );
}

/** Replaces an unproved payment by a proved one, of the same attempt or of another attempt of its session. */
function replaceUnproved(
  before: Decision,
  unproved: OrderPayment,
  proof: Proof,
  attempt: Attempt | undefined,
  now: Date,
): Decision {
  const { ready } = unproved;
  const payment = { ...paymentOf(proof, attempt), ...awaitedBy(proof, now), ...(ready ? { ready } : {}) };
  const payments = before.order.payments.map((one) => (one === unproved ? payment : one));
  const isMeant = attempt?.id === unproved.attempt_id;
  const moved = withPayments(isMeant ? before : withoutCredit(before, unproved, now), payments);
  const decision = attempt
    ? approveAttempt(withAttempt(moved, withProvingTransaction(attempt, unproved, proof)), proof, attempt, now)
    : moved;
  const session = attempt && before.order.sessions.find(({ id }) => id === attempt.session_id);
  if (!attempt || session?.state.status !== 'approved') return decision;
  const { needs_attention: _, ...state } = session.state;
  const { recurring_id, transaction_id } = proof;
  const confirmedState = {
    ...state,
    attempt_id: attempt.id,
    transaction_id,
    ...(recurring_id === undefined ? {} : { recurring_id }),
    ...detailsOf(session, transaction_id, proof),
  };
  const confirmed = moveSession(decision, session.id, confirmedState, approvedBy[proof.proof]);
  const first = otherProved(before.order);
  return first && isProved(proof) ? reportPaidTwice(confirmed, first, paymentOf(proof, attempt)) : confirmed;
}

/** The attempt with the transaction that proves it. The transaction of an unsigned answer is kept: it may be charged, too. */
function withProvingTransaction(
  { other_id, ...attempt }: Attempt,
  { unsigned, ...unproved }: OrderPayment,
  { transaction_id }: Proof,
): Attempt {
  const other = unsigned ? unproved.transaction_id : other_id;
  return {
    ...attempt,
    transaction_id,
    ...(other === undefined || other === transaction_id ? {} : { other_id: other }),
  };
}

/** The first proved payment of the order, except this one. */
function otherProved(order: StoredOrder, except?: OrderPayment): OrderPayment | undefined {
  return provedPayments(order).find((one) => one !== except);
}

/**
 * Reports that two transactions paid an order: in the session of the second payment, otherwise of the first, otherwise of any other
 * payment of the order. The shop refunds the second one. A second payment is reported once, also if the first one is proved or replaced
 * later: a shop that refunded both would have no payment.
 */
function reportPaidTwice(decision: Decision, one: OrderPayment, another: OrderPayment): Decision {
  const [first, second] = furtherLast(one, another) > 0 ? [another, one] : [one, another];
  if (second.further) return decision;
  const sessionIdOf = ({ attempt_id }: OrderPayment): string | undefined => {
    const attempt = decision.order.attempts.find(({ id }) => id === attempt_id);
    return decision.order.sessions.find(({ id }) => id === attempt?.session_id)?.id;
  };
  const [session_id] = [second, first, ...decision.order.payments].flatMap((payment) => sessionIdOf(payment) ?? []);
  if (session_id === undefined) return decision;
  const transaction_ids = [first.transaction_id, second.transaction_id] as const;
  const session = sessionOf(decision.order, session_id);
  // The session is written, too: a webhook shows only versions that can be read.
  const { payments } = decision.order;
  const reported = payments.map((one) =>
    one.transaction_id === second.transaction_id ? { ...one, further: true as const } : one,
  );
  const written = withPayments(withSession(decision, { ...session }), reported);
  return { ...written, events: [...written.events, { type: 'session.paid_twice', session_id, transaction_ids }] };
}

function withPayments(decision: Decision, payments: readonly OrderPayment[]): Decision {
  return withOrder(decision, { payments });
}

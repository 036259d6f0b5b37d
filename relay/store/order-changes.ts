import type { Attempt } from '../payments/attempt.ts';
import { transactionForm } from '../payments/operations/transaction-form.ts';
import type { ContractCharge, OrderPayment, StoredOrder } from '../payments/order.ts';
import { needsPerson, type Session, type Terms } from '../payments/session.ts';

/** A session with its next version, and whether the shop's terms changed. */
export type ChangedSession = { session: Session; hasNewTerms: boolean };

/** The changes of a write: rows to add, and rows to replace with the version that they must still have. */
type OrderChanges = {
  newSessions: readonly Session[];
  changedSessions: readonly ChangedSession[];
  newAttempts: readonly Attempt[];
  changedAttempts: readonly Attempt[];
};

/**
 * Compares an order as it was read with the order to write (`writtenOrder`). An order has few sessions and attempts:
 * searching them costs less than building maps (`npm run bench -- relay`).
 */
export function changesOf(before: StoredOrder, written: StoredOrder): OrderChanges {
  const [newSessions, changedSessions]: [Session[], ChangedSession[]] = [[], []];
  for (const session of written.sessions) {
    const known = before.sessions.find(({ id }) => id === session.id);
    if (!known) newSessions.push(session);
    else if (known !== session) {
      changedSessions.push({ session, hasNewTerms: !isSameTerms(session.terms, known.terms) });
    }
  }
  const [newAttempts, changedAttempts]: [Attempt[], Attempt[]] = [[], []];
  for (const attempt of written.attempts) {
    const known = before.attempts.find(({ id }) => id === attempt.id);
    if (!known) newAttempts.push(attempt);
    else if (known !== attempt) changedAttempts.push(attempt);
  }
  return { newSessions, changedSessions, newAttempts, changedAttempts };
}

/** The parts of an order that are stored in one JSON column. */
export type OrderData = Pick<
  StoredOrder,
  'payments' | 'wasPaid' | 'charges' | 'told_charges' | 'undecided' | 'decided' | 'queries' | 'noticed' | 'repeats'
>;

/** The JSON column of this version or of the previous one, which stored only the transaction_ids of charges. */
type WrittenData = Omit<OrderData, 'charges'> & { charges?: readonly (ContractCharge | string)[] };

/** Reads the JSON column of an order. */
export function orderDataFrom({ charges, ...data }: WrittenData): OrderData {
  if (!charges) return data;
  const told_charges = charges.filter((one) => typeof one === 'string');
  const own = charges.filter((one) => typeof one !== 'string');
  return { ...data, charges: own, ...(told_charges.length > 0 ? { told_charges } : {}) };
}

/** The JSON column of an order. */
export function orderData(order: StoredOrder): string {
  const { payments, wasPaid, charges, told_charges, undecided, decided, queries, noticed, repeats } = order;
  return JSON.stringify({ payments, wasPaid, charges, told_charges, undecided, decided, queries, noticed, repeats });
}

/** The column of a session's terms, without the shopper's values, which change with each attempt. */
export function termsColumn({ filled: _, ...terms }: Terms): string {
  return JSON.stringify(terms);
}

/** The column of the shopper's values. */
export function filledColumn({ filled }: Terms): string | null {
  return filled ? JSON.stringify(filled) : null;
}

/** The columns of a new session. */
export const newSessionColumns = [
  ...(['id', 'account', 'order_no', 'status', 'version', 'revision', 'created_at', 'expires_at'] as const),
  ...(['filled', 'state', 'terms'] as const),
] as const;

/** The row of a new session. */
export function newSessionRow(session: Session): Record<(typeof newSessionColumns)[number], string | number | null> {
  const { id, account, order_no, version, revision, created_at, expires_at, state, terms } = session;
  return {
    ...{ id, account, order_no, status: state.status, version, revision, created_at, expires_at },
    ...{ filled: filledColumn(terms), state: JSON.stringify(state), terms: termsColumn(terms) },
  };
}

/**
 * The changed columns of a session's row, except its terms. The store searches by `unknown_since` and
 * `needs_attention`.
 */
export function changedSessionRow(session: Session) {
  const { id, version, revision, expires_at, terms, state, settled } = session;
  return {
    ...{ id, status: state.status, version, revision, expires_at, filled: filledColumn(terms) },
    ...{ unknown_since: state.status === 'unknown' ? state.search.since : null, needs_attention: needsPerson(session) },
    ...{ state: JSON.stringify(state), settled: settled ? JSON.stringify(settled) : null },
  };
}

/** The maximum length of a transaction_id in a refund. An index cannot hold much longer ones. */
const MAX_REFUNDABLE_ID = 255;

/** The payments that the write adds or changes. Refunds find a payment by its transaction_id. */
export function transactionsOf(before: StoredOrder, after: StoredOrder): StoredOrder['payments'] {
  const isKnown = (payment: OrderPayment): boolean =>
    before.payments.some(
      (one) =>
        one === payment ||
        (one.transaction_id === payment.transaction_id &&
          one.amount === payment.amount &&
          one.currency === payment.currency &&
          one.also_paid === payment.also_paid),
    );
  return after.payments.filter((payment) => !isKnown(payment) && isRefundable(payment));
}

/**
 * The form of a transaction_id that a person reported: the write is refused if another spelling is known. Undefined if
 * the gateway reported the transaction_id, or the order has it already.
 */
export function formToCheck(
  { payments }: StoredOrder,
  { proof, transaction_id }: StoredOrder['payments'][number],
): string | undefined {
  const isNew = payments.every((paid) => paid.transaction_id !== transaction_id);
  return proof === 'person' && isNew ? transactionForm(transaction_id) : undefined;
}

/**
 * The transaction_ids that the write removes from the order: a person had reported them, and the gateway proved others.
 */
export function droppedTransactions(before: StoredOrder, after: StoredOrder): string[] {
  const kept = new Set(after.payments.map(({ transaction_id }) => transaction_id));
  return before.payments
    .filter((payment) => !kept.has(payment.transaction_id) && isRefundable(payment))
    .map(({ transaction_id }) => transaction_id);
}

function isRefundable({ transaction_id }: StoredOrder['payments'][number]): boolean {
  return transaction_id.length <= MAX_REFUNDABLE_ID && !transaction_id.includes('\0');
}

/** The order as stored after a change is written. */
export function writtenOrder(before: StoredOrder, after: StoredOrder): StoredOrder {
  const sessions = after.sessions.map((session) => {
    const known = before.sessions.find(({ id }) => id === session.id);
    return known && known !== session ? { ...session, version: known.version + 1 } : session;
  });
  return { ...after, version: before.version + 1, sessions };
}

/** Whether two terms have the same values of the shop. */
function isSameTerms(terms: Terms, others: Terms): boolean {
  return terms === others || (hasFixed(terms, others) && hasFixed(others, terms));
}

/** Whether the second terms have all of the shop's values in the first ones. */
function hasFixed<Some extends Terms>(terms: Some, others: Some): boolean {
  for (const name in terms) if (name !== 'filled' && terms[name] !== others[name]) return false;
  return true;
}

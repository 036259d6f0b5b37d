import { sameAmount } from '../../shared/gateway/amounts.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import { redactText } from '../base/redact.ts';
import type { CodeBook } from '../gateway/profile.ts';
import type { Finding } from './after-look.ts';
import { belongsTo } from './paid-twice.ts';
import { type Attempt, wasLeft, wasTaken } from './session.ts';

/**
 * What a query's records tell about one attempt without a proved outcome (design 5). Each attempt is bound to its own
 * transaction_id: a record that belongs to another attempt proves nothing about this one.
 * @param attempts every attempt ever made for the order, `attempt` among them
 * @param records the records of this order_no in a query that counts
 */
export function findAttempt(
  attempt: Attempt,
  attempts: readonly Attempt[],
  records: readonly OrderRecord[],
  codes: CodeBook['payment_status'],
): Finding {
  const others = attempts.filter(({ id }) => id !== attempt.id);
  const unbound = records.filter((record) => record.order_no === attempt.order_no && !belongsTo(others, record));
  const free = unbound.filter((record) => isOf(attempt, record) || !isOfLeft(others, record));
  const matching = ownFirst(
    attempt,
    free.filter((record) => isOf(attempt, record)),
  );

  const paid = matching.find(
    (record) => isListed(codes.approved, record) && record.transaction_id && mayBePaidBy(attempt, record),
  );
  if (paid?.transaction_id) {
    const recurring = paid.subscription_result?.recurring_id;
    return {
      kind: 'approved',
      transaction_id: paid.transaction_id,
      ...(recurring ? { recurring_id: recurring } : {}),
    };
  }

  // Also a record of another amount: it is nobody's, so this order must not be opened for another charge.
  const undecided = free.filter((record) => !isListed(codes.declined, record));
  if (undecided.length > 0) {
    const pending = undecided.every((record) => isListed(codes.pending, record));
    return { kind: 'undecided', reason: pending ? 'pending' : 'codes_not_listed' };
  }

  // One declined record may belong to an earlier attempt that has none of its own yet, so there must be one for each.
  const declined = unbound.filter((record) => isListed(codes.declined, record));
  const withoutRecord = attempts.filter((other) => wasTaken(other) && !hasOwnRecord(other, attempt));
  const [own] = matching;
  if (own && withoutRecord.every((other) => hasEnough(declined, other, withoutRecord))) {
    return {
      kind: 'declined',
      transaction_id: own.transaction_id ?? '',
      result: { code: own.payment_status ?? '', message: redactText(own.decline_reason ?? '') },
    };
  }
  return { kind: 'absent' };
}

/**
 * True for a record of the amount of an attempt that was left, before the order was changed. It tells nothing about an attempt
 * of another amount, and keeps nobody from being charged twice: before each payment the gateway is asked about what was left.
 */
function isOfLeft(others: readonly Attempt[], record: OrderRecord): boolean {
  return others.some((other) => wasLeft(other) && isOf(other, record));
}

/** Whether there are as many of these records as attempts without one, of those with this attempt's amount. */
function hasEnough(records: readonly OrderRecord[], attempt: Attempt, withoutRecord: readonly Attempt[]): boolean {
  const own = records.filter((record) => isOf(attempt, record));
  const same = withoutRecord.filter((other) => isOf(other, attempt));
  return new Set(own.map((record) => record.transaction_id ?? '')).size >= same.length;
}

/** The record that has the attempt's own transaction_id first, then the newest. */
function ownFirst(attempt: Attempt, records: readonly OrderRecord[]): OrderRecord[] {
  const isOwn = (record: OrderRecord): boolean =>
    attempt.transaction_id !== undefined && record.transaction_id === attempt.transaction_id;
  return [...records.filter(isOwn), ...records.filter((record) => !isOwn(record)).reverse()];
}

/** A transaction that was declined can only turn out to be paid itself. */
function mayBePaidBy({ state, transaction_id }: Attempt, record: OrderRecord): boolean {
  return state.status !== 'declined' || !transaction_id || record.transaction_id === transaction_id;
}

function isOf(attempt: Attempt, other: Pick<OrderRecord, 'amount' | 'currency'>): boolean {
  return other.currency === attempt.currency && sameAmount(other.amount ?? '', attempt.amount);
}

function hasOwnRecord(other: Attempt, attempt: Attempt): boolean {
  const { status } = other.state;
  return other.id !== attempt.id && (status === 'declined' || status === 'approved') && Boolean(other.transaction_id);
}

function isListed(codes: readonly string[], record: OrderRecord): boolean {
  return codes.includes(record.payment_status ?? '');
}

import { sameAmount } from '../../shared/gateway/amounts.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import type { CodeBook } from '../gateway/profile.ts';
import type { Attempt, SessionState } from './session.ts';

/** Two transactions by which one order was paid. */
export type PaidTwice = readonly [first: string, second: string];

/** The attempts by which an order was paid, the first payment first. More than one should never be. */
export function paymentsOf(attempts: readonly Attempt[]): Attempt[] {
  return attempts
    .filter(({ state }) => state.status === 'approved')
    .sort((a, b) => ((a.settled_at ?? '') < (b.settled_at ?? '') ? -1 : 1));
}

/** What a session's change tells of an order that was paid twice: its own payment is the second, or it learns of one. */
export function paidAgain(before: SessionState, after: SessionState): PaidTwice[] {
  if (after.status !== 'approved' || !after.paid_twice) return [];
  if (before.status !== 'approved') return after.paid_twice.slice(0, 1).map((first) => [first, after.transaction_id]);
  const told = before.paid_twice ?? [];
  return after.paid_twice.filter((id) => !told.includes(id)).map((second) => [after.transaction_id, second]);
}

/**
 * Transactions of a query's records that paid an order once more, without any attempt of ours (design 5): approved, of the
 * order's amount and currency. Later charges of a contract that the order began are none.
 * @param attempts every attempt ever made for the order
 */
export function paymentsOfNobody(
  attempts: readonly Attempt[],
  records: readonly OrderRecord[],
  codes: CodeBook['payment_status'],
): string[] {
  const payments = paymentsOf(attempts);
  const [first] = payments;
  // A payment that was approved without a transaction_id may be any record's.
  if (!first || payments.some(({ transaction_id }) => !transaction_id)) return [];
  const found = records
    .filter((record) => record.order_no === first.order_no && codes.approved.includes(record.payment_status ?? ''))
    .filter((record) => record.currency === first.currency && sameAmount(record.amount ?? '', first.amount))
    .filter((record) => !belongsTo(attempts, record))
    .flatMap(({ transaction_id }) => transaction_id || []);
  return [...new Set(found)];
}

/** True for the record of one of these attempts, or of a later charge of a contract that one of them began. */
export function belongsTo(attempts: readonly Attempt[], record: OrderRecord): boolean {
  const contract = record.subscription_result?.recurring_id;
  return attempts.some(
    ({ transaction_id, state }) =>
      (transaction_id !== undefined && transaction_id === record.transaction_id) ||
      (state.status === 'approved' && Boolean(contract) && state.recurring_id === contract),
  );
}

import { maskText } from '../../../shared/card-data/mask.ts';
import { currencyIn, sameAmount } from '../../../shared/gateway/amounts.ts';
import { parseDate } from '../../../shared/gateway/dates.ts';
import type { OrderRecord } from '../../../shared/gateway/query.ts';
import { identifierIn, type PaymentDetails, paymentDetails } from '../../gateway/outcome.ts';
import { latestInstant } from '../../gateway/time-zone.ts';
import type { Attempt } from '../attempt.ts';
import type { PaymentRules, SeenRecord, StoredOrder } from '../order.ts';

/** The meaning of a record by its code. An approved record without a transaction_id proves nothing, and counts as unlisted. */
export type Meaning = 'approved' | 'declined' | 'pending' | 'unlisted';

/** A record of a query about one order, read by the rules. `date` is in milliseconds, if the record has one. */
export type BookRecord = {
  meaning: Meaning;
  transaction_id?: string;
  payment_status: string;
  amount: string;
  currency: string;
  date?: number;
  recurring_id?: string;
  details: PaymentDetails;
  decline_reason: string;
  /** The gateway's record, and the latest one if there are several: it has the present status of the payment. */
  source: OrderRecord;
  latest?: OrderRecord;
};

/** The maximum difference between the gateway's clock and ours, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 15 * 60_000;

/** Of two records of one transaction, the one with the higher weight counts: it is less certain to be unpaid. */
const weight: Record<Meaning, number> = { approved: 3, unlisted: 2, pending: 1, declined: 0 };

/**
 * Rule 1. Reads the records of one order (§2.4), the oldest first. Records that name another order are left out. Of several records of
 * one transaction, the one with the highest weight counts, otherwise the latest one.
 */
export function readRecords(orderNo: string, records: readonly OrderRecord[], rules: PaymentRules): BookRecord[] {
  const read: BookRecord[] = [];
  const byTransaction = new Map<string, BookRecord>();
  for (const record of records) {
    if (record.order_no !== orderNo) continue;
    const one = readRecord(record, rules);
    const id = one.transaction_id;
    const before = id === undefined ? undefined : byTransaction.get(id);
    const kept = before && !saysMore(one, before) ? before : one;
    const known = before ? { ...kept, latest: latestOf(before, one) } : one;
    if (before) read.splice(read.indexOf(before), 1);
    if (id !== undefined) byTransaction.set(id, known);
    read.push(known);
  }
  return read.sort((a, b) => (a.date ?? 0) - (b.date ?? 0));
}

/** The later of two records of one transaction; the first one if their dates do not decide. */
function latestOf(before: BookRecord, one: BookRecord): OrderRecord {
  const isLater = one.date !== undefined && before.date !== undefined && one.date > before.date;
  return isLater ? one.source : (before.latest ?? before.source);
}

function saysMore(one: BookRecord, other: BookRecord): boolean {
  const difference = weight[one.meaning] - weight[other.meaning];
  const later = (one.date ?? Number.POSITIVE_INFINITY) > (other.date ?? Number.POSITIVE_INFINITY);
  return difference > 0 || (difference === 0 && later);
}

function readRecord(record: OrderRecord, { codes, timeZone }: PaymentRules): BookRecord {
  const code = record.payment_status ?? '';
  const date = parseDate('YYYYMMDDHHMMSS', record.transaction_date ?? '');
  const transaction_id = identifierIn(record.transaction_id);
  const recurring = identifierIn(record.subscription_result?.recurring_id);
  return {
    meaning: meaningOf(code, transaction_id, codes),
    ...(transaction_id ? { transaction_id } : {}),
    payment_status: maskText(code),
    amount: record.amount ?? '',
    currency: currencyIn(record.currency ?? ''),
    ...(date ? { date: latestInstant(date, timeZone) } : {}),
    ...(recurring ? { recurring_id: recurring } : {}),
    details: paymentDetails(record.subscription_result ?? {}),
    decline_reason: maskText(record.decline_reason ?? ''),
    source: record,
  };
}

function meaningOf(code: string, transactionId: string | undefined, codes: PaymentRules['codes']): Meaning {
  // One that is held for a review is a payment all the same.
  if (codes.approved.includes(code) || codes.held.includes(code)) return transactionId ? 'approved' : 'unlisted';
  if (codes.declined.includes(code)) return 'declined';
  return codes.pending.includes(code) ? 'pending' : 'unlisted';
}

/** True for two things of one amount (by value) and currency. */
export function isSameSum(
  one: { amount: string; currency: string },
  other: { amount: string; currency: string },
): boolean {
  return one.currency === other.currency && sameAmount(one.amount, other.amount);
}

/** True unless the record is older than the attempt: then it is not the attempt's own. */
export function mayBeOf(record: BookRecord, { started_at }: Attempt): boolean {
  return record.date === undefined || record.date >= Date.parse(started_at) - CLOCK_TOLERANCE_MS;
}

/**
 * How many records that are bound to an attempt by transaction_id are dated before it was sent, or after `now`, by more than
 * the tolerance: the gateway's clock, or its time zone in the profile, is wrong.
 */
export function clockOffsets({ attempts }: StoredOrder, records: readonly BookRecord[], now: Date): number {
  return records.filter((record) => {
    const { date, transaction_id } = record;
    const attempt = attempts.find((one) => one.transaction_id !== undefined && one.transaction_id === transaction_id);
    if (!attempt || date === undefined) return false;
    return !mayBeOf(record, attempt) || date > now.getTime() + CLOCK_TOLERANCE_MS;
  }).length;
}

/** The record as it is remembered. */
export function seenOf({ transaction_id = '', payment_status, amount, currency, date }: BookRecord): SeenRecord {
  const dated = date === undefined ? {} : { date: new Date(date).toISOString() };
  return { transaction_id, payment_status, amount, currency, ...dated };
}

/** Rule 10. True for a record that a person decided and that is unchanged. */
export function isDecided(record: BookRecord, { decided }: StoredOrder): boolean {
  const seen = seenOf(record);
  return decided.some(
    (one) =>
      one.transaction_id === seen.transaction_id &&
      (one.transaction_id !== '' || one.date === seen.date) &&
      one.payment_status === seen.payment_status &&
      isSameSum(one, seen),
  );
}

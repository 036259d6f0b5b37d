import { maskText } from '../../../shared/card-data/mask.ts';
import type { OrderRecord } from '../../../shared/gateway/query.ts';
import type { CodeBook } from '../../gateway/profile.ts';

/** The masked content of a payment's record in the last counted query. `as_of` is the begin of that query. */
export type PaymentRecord = {
  payment_status: string;
  decline_reason?: string;
  fraud_check_result?: readonly { check_items?: string; status?: string }[];
  antifraud_provider?: string;
  is3ds?: string;
  reference_no?: string;
  as_of: string;
};

/** The maximum number of stored checks of a payment. */
const MAX_CHECKS = 20;

/** The facts about a payment in a record (§2.4). */
export function recordFacts(record: OrderRecord, as_of: string): PaymentRecord {
  const { decline_reason, antifraud_provider, is3ds, reference_no } = record;
  const checks = record.fraud_check_result?.slice(0, MAX_CHECKS) ?? [];
  return {
    payment_status: maskText(record.payment_status ?? ''),
    ...texts({ decline_reason }),
    ...(checks.length > 0
      ? { fraud_check_result: checks.map(({ check_items, status }) => texts({ check_items, status })) }
      : {}),
    ...texts({ antifraud_provider, is3ds, reference_no }),
    as_of,
  };
}

/** The present texts, without card data. */
function texts<Name extends string>(given: Record<Name, string | null | undefined>): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name in given) {
    const text = given[name];
    if (text) found[name] = maskText(text);
  }
  return found;
}

/** A text that is equal for records with the same meaning. */
export function recordKey({ payment_status, fraud_check_result = [] }: PaymentRecord): string {
  return JSON.stringify([payment_status, fraud_check_result.map(({ status = '' }) => status)]);
}

/**
 * The meaning of the record of a payment that was approved before. `unclear`: its code has no meaning after an
 * approval.
 */
export type RecordMeaning =
  | 'approved'
  | 'held'
  | 'reversed'
  | 'refunded'
  | 'partially_refunded'
  | 'cancelled'
  | 'unclear';

/** The codes and checks that decide the meaning of a record. */
export type RecordRules = { codes: CodeBook['payment_status']; fraudRejected: readonly string[] };

/** The meaning of a payment's record; undefined if there is none. */
export function meaningOf(
  record: PaymentRecord | undefined,
  { codes, fraudRejected }: RecordRules,
): RecordMeaning | undefined {
  if (!record) return undefined;
  const { payment_status: code, fraud_check_result = [] } = record;
  if (codes.held.includes(code)) return 'held';
  if (codes.approved.includes(code)) {
    return fraud_check_result.some(({ status = '' }) => fraudRejected.includes(status)) ? 'held' : 'approved';
  }
  if (codes.refunded.includes(code)) return 'refunded';
  if (codes.partially_refunded.includes(code)) return 'partially_refunded';
  if (codes.cancelled.includes(code)) return 'cancelled';
  return codes.charged_back.includes(code) || codes.declined.includes(code) ? 'reversed' : 'unclear';
}

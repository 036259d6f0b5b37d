import { currencyIn, sameAmount } from '../../../shared/gateway/amounts.ts';
import type { RefundItem, RefundRecord } from '../../../shared/gateway/refund.ts';
import { identifierIn } from '../../gateway/outcome.ts';
import type { CodeBook } from '../../gateway/profile.ts';
import type { ItemOutcome, Operation } from './operation.ts';
import { hidesRefunds, namesByItem, namesOf, unnamedItems } from './refund-names.ts';
import { refundItems } from './refund-rule.ts';

/** What a search proves of a refund. Only when every item has a refund of its own is it found. */
export type Match =
  | { kind: 'found'; items: ItemOutcome[]; refund_reference_ids: string[] }
  | { kind: 'absent' | 'ambiguous' | 'undecided' };

/** A refund that is there now and was not there before. */
type Fresh = RefundRecord & { refund_reference_id: string };

/**
 * Finds the refunds of an open operation among what the gateway has now. What could be anybody's is `ambiguous`. What is
 * not there is `absent`: that proves that a refused refund did not happen, and of an unknown one nothing, since a gateway
 * may lag.
 * @param others the other operations with refunds of these payments, read after the search was answered
 */
export function matchRefunds(
  operation: Operation,
  records: readonly RefundRecord[],
  others: readonly Operation[],
  codes: CodeBook,
): Match {
  const { state } = operation;
  const items = refundItems(operation.request);
  switch (state.status) {
    case 'answered':
      return matchAnswered(operation, state.items, records, others, codes);
    case 'refused': {
      const known = new Set([...(operation.lookup?.before ?? []), ...others.flatMap(namesOf)]);
      const isNew = (record: RefundRecord): boolean => !known.has(record.refund_reference_id ?? '');
      const own = ofPayments(items, records).filter(
        (record) => isNew(record) && items.some((item) => mayBe(item, record)),
      );
      if (own.length === 0) return { kind: 'absent' };
      const found = matchNew(operation, items, records, others, codes);
      // Some of it is there, so it was not refused after all.
      return found.kind === 'absent' ? { kind: 'undecided' } : found;
    }
    case 'in_flight':
    case 'not_sent':
    case 'settled':
    case 'unknown':
      return matchNew(operation, items, records, others, codes);
  }
}

/** The unknown items of an answer: by the refund_reference_ids that it named, the others as those of no answer. */
function matchAnswered(
  operation: Operation,
  answered: readonly ItemOutcome[],
  records: readonly RefundRecord[],
  others: readonly Operation[],
  codes: CodeBook,
): Match {
  const items = refundItems(operation.request);
  const outcomes = [...answered];
  const found: string[] = [];
  for (const [at, name] of namesByItem(operation).entries()) {
    const item = items[at];
    if (answered[at] !== 'unknown' || !item || !name) continue;
    const own = distinct(records.filter(({ refund_reference_id }) => refund_reference_id === name));
    const [record, ...more] = own ?? [];
    if (own?.length === 0) return { kind: 'absent' };
    if (!record || more.length > 0 || found.includes(name) || !fits(item, record)) return { kind: 'ambiguous' };
    const outcome = statusOf(record, codes);
    if (outcome === 'unknown') return { kind: 'undecided' };
    outcomes[at] = outcome;
    found.push(name);
  }
  const unnamed = unnamedItems(operation);
  if (unnamed.length === 0) return { kind: 'found', items: outcomes, refund_reference_ids: found };
  const rest = matchNew(
    operation,
    unnamed.flatMap((at) => items[at] ?? []),
    records,
    others,
    codes,
  );
  if (rest.kind !== 'found') return rest;
  for (const [i, at] of unnamed.entries()) outcomes[at] = rest.items[i] ?? 'unknown';
  return { kind: 'found', items: outcomes, refund_reference_ids: [...found, ...rest.refund_reference_ids] };
}

/**
 * Finds refunds that were not there before, are named by no operation, and match item by item. Equal items need as many
 * equal refunds.
 */
function matchNew(
  operation: Operation,
  items: readonly RefundItem[],
  records: readonly RefundRecord[],
  others: readonly Operation[],
  codes: CodeBook,
): Match {
  const { lookup } = operation;
  if (!lookup?.before) return { kind: 'ambiguous' };
  const known = new Set([...lookup.before, ...namesOf(operation), ...others.flatMap(namesOf)]);
  const unknown = ofPayments(items, records).filter((record) => !known.has(record.refund_reference_id ?? ''));
  if (unknown.length === 0) return { kind: 'absent' };
  const fresh = distinct(unknown);
  if (!fresh || others.some((other) => hidesRefunds(other, lookup.asked_at, codes))) return { kind: 'ambiguous' };
  const countOf = (of: readonly { transaction_id?: string | null }[], id: string): number =>
    of.filter(({ transaction_id }) => transaction_id === id).length;
  const isTooMany = items.some(({ transaction_id: id }) => countOf(fresh, id) > countOf(items, id));
  return isTooMany ? { kind: 'ambiguous' } : matched(items, fresh, codes);
}

/** The records of the items' payments. One that names no payment may be of any. */
export function ofPayments(items: readonly RefundItem[], records: readonly RefundRecord[]): RefundRecord[] {
  const payments = new Set(items.map((item) => item.transaction_id));
  return records.filter(({ transaction_id }) => !transaction_id || payments.has(transaction_id));
}

/** Each refund once, even if a search lists it twice; undefined if two of them cannot be distinguished. */
function distinct(records: readonly RefundRecord[]): Fresh[] | undefined {
  const byId = new Map<string, Fresh>();
  for (const record of records) {
    const refund_reference_id = identifierIn(record.refund_reference_id);
    if (!record.transaction_id || !refund_reference_id) return undefined;
    const before = byId.get(refund_reference_id);
    if (before && JSON.stringify(before) !== JSON.stringify(record)) return undefined;
    byId.set(refund_reference_id, { ...record, refund_reference_id });
  }
  return [...byId.values()];
}

function matched(items: readonly RefundItem[], fresh: readonly Fresh[], codes: CodeBook): Match {
  const wanted = items.map((item) => ({ item, fitting: fresh.filter((record) => fits(item, record)) }));
  const refundOf = new Map<RefundItem, Fresh>();
  const taken = new Set<Fresh>();
  // Items that the same refunds fit are equal, and it does not matter which of them each takes.
  for (const equal of Map.groupBy(wanted, ({ fitting }) => JSON.stringify(idsOf(fitting))).values()) {
    const refunds = equal[0]?.fitting ?? [];
    const isShared = refunds.some((refund) => taken.has(refund));
    if (isShared || refunds.length > equal.length || !isFair(equal, refunds, codes)) return { kind: 'ambiguous' };
    for (const refund of refunds) taken.add(refund);
    for (const [at, { item }] of equal.entries()) {
      const refund = refunds[at];
      if (refund) refundOf.set(item, refund);
    }
  }
  const found = items.flatMap((item) => refundOf.get(item) ?? []);
  if (found.length < items.length) return { kind: 'absent' };
  const outcomes = found.map((refund) => statusOf(refund, codes));
  if (outcomes.includes('unknown')) return { kind: 'undecided' };
  return { kind: 'found', items: outcomes, refund_reference_ids: idsOf(found) };
}

/** False when one of several refunds failed and it makes a difference which: they were asked for with other reasons. */
function isFair(equal: readonly { item: RefundItem }[], refunds: readonly Fresh[], codes: CodeBook): boolean {
  const outcomes = new Set(refunds.map((refund) => statusOf(refund, codes)));
  return outcomes.size < 2 || new Set(equal.map(({ item }) => JSON.stringify(item))).size === 1;
}

function fits(item: RefundItem, record: Fresh): boolean {
  return (
    record.transaction_id === item.transaction_id &&
    currencyIn(record.currency ?? '') === item.currency &&
    sameAmount(record.refund_amount ?? '', item.refund_amount) &&
    (!record.order_no || item.order_no === undefined || record.order_no === item.order_no)
  );
}

/** True for a record that may be the item's: what it leaves out says nothing. */
function mayBe(item: RefundItem, record: RefundRecord): boolean {
  const { transaction_id, currency, refund_amount } = record;
  return (
    (!transaction_id || transaction_id === item.transaction_id) &&
    (!currency || currencyIn(currency) === item.currency) &&
    (!refund_amount || sameAmount(refund_amount, item.refund_amount))
  );
}

/** A record has no refund_message to agree with, as an answer to a refund has. */
function statusOf({ refund_status }: Fresh, { refund_status: listed }: CodeBook): ItemOutcome {
  if (listed.success.includes(refund_status ?? '')) return 'succeeded';
  return listed.failed.includes(refund_status ?? '') ? 'failed' : 'unknown';
}

function idsOf(records: readonly Fresh[]): string[] {
  return records.map(({ refund_reference_id }) => refund_reference_id);
}

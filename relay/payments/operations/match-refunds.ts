import { currencyIn, sameAmount } from '../../../shared/gateway/amounts.ts';
import type { RefundItem, RefundRecord } from '../../../shared/gateway/refund.ts';
import { identifierIn } from '../../gateway/outcome.ts';
import type { CodeBook } from '../../gateway/profile.ts';
import { refundItems } from './counted-refunds.ts';
import { type ItemOutcome, knownItems, type StoredOperation } from './operation.ts';
import { hidesRefunds, missingItems, namesByItem, namesOf, unnamedItems } from './refund-names.ts';

/** What a search proves about a refund. It is found only if every item has its own refund. */
export type Match =
  | { kind: 'found'; items: ItemOutcome[]; refund_reference_ids: string[] }
  /**
   * Items that the search does not show are `unknown`, and no record of the search may belong to them. `others`: the
   * refunds of their payments that the search shows.
   */
  | { kind: 'absent'; items: ItemOutcome[]; refund_reference_ids: string[]; others?: string[] }
  /** `contested`: the records may belong to another operation that is unknown or counts as not made. */
  | { kind: 'ambiguous'; contested?: true }
  | { kind: 'undecided' };

/** A refund that no search showed before. */
type Fresh = RefundRecord & { refund_reference_id: string };

/**
 * Finds the refunds of an undecided operation, or of one that counts as not made, in the records of a search. If a
 * record may belong to another refund, the result is `ambiguous`. One search that does not show a refund proves
 * nothing, because a gateway may lag.
 * @param others the other operations with refunds of these payments, read after the answer to the search
 */
export function matchRefunds(
  operation: StoredOperation,
  records: readonly RefundRecord[],
  others: readonly StoredOperation[],
  codes: CodeBook,
): Match {
  const { state } = operation;
  const items = refundItems(operation.request);
  switch (state.status) {
    case 'answered':
      return matchAnswered(operation, state.items, records, others, codes);
    case 'settled': {
      const { settlement } = state;
      const { absent = [], refund_reference_ids = [] } = settlement.by === 'refund_search' ? settlement : {};
      const known = { items: settlement.items, refund_reference_ids };
      return withRest(known, absent, matchNew(operation, partOf(items, absent), records, others, codes));
    }
    case 'in_flight':
    case 'not_sent':
    case 'refused':
    case 'unknown':
      return matchNew(operation, items, records, others, codes);
  }
}

/**
 * Finds the unknown items of an answered refund: by their refund_reference_ids, otherwise as if there were no answer.
 */
function matchAnswered(
  operation: StoredOperation,
  answered: readonly ItemOutcome[],
  records: readonly RefundRecord[],
  others: readonly StoredOperation[],
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
    if (own?.length === 0) return { kind: 'absent', items: outcomes, refund_reference_ids: [] };
    if (!record || more.length > 0 || found.includes(name) || !fits(item, record)) return { kind: 'ambiguous' };
    const outcome = statusOf(record, codes);
    if (outcome === 'unknown') return { kind: 'undecided' };
    outcomes[at] = outcome;
    found.push(name);
  }
  const unnamed = unnamedItems(operation);
  if (unnamed.length === 0) return { kind: 'found', items: outcomes, refund_reference_ids: found };
  const rest = matchNew(operation, partOf(items, unnamed), records, others, codes);
  return withRest({ items: outcomes, refund_reference_ids: found }, unnamed, rest);
}

function partOf(items: readonly RefundItem[], numbers: readonly number[]): RefundItem[] {
  return numbers.flatMap((at) => items[at] ?? []);
}

/**
 * The outcomes of an operation's items: the known ones, and those that a search for the items with these indexes
 * showed.
 */
function withRest(
  known: { items: readonly ItemOutcome[]; refund_reference_ids: readonly string[] },
  numbers: readonly number[],
  rest: Match,
): Match {
  if (rest.kind !== 'found' && rest.kind !== 'absent') return rest;
  const items = [...known.items];
  for (const [nth, at] of numbers.entries()) items[at] = rest.items[nth] ?? 'unknown';
  return {
    kind: rest.kind,
    items,
    refund_reference_ids: [...known.refund_reference_ids, ...rest.refund_reference_ids],
  };
}

/**
 * Finds new refunds that no earlier search showed and no operation names. Each of several equal items needs its own
 * refund. If there was no search before the sending, only absence can be proved.
 */
function matchNew(
  operation: StoredOperation,
  items: readonly RefundItem[],
  records: readonly RefundRecord[],
  others: readonly StoredOperation[],
  codes: CodeBook,
): Match {
  const before = operation.lookup?.before;
  const known = new Set([...(before ?? []), ...namesOf(operation), ...others.flatMap(namesOf)]);
  const listed = ofPayments(items, records);
  const unknown = listed.filter((record) => !known.has(record.refund_reference_id ?? ''));
  if (!unknown.some((record) => items.some((item) => mayBe(item, record)))) {
    const ids = listed.flatMap(({ refund_reference_id }) => identifierIn(refund_reference_id) ?? []);
    return { kind: 'absent', items: items.map(() => 'unknown'), refund_reference_ids: [], others: ids };
  }
  const fresh = before && distinct(unknown);
  const since = operation.lookup?.asked_at ?? operation.created_at;
  const hiding = others.filter((other) => hidesRefunds(other, since, codes));
  if (hiding.some((other) => !knownItems(other))) return { kind: 'ambiguous', contested: true };
  if (!fresh || hiding.length > 0) return { kind: 'ambiguous' };
  const countOf = (of: readonly { transaction_id?: string | null }[], id: string): number =>
    of.filter(({ transaction_id }) => transaction_id === id).length;
  const isTooMany = items.some(({ transaction_id: id }) => countOf(fresh, id) > countOf(items, id));
  if (isTooMany) return { kind: 'ambiguous' };
  const match = matched(items, fresh, codes);
  // Refunds of one batch appear together, and a part of this batch may be a part of another one.
  const isShared = match.kind === 'absent' && others.some((other) => mayHave(other, match.refund_reference_ids, fresh));
  return isShared ? { kind: 'ambiguous', contested: true } : match;
}

/** Whether one of these refunds may belong to an operation that counts as not made. */
function mayHave(operation: StoredOperation, ids: readonly string[], fresh: readonly Fresh[]): boolean {
  const missing = missingItems(operation);
  const before = operation.lookup?.before ?? [];
  const later = fresh.filter(({ refund_reference_id: id }) => ids.includes(id) && !before.includes(id));
  return later.some((record) => missing.some((item) => mayBe(item, record)));
}

/** The records of the items' payments. A record that names no payment may belong to any payment. */
export function ofPayments(items: readonly RefundItem[], records: readonly RefundRecord[]): RefundRecord[] {
  const payments = new Set(items.map((item) => item.transaction_id));
  return records.filter(({ transaction_id }) => !transaction_id || payments.has(transaction_id));
}

/** Each refund once, even if a search lists it twice; undefined if two refunds cannot be distinguished. */
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
  // Items that match the same refunds are equal, so any assignment among them is right.
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
  const missing = items.filter((item) => !refundOf.has(item));
  const left = fresh.filter((record) => !taken.has(record));
  // A record that lacks some fields, or has another order number, may still belong to them.
  if (left.some((record) => missing.some((item) => mayBe(item, record)))) return { kind: 'ambiguous' };
  const outcomes = items.map((item) => {
    const refund = refundOf.get(item);
    return refund && statusOf(refund, codes);
  });
  if (outcomes.includes('unknown')) return { kind: 'undecided' };
  const found = items.flatMap((item) => refundOf.get(item) ?? []);
  return {
    kind: missing.length === 0 ? 'found' : 'absent',
    items: outcomes.map((outcome) => outcome ?? 'unknown'),
    refund_reference_ids: idsOf(found),
  };
}

/**
 * False if only some of several refunds failed and their items are not equal: the outcome of each item is then unclear.
 */
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

/** True for a record that may belong to the item; missing fields are no difference. */
function mayBe(item: RefundItem, record: RefundRecord): boolean {
  const { transaction_id, currency, refund_amount } = record;
  return (
    (!transaction_id || transaction_id === item.transaction_id) &&
    (!currency || currencyIn(currency) === item.currency) &&
    (!refund_amount || sameAmount(refund_amount, item.refund_amount))
  );
}

/** The outcome of a record by its refund_status. Records have no refund_message. */
function statusOf({ refund_status }: Fresh, { refund_status: listed }: CodeBook): ItemOutcome {
  if (listed.success.includes(refund_status ?? '')) return 'succeeded';
  return listed.failed.includes(refund_status ?? '') ? 'failed' : 'unknown';
}

function idsOf(records: readonly Fresh[]): string[] {
  return records.map(({ refund_reference_id }) => refund_reference_id);
}

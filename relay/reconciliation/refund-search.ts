import { operations } from '../../shared/gateway/operations.ts';
import { type RefundItem, type RefundRecord, refundSearchAnswer } from '../../shared/gateway/refund.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { whyUnsignable } from '../gateway/signing/signing-setting.ts';
import { unlistable } from '../gateway/wire-forms.ts';
import { refundItems } from '../payments/operations/counted-refunds.ts';
import { ofPayments } from '../payments/operations/match-refunds.ts';
import type { RefundLookup, StoredOperation } from '../payments/operations/operation.ts';
import { namesByItem, unnamedItems } from '../payments/operations/refund-names.ts';
import { type FailureCause, failureCause } from './content-fault.ts';

/** The names of a search: payments (order_no and transaction_id), or refund_reference_ids. */
export type SearchedBy = { list: 'refund_orders' | 'refund_references'; names: readonly string[] };

/**
 * The result of a refund search. An uncounted one proves nothing; by its `cause`, a smaller search may be answered. One that is not
 * `whole` does not prove absence: it has refunds of payments that were not searched for, so the gateway may write names differently.
 */
export type Searched =
  | { counted: true; records: RefundRecord[]; whole: boolean }
  | { counted: false; result: 'search_unanswered' | 'search_refused'; cause: FailureCause };

/** The maximum number of names in one search (§8); a batch of 50 refunds has no more. */
export const MAX_NAMES: number = operations.refund_search.lists.refund_orders;

/** The names of a search for an open refund. Undefined if none of them is permitted in a list (§4.6): then no search is possible. */
export function searchFor(operation: StoredOperation, separator: string): SearchedBy | undefined {
  const items = refundItems(operation.request);
  if (operation.state.status === 'answered' && unnamedItems(operation).length === 0) {
    const { state } = operation;
    const names = namesByItem(operation).flatMap((name, at) => (name && state.items[at] === 'unknown' ? [name] : []));
    if (names.every((name) => unlistable([name], separator) < 0)) return { list: 'refund_references', names };
  }
  const names = paymentNames(items, separator);
  return names && { list: 'refund_orders', names };
}

/**
 * The names of the refunds' payments for `refund_orders`. Both order_no and transaction_id are used: the spec does not say which one a
 * gateway reads there, and a refund need not name its order. Undefined if a payment has no name that is permitted in a list (§4.6).
 */
export function paymentNames(items: readonly RefundItem[], separator: string): string[] | undefined {
  const names = new Set<string>();
  for (const { order_no, transaction_id } of items) {
    const listable = [order_no, transaction_id].filter(
      (name) => name !== undefined && unlistable([name], separator) < 0,
    );
    if (listable.length === 0) return undefined;
    for (const name of listable) if (name !== undefined) names.add(name);
  }
  return unlistable([...names], separator) < 0 ? [...names] : undefined;
}

/**
 * Searches for refunds (§4.2). The answer counts only if it is signed as the profile requires, is a success, and is for this account.
 * Throws nothing.
 * @param by at most `MAX_NAMES` names
 * @param onceWithinMs limits the search to one try within this time
 */
export async function searchRefunds(
  context: Context,
  account: Account,
  { list, names }: SearchedBy,
  onceWithinMs?: number,
): Promise<Searched> {
  const { list_separator, codes, query_without_list } = context.config.gateway.profile;
  const answeredAt = context.lastAnswers.refund_search;
  const message = { [list]: names.join(list_separator) };
  // A timeout may be longer than the time for which an answer shows that the gateway is up.
  const begun = context.monotonic();
  const called = await context.call('refund_search', account, message, {}, onceWithinMs);
  if (called.kind !== 'answer') {
    const isRefusal = called.kind === 'refused' || called.kind === 'not_configured';
    const result = isRefusal ? 'search_refused' : 'search_unanswered';
    return { counted: false, result, cause: failureCause(called, answeredAt.get(account.id), begun) };
  }
  const answer = refundSearchAnswer.parse(called.message);
  const isOurs = answer.merchant_id === account.merchant_id && answer.account_id === account.account_id;
  if (!isOurs) return { counted: false, result: 'search_unanswered', cause: 'gateway' };
  if (!codes.return_status.success.includes(answer.return_status ?? '')) {
    return { counted: false, result: 'search_refused', cause: 'content' };
  }
  answeredAt.set(account.id, context.monotonic());
  const records = answer.refund_orders ?? (query_without_list === 'empty' ? [] : undefined);
  if (!records) {
    context.log.warn(
      { account: account.id },
      'a refund search was answered without refund_orders, so it does not count',
    );
    return { counted: false, result: 'search_unanswered', cause: 'gateway' };
  }
  const asked = new Set(names);
  const isAsked = ({ transaction_id, order_no, refund_reference_id }: RefundRecord): boolean =>
    [transaction_id, order_no, refund_reference_id].some((name) => asked.has(name ?? ''));
  return { counted: true, records, whole: records.every(isAsked) };
}

/**
 * The result of the search before a refund is sent: the refunds of its payments (`shown`), if the search counts, and the new refund's
 * `lookup`, if a search can name it.
 */
export type Before = {
  lookup?: RefundLookup;
  shown?: { records: readonly RefundRecord[]; whole: boolean };
};

/**
 * Searches for the refunds that a payment has before a new one is sent, so that later searches can distinguish them. If the gateway does
 * not answer within `resolve.search_ms`, searches can only prove that the new refund was not made.
 * @returns undefined if there are no refunds, or they cannot be sent
 */
export async function refundsBefore(
  context: Context,
  account: Account,
  items: readonly RefundItem[],
): Promise<Before | undefined> {
  const { signing, list_separator } = context.config.gateway.profile;
  if (items.length === 0 || whyUnsignable(signing, 'refund') !== undefined) return undefined;
  const names = paymentNames(items, list_separator);
  if (!names) return {};
  const blind: RefundLookup = { asked_at: context.now().toISOString(), looks: 0 };
  const { search_ms } = context.config.resolve;
  const searched = await searchRefunds(context, account, { list: 'refund_orders', names }, search_ms);
  if (!searched.counted) return { lookup: blind };
  const records = ofPayments(items, searched.records);
  const ids = records.map(({ refund_reference_id }) => refund_reference_id ?? '');
  // A refund without a name cannot be distinguished from a new one.
  const lookup = ids.includes('') ? blind : { ...blind, before: [...new Set(ids)] };
  return { lookup, shown: { records, whole: searched.whole } };
}

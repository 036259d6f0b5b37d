import { operations } from '../../shared/gateway/operations.ts';
import type { RefundItem } from '../../shared/gateway/refund.ts';
import { type RefundRecord, refundSearchAnswer } from '../../shared/gateway/refund-search.ts';
import type { Account } from '../config/load.ts';
import { unlistable } from '../gateway/list.ts';
import type { Context } from '../store/context.ts';

/** What a refund search told; or that the gateway did not answer, or did not take it, which proves nothing. */
export type Searched = { kind: 'found'; records: RefundRecord[] } | { kind: 'search_unanswered' | 'search_refused' };

/** The most names that one search may hold (§8); a batch of 50 refunds has no more. */
export const MOST_NAMES: number = operations.refund_search.lists.refund_orders;

/**
 * The names of the refunds' payments for `refund_orders`: the spec says neither whether a gateway reads order_no there or
 * transaction_id, nor must a refund name its order. Undefined when one of them cannot stand in a list (§4.6).
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
 * Asks the gateway for the refunds of payments (§4.2). Its answer counts only if it is signed as the profile asks for, is
 * a success, and is for this account. Throws nothing.
 * @param names at most `MOST_NAMES`
 * @param onceWithinMs leaves it at one try, and at so much time
 */
export async function searchRefunds(
  context: Context,
  account: Account,
  names: readonly string[],
  onceWithinMs?: number,
): Promise<Searched> {
  const { list_separator, codes } = context.config.gateway.profile;
  const message = { refund_orders: names.join(list_separator) };
  const called = await context.call('refund_search', account, message, {}, onceWithinMs);
  switch (called.kind) {
    case 'not_sent':
    case 'unusable':
      return { kind: 'search_unanswered' };
    case 'not_configured':
    case 'refused':
      return { kind: 'search_refused' };
    case 'answer': {
      const answer = refundSearchAnswer.parse(called.message);
      const isOurs = answer.merchant_id === account.merchant_id && answer.account_id === account.account_id;
      if (!isOurs) return { kind: 'search_unanswered' };
      if (!codes.return_status.success.includes(answer.return_status ?? '')) return { kind: 'search_refused' };
      return { kind: 'found', records: answer.refund_orders ?? [] };
    }
  }
}

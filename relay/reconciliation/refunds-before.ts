import type { RefundItem } from '../../shared/gateway/refund.ts';
import type { Account } from '../config/load.ts';
import { whyUnsignable } from '../gateway/signing/signing-setting.ts';
import { ofPayments } from '../payments/operations/match-refunds.ts';
import type { RefundLookup } from '../payments/operations/operation.ts';
import type { Context } from '../store/context.ts';
import { paymentNames, searchRefunds } from './refund-search.ts';

/** A shop waits for its refund, so the search before it gets no more time than this. */
const BEFORE_MS = 500;

/**
 * Asks, before a refund is sent, which refunds its payments have, so that a new one can be told from them.
 * @returns undefined where the gateway does not tell: the refund is sent all the same, and waits for a person should nobody
 *   know what became of it. Also undefined where there are no refunds, or they cannot be sent.
 */
export async function refundsBefore(
  context: Context,
  account: Account,
  items: readonly RefundItem[],
): Promise<RefundLookup | undefined> {
  const { signing, list_separator } = context.config.gateway.profile;
  if (items.length === 0 || whyUnsignable(signing, 'refund') !== undefined) return undefined;
  const names = paymentNames(items, list_separator);
  if (!names) return undefined;
  const asked_at = context.now().toISOString();
  const searched = await searchRefunds(context, account, { list: 'refund_orders', names }, BEFORE_MS);
  if (!searched.counted) return undefined;
  const ids = ofPayments(items, searched.records).map(({ refund_reference_id }) => refund_reference_id ?? '');
  // A refund without a name could not be told from a new one.
  return ids.includes('') ? undefined : { before: [...new Set(ids)], asked_at, looks: 0 };
}

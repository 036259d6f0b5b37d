import { type RefundItem, type RefundResult, refundResult } from '../../../shared/gateway/refund.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { CodeBook } from '../../gateway/profile.ts';
import { itemOutcome, listIn, resultsByItem } from './answered-state.ts';
import { refundItems } from './counted-refunds.ts';
import { isWatched, type StoredOperation } from './operation.ts';

/** The known refund_reference_ids of an operation. */
export function namesOf({ state }: StoredOperation): string[] {
  const answered =
    'answer' in state ? resultsIn(state.answer).flatMap(({ refund_reference_id }) => refund_reference_id || []) : [];
  const settlement = 'settlement' in state ? state.settlement : undefined;
  return settlement?.by === 'refund_search' ? [...answered, ...settlement.refund_reference_ids] : answered;
}

/**
 * The refund_reference_id of each item in the answer to a refund, in the order of the request; undefined if the answer
 * has none.
 */
export function namesByItem({ request, state }: StoredOperation): (string | undefined)[] {
  const items = listIn(request, 'refund_orders');
  if (state.status !== 'answered') return items.map(() => undefined);
  return resultsByItem(items, resultsIn(state.answer)).results.map(
    (result) => (result && refundResult.parse(result).refund_reference_id) || undefined,
  );
}

/** The indexes of the items of an answered refund that are unknown and have no refund_reference_id. */
export function unnamedItems(operation: StoredOperation): number[] {
  const { state } = operation;
  if (state.status !== 'answered') return [];
  const names = namesByItem(operation);
  return [...state.items.entries()].flatMap(([at, item]) => (item === 'unknown' && !names[at] ? [at] : []));
}

/** The items of a refund that count as not made because searches did not show them. */
export function missingItems(operation: StoredOperation): RefundItem[] {
  const { request, state } = operation;
  if (!isWatched(operation)) return [];
  const items = refundItems(request);
  if (state.status !== 'settled' || state.settlement.by !== 'refund_search') return items;
  return (state.settlement.absent ?? []).flatMap((at) => items[at] ?? []);
}

/**
 * True if the gateway's records since `since` (ISO 8601) may contain a refund of this operation without a known name:
 * the operation is in flight or unknown, or its answer has no refund_reference_id.
 */
export function hidesRefunds({ state, settled_at }: StoredOperation, since: string, codes: CodeBook): boolean {
  switch (state.status) {
    case 'in_flight':
    case 'unknown':
      return true;
    case 'refused':
      return state.reserved === true;
    case 'not_sent':
      return false;
    case 'answered':
    case 'settled':
      if (settled_at !== undefined && settled_at < since) return false;
      if (state.answer) {
        return resultsIn(state.answer).some(
          (result) => !result.refund_reference_id && itemOutcome(result, 'refund_status', codes) !== 'failed',
        );
      }
      return state.settlement?.by === 'person' && state.settlement.items.some((item) => item !== 'failed');
  }
}

function resultsIn(answer: Message | undefined): RefundResult[] {
  return listIn(answer, 'refund_orders').flatMap((result) => {
    const parsed = refundResult.safeParse(result);
    return parsed.success ? [parsed.data] : [];
  });
}

import { z } from 'zod';
import { refundResult } from '../../shared/gateway/refund.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { CodeBook } from '../gateway/profile.ts';
import type { Operation } from './operation.ts';
import { itemOutcome } from './operation-outcome.ts';

/** The refund_reference_ids that are known to be an operation's own. */
export function namesOf({ state }: Operation): string[] {
  const told =
    'answer' in state ? resultsIn(state.answer).flatMap(({ refund_reference_id }) => refund_reference_id || []) : [];
  const settlement = 'settlement' in state ? state.settlement : undefined;
  return settlement?.by === 'refund_search' ? [...told, ...settlement.refund_reference_ids] : told;
}

/**
 * True when a refund of this operation that nobody can name may have come to the gateway's books since `since` (ISO
 * 8601): it is under way or unknown, or what it did has no refund_reference_id.
 */
export function hidesRefunds({ state, settled_at }: Operation, since: string, codes: CodeBook): boolean {
  switch (state.status) {
    case 'in_flight':
    case 'unknown':
      return true;
    case 'refused':
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

const results = z.object({ refund_orders: z.array(refundResult) });

function resultsIn(answer: Message | undefined) {
  const parsed = results.safeParse(answer);
  return parsed.success ? parsed.data.refund_orders : [];
}

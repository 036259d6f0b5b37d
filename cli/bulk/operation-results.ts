import type { OperationAnswer } from '../../client/index.ts';
import { type BatchLayout, hasSameValues, valuesOf } from './file/layout.ts';
import { type ItemResult, ofEarlierRequest, ofOtherValues } from './journal/item-result.ts';
import type { ChunkRecord } from './journal/records.ts';

/** The maximum length of the gateway's message in a result. */
const MAX_MESSAGE = 500;

/**
 * The results of a chunk's items in an operation of the relay, in the order of the chunk. Undefined for an item that the operation does
 * not have.
 * @param isOwnRequest true if the chunk was sent as this operation; false if an earlier operation has its items
 */
export function itemResultsOf(
  operation: OperationAnswer,
  chunk: ChunkRecord,
  layout: BatchLayout,
  isOwnRequest: boolean,
): (ItemResult | undefined)[] {
  const places = new Map((operation.references ?? []).map((reference, at) => [reference, at]));
  return chunk.references.map((reference, index) => {
    const at = places.get(reference);
    if (at === undefined) return undefined;
    const result = itemResultAt(operation, at, layout);
    const requested = itemsIn(operation.request, layout)[at];
    if (requested && !hasSameValues(requested, chunk.items[index] ?? {})) {
      return ofOtherValues(result, operation.created_at, valuesOf(requested, layout));
    }
    return isOwnRequest ? result : ofEarlierRequest(result, operation.created_at);
  });
}

/** Whether the outcome may be known soon: the relay is sending the operation, or still queries the gateway about it. */
export function isStillQueried({ status, unknown }: OperationAnswer): boolean {
  return status === 'in_flight' || unknown?.next_query_at !== undefined;
}

/** The result of the item at one place of an operation. */
function itemResultAt(operation: OperationAnswer, at: number, layout: BatchLayout): ItemResult {
  const { status, items, unknown, evidence } = operation;
  switch (status) {
    case 'answered':
    case 'settled': {
      const outcome = items?.[at] ?? 'unknown';
      return own(outcome, outcome === 'succeeded' ? '' : gatewayWords(operation, at, layout));
    }
    case 'refused': {
      const http = evidence?.http_status;
      const message = `the gateway refused the batch${http === undefined ? '' : ` (HTTP ${http})`}`;
      return own(unknown ? 'unknown' : 'refused', message);
    }
    case 'not_sent':
      return own('refused', 'nothing was sent');
    case 'in_flight':
      return own('unknown', 'is still being sent');
    case 'unknown':
      return own('unknown', unknown?.reason ?? '');
  }
}

function own(outcome: ItemResult['outcome'], message: string): ItemResult {
  return { outcome, message: message.slice(0, MAX_MESSAGE), from: 'own_request' };
}

/** The gateway's message about an item: that of the result at its index if it has the same transaction, or that of the whole answer. */
function gatewayWords({ answer, request }: OperationAnswer, at: number, layout: BatchLayout): string {
  const result = itemsIn(answer ?? {}, layout)[at];
  const requested = itemsIn(request, layout)[at];
  if (result && result.transaction_id === requested?.transaction_id) {
    const words = result.refund_message ?? result.error_message;
    if (typeof words === 'string' && words !== '') return words;
  }
  const whole = answer?.return_message;
  return typeof whole === 'string' ? whole : '';
}

function itemsIn(body: Readonly<Record<string, unknown>>, { list }: BatchLayout): Record<string, unknown>[] {
  const items = body[list];
  return Array.isArray(items) ? items.map((one: unknown) => ({ ...Object(one) })) : [];
}

import type { OperationAnswer } from '../../client/index.ts';
import { sameAmount } from '../../shared/gateway/amounts.ts';
import type { AnswerRecord, ChunkRecord } from './journal-records.ts';
import type { Item, Layout } from './layout.ts';

/** What became of one item. */
export type ItemResult = AnswerRecord['items'][number];

const MAX_MESSAGE = 500;

/** How the message begins of what this journal's run did not do. */
export const DONE_BEFORE = 'done by an earlier request,';

/** How the message begins of a row whose reference stands for something else: what the row asks for was not done. */
export const OTHER_VALUES = 'not with these values: its reference was used with';

/**
 * What an operation tells of each item of a chunk, in the chunk's order; undefined for an item that the operation does not have.
 * @param isOwn whether the chunk was sent as this operation; another one had its items before
 */
export function itemResultsOf(
  operation: OperationAnswer,
  chunk: ChunkRecord,
  layout: Layout,
  isOwn: boolean,
): (ItemResult | undefined)[] {
  const places = new Map((operation.references ?? []).map((reference, at) => [reference, at]));
  return chunk.references.map((reference, index) => {
    const at = places.get(reference);
    if (at === undefined) return undefined;
    const itemResult = itemResultAt(operation, at, layout);
    const sent = itemsIn(operation.request, layout)[at];
    const isOther = sent !== undefined && !isAlike(sent, chunk.items[index] ?? {});
    if (isOwn && !isOther) return itemResult;
    const notes = [
      isOther ? `${OTHER_VALUES} ${valuesOf(sent, layout)}` : '',
      `${DONE_BEFORE} of ${operation.created_at}`,
      itemResult.message ?? '',
    ];
    return { ...itemResult, message: notes.filter((note) => note !== '').join('; ') };
  });
}

/** True where the gateway is still being asked, so that more may be known soon. */
export function isBeingFoundOut({ status, unknown }: OperationAnswer): boolean {
  return status === 'in_flight' || unknown?.next_query_at !== undefined;
}

function itemResultAt(operation: OperationAnswer, at: number, layout: Layout): ItemResult {
  const { status, items, unknown, evidence } = operation;
  switch (status) {
    case 'answered':
    case 'settled': {
      const outcome = items?.[at] ?? 'unknown';
      return { outcome, ...message(outcome === 'succeeded' ? '' : messageAt(operation, at, layout)) };
    }
    case 'refused': {
      const http = evidence?.http_status;
      const told = `the gateway refused the batch${http === undefined ? '' : ` (HTTP ${http})`}`;
      return unknown ? { outcome: 'unknown', message: told } : { outcome: 'refused', message: told };
    }
    case 'not_sent':
      return { outcome: 'refused', message: 'nothing was sent' };
    case 'in_flight':
      return { outcome: 'unknown', message: 'is still being sent' };
    case 'unknown':
      return { outcome: 'unknown', ...message(unknown?.reason ?? '') };
  }
}

/** What the gateway says of an item, in its own words: of the result at the item's place, where that is about its transaction. */
function messageAt({ answer, request }: OperationAnswer, at: number, layout: Layout): string {
  const result = itemsIn(answer ?? {}, layout)[at];
  const sent = itemsIn(request, layout)[at];
  if (result && result.transaction_id === sent?.transaction_id) {
    const said = result.refund_message ?? result.error_message;
    if (typeof said === 'string' && said !== '') return said;
  }
  const whole = answer?.return_message;
  return typeof whole === 'string' ? whole : '';
}

function message(text: string): { message?: string } {
  return text === '' ? {} : { message: text.slice(0, MAX_MESSAGE) };
}

function itemsIn(body: Readonly<Record<string, unknown>>, { list }: Layout): Record<string, unknown>[] {
  const items = body[list];
  return Array.isArray(items) ? items.map((one: unknown) => ({ ...Object(one) })) : [];
}

/** What an item moves, for people. */
export function valuesOf(item: Readonly<Record<string, unknown>>, { amount }: Layout): string {
  return [item[amount], item.currency, 'of', item.transaction_id].filter((word) => typeof word === 'string').join(' ');
}

/** Whether two items move the same money of the same payment. */
export function isAlike(left: Readonly<Record<string, unknown>>, right: Item): boolean {
  return ['transaction_id', 'currency', 'amount', 'refund_amount', 'review_flag'].every((field) => {
    const [a, b] = [left[field], right[field]];
    if (a === b) return true;
    return field.endsWith('amount') && typeof a === 'string' && b !== undefined && sameAmount(a, b);
  });
}

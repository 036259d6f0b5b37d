import { type Answered, type Client, type OrderWithTimeline, RelayRefused } from '../../../client/index.ts';
import { settlePayment } from '../../../shared/api/order-payment.ts';
import { settleSession } from '../../../shared/api/session.ts';
import type { Item } from '../file/layout.ts';
import type { ChunkRecord } from '../journal/records.ts';
import { bodyOf, isOfPayment, SESSION } from './layout.ts';

/** A decision that the relay has: since when, and whether it had it before this request. */
export type Settled = { at: string; isReplayed: boolean };

/** Tells the relay one decision. Rejects as the client does, also where something else was decided before. */
export async function settle({ key, items: [item = {}] }: ChunkRecord, client: Client): Promise<Settled> {
  try {
    const { answer, replayed } = await post(item, client, key);
    return { at: answer.settled?.at ?? '', isReplayed: replayed };
  } catch (error) {
    const earlier = isDecided(error) ? earlierOf(await client.orders.get(item.order_no ?? ''), item) : undefined;
    if (earlier === undefined) throw error;
    return { at: earlier, isReplayed: true };
  }
}

function post(
  item: Item,
  client: Client,
  idempotencyKey: string,
): Promise<Answered<{ settled?: { at: string } | undefined }>> {
  const { decision, transaction_id = '', [SESSION]: session = '' } = item;
  const body = bodyOf(item);
  return isOfPayment(decision)
    ? client.payments.settle(transaction_id, settlePayment.parse(body), { idempotencyKey }).withMeta()
    : client.sessions.settle(session, settleSession.parse(body), { idempotencyKey }).withMeta();
}

function isDecided(error: unknown): boolean {
  return error instanceof RelayRefused && error.code === 'session_not_unsettled';
}

/** When the same was decided before: by a journal that was lost, or another file. */
function earlierOf({ sessions }: OrderWithTimeline, item: Item): string | undefined {
  const { settled } = sessions.find(({ id }) => id === item[SESSION]) ?? {};
  const { decision, note, transaction_id } = item;
  const isSame = settled?.outcome === decision && settled?.note === note && settled?.transaction_id === transaction_id;
  return isSame ? settled?.at : undefined;
}

/** What the relay says of one decision: the row is refused, the others are not concerned. */
const OF_ROW = new Set([
  ...['invalid_request', 'not_found', 'session_not_unsettled', 'transaction_known', 'transaction_id_form'],
  ...['body_too_large'],
]);

/** Why the relay refused a row; undefined for an error that is not about the row. */
export function rowRefusal(error: unknown): string | undefined {
  if (!(error instanceof RelayRefused) || !OF_ROW.has(error.code)) return undefined;
  const faults = error.errors.map(({ path, message }) => `${path}${path && ': '}${message}`);
  return faults.join('; ') || error.detail || error.title;
}

import type { NoteOrder, OrderNoteAnswer } from '../../shared/api/order-note.ts';
import { holdsCard } from '../../shared/card-data/mask.ts';
import { invalidFields } from '../base/errors.ts';
import { type Context, ownOrder } from '../context/context.ts';
import { jsonReply, type Reply, type Use } from '../http/idempotency/idempotency.ts';
import type { OrderNote } from '../store/facets/notes.ts';

/** A note as answers have it. */
export function noteAnswer({ id, at, by, note }: OrderNote): OrderNoteAnswer {
  return { id, at, by, note };
}

/** Adds a person's note to an order. Throws ProblemError `not_found` and `invalid_request`, and StoreError. */
export async function noteOrder(context: Context, use: Use, orderNo: string, { note }: NoteOrder): Promise<Reply> {
  const { account, by, audit } = use;
  const { order_no } = await ownOrder(context, account, orderNo);
  if (holdsCard(note)) {
    const errors = [{ path: 'note', message: 'must not hold a card number' }];
    throw invalidFields(errors);
  }
  const now = context.now();
  const entry = { id: context.newId('nt'), at: now.toISOString(), by, note };
  const reply = jsonReply(201, entry);
  const about = audit.entry({ action: 'order.note', orders: [order_no] });
  await context.store.notes.add({ account: account.id, order_no, ...entry }, about, use.answered(reply));
  audit.written();
  return reply;
}

import { updateOrder } from '../commit/commit.ts';
import type { Context } from '../context/context.ts';
import { type StoredOrder, sessionOf } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { checkOpen } from './conflicts.ts';

/**
 * Removes a saved card for the shopper: the session no longer offers it, and the shop gets `saved_card.removed`. A card
 * that the session does not offer changes nothing. Throws ProblemError if the session is not open, and StoreError.
 */
export function removeSavedCard(context: Context, { id, ...key }: Session, tokenId: string): Promise<StoredOrder> {
  return updateOrder(context, key, (order) => {
    const session = sessionOf(order, id);
    checkOpen(session, context.now());
    const { terms } = session;
    const saved_card = terms.saved_cards.find(({ token_id }) => token_id === tokenId);
    if (!saved_card) return undefined;
    const saved_cards = terms.saved_cards.filter((card) => card !== saved_card);
    const sessions = order.sessions.map((one) =>
      one === session ? { ...session, terms: { ...terms, saved_cards } } : one,
    );
    return { order: { ...order, sessions }, events: [{ type: 'saved_card.removed', session_id: id, saved_card }] };
  });
}

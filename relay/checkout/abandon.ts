import { ProblemError } from '../base/errors.ts';
import { rulesOf } from '../config/rules.ts';
import type { Order } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { abandonPending } from '../payments/session-steps.ts';
import type { Context } from '../store/context.ts';
import { updateOrder } from '../webhooks/commit.ts';

/** The shopper gives up what is pending and chooses another way. Repeating it changes nothing. Throws ProblemError. */
export async function abandon(context: Context, session: Session): Promise<Order> {
  return updateOrder(context, session, (order) => {
    const abandoned = abandonPending(order, context.now(), rulesOf(context.config));
    switch (abandoned.kind) {
      case 'abandoned':
        return abandoned.decision;
      case 'not_pending':
        return undefined;
      case 'cannot_abandon':
        throw new ProblemError(
          'cannot_abandon',
          'This payment completes by itself. Get the session until it is known.',
        );
    }
  });
}

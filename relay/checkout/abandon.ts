import { ProblemError } from '../base/errors.ts';
import { rulesOf } from '../config/rules.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { Order } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { abandonAwaited, canAbandon, shopperReturned } from '../payments/session-steps.ts';
import { reconcileOrder } from '../reconciliation/reconcile.ts';
import type { Context } from '../store/context.ts';
import { updateOrder } from '../webhooks/commit.ts';

/**
 * The shopper gives up what is pending or at an issuer's page, and chooses another way. They say that they are back from
 * that page: the gateway is asked first, and what it knows decides. Repeating it changes nothing. Throws ProblemError.
 */
export async function abandon(context: Context, session: Session): Promise<Order> {
  const order = await updateOrder(context, session, (before) =>
    canAbandon(before) ? shopperReturned(before, context.now(), rulesOf(context.config)) : undefined,
  );
  const asked = canAbandon(order) ? order.attempts.filter(isAtIssuer).map(({ id }) => id) : [];
  if (asked.length > 0) {
    const { counted } = await reconcileOrder(context, order);
    if (!counted) {
      throw new ProblemError('gateway_unreachable', 'The gateway cannot be asked about this payment. Try again.');
    }
  }
  return updateOrder(context, session, (before) => {
    // The answer to a payment may have come since: then the gateway was not asked about it.
    const isAsked = before.attempts.filter(isAtIssuer).every(({ id }) => asked.includes(id));
    const abandoned = isAsked
      ? abandonAwaited(before, context.now(), rulesOf(context.config))
      : ({ kind: 'cannot_abandon' } as const);
    switch (abandoned.kind) {
      case 'abandoned':
        return abandoned.decision;
      case 'not_awaited':
        return undefined;
      case 'cannot_abandon':
        throw new ProblemError(
          'cannot_abandon',
          'This payment completes by itself. Get the session until it is known.',
        );
    }
  });
}

function isAtIssuer({ state }: Attempt): boolean {
  return state.status === 'redirected';
}

import type * as right from '../../../../relay/checkout/return.ts';
import { updateOrder } from '../../../../relay/commit/commit.ts';
import { rulesOf } from '../../../../relay/config/rules.ts';
import { abandonAwaited } from '../../../../relay/payments/session-steps.ts';

export * from '../../../../relay/checkout/return.ts';

/** Wrong: a payment at the issuer's page is abandoned without a query. */
export const abandon: typeof right.abandon = (context, session) =>
  updateOrder(context, session, (before) => {
    const abandoned = abandonAwaited(before, context.now(), rulesOf(context.config));
    return abandoned.kind === 'abandoned' ? abandoned.decision : undefined;
  });

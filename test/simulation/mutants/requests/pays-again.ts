import { ProblemError } from '../../../../relay/base/errors.ts';
import * as right from '../../../../relay/checkout/pay.ts';
import { sessionOf } from '../../../../relay/payments/order.ts';

export * from '../../../../relay/checkout/pay.ts';

const kind = new URL(import.meta.url).search.slice(1);

/** Wrong with `ended`: a shop's server pays without a query that began after the answer to a payment that began meanwhile. */
export const hasOther: typeof right.hasOther = kind === 'ended' ? () => false : right.hasOther;

/** Wrong without: a request pays although another payment of its order was sent after the request began. */
export const pay: typeof right.pay =
  kind === 'ended'
    ? right.pay
    : async (context, request) => {
        try {
          return await right.pay(context, request);
        } catch (error) {
          if (!(error instanceof ProblemError) || error.code !== 'attempt_in_flight') throw error;
          const order = await context.store.orders.get(request.order.account, request.order.order_no);
          return right.pay(context, { ...request, order, session: sessionOf(order, request.session.id) });
        }
      };

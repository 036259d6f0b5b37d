import { operations } from '../../../shared/gateway/operations.ts';
import type { Account } from '../base/merchant.ts';
import type { Contracts } from '../books/contracts.ts';
import type { Payments } from '../books/payments.ts';
import type { Refunds } from '../books/refunds.ts';
import {
  answerBatch,
  approvedPayment,
  checkOriginalAmount,
  echoOf,
  type Item,
  ItemRefused,
  whyRefused,
} from './batch.ts';
import { type Handler, handler } from './handler.ts';

type Surroundings = { payments: Payments; refunds: Refunds; contracts: Contracts };

const limit = operations.cancel.lists.cancel_orders;

/** §2.6: cancels authorised payments of which nothing was captured, and the subscriptions that they began. */
export function cancel(surroundings: Surroundings): Handler {
  return handler(operations.cancel.request, (request) =>
    answerBatch(request, { list: 'cancel_orders', limit, items: request.cancel_orders }, (item) => {
      const refusal = whyRefused(() => cancelItem(item, request, surroundings));
      return {
        ...echoOf(item, request, surroundings.payments),
        cancel_status: refusal ? '0' : '1',
        error_message: refusal?.message ?? '',
      };
    }),
  );
}

function cancelItem(item: Item, account: Account, { payments, refunds, contracts }: Surroundings): void {
  const { payment, state } = approvedPayment(item, account, payments);
  if (refunds.of(payment).length > 0) throw new ItemRefused('V0011');
  if (state.captured !== undefined) throw new ItemRefused('V0010');
  checkOriginalAmount(item, payment);
  contracts.endWith(payment);
  payments.change(payment, { state: { status: 'cancelled', reason: 'Cancelled by the merchant' } });
}

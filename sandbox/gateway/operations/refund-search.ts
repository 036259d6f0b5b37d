import { operations } from '../../../shared/gateway/operations.ts';
import type { RefundSearchRequest } from '../../../shared/gateway/refund.ts';
import { overLimit, split } from '../base/filters.ts';
import { type Refund, type Refunds, refundRecord } from '../books/refunds.ts';
import { type Handler, handler } from './handler.ts';

const { lists } = operations.refund_search;

/**
 * §4.2: tells the refunds that the gateway accepted for the asking account. `refund_orders` names orders by order_no or
 * transaction_id, `refund_references` refunds by refund_reference_id, and `merchant_refunds` by refund_reference, or by
 * refund_reference_id where there is none, which here is always. At least one must be given, and all that are must hold.
 */
export function refundSearch({ refunds }: { refunds: Refunds }): Handler {
  return handler(operations.refund_search.request, (request) => {
    const { merchant_id, account_id } = request;
    const refusal = unanswerable(request);
    const found = refusal === undefined ? refunds.list().filter((refund) => asked(refund, request)) : [];
    return {
      fields: {
        merchant_id,
        account_id,
        return_status: refusal === undefined ? '1' : '0',
        return_message: refusal ?? 'OK',
        refund_orders: found.map(refundRecord),
      },
    };
  });
}

function unanswerable(request: RefundSearchRequest): string | undefined {
  const { refund_orders, refund_references, merchant_refunds } = request;
  if (!refund_orders && !refund_references && !merchant_refunds) {
    return 'Give refund_orders, refund_references or merchant_refunds';
  }
  return overLimit(request, lists);
}

function asked({ payment, refund_reference_id }: Refund, request: RefundSearchRequest): boolean {
  const { merchant_id, account_id, transaction_id, order } = payment;
  const names = (list: string | undefined, ...any: string[]) => !list || split(list).some((name) => any.includes(name));
  return (
    merchant_id === request.merchant_id &&
    account_id === request.account_id &&
    names(request.refund_orders, order.order_no, transaction_id) &&
    names(request.refund_references, refund_reference_id) &&
    names(request.merchant_refunds, refund_reference_id)
  );
}

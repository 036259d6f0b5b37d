import { toMinor } from '../../../shared/gateway/amounts.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import type { RefundItem, RefundSearchRequest } from '../../../shared/gateway/refund.ts';
import type { Account } from '../base/ids.ts';
import { overLimit, split } from '../base/wire.ts';
import type { Payment } from '../books/payments.ts';
import { notifyRefund, type Refund, refundRecord } from '../books/refunds.ts';
import {
  approvedPayment,
  batchHandler,
  checkOriginalAmount,
  echoOf,
  type Handler,
  handler,
  ItemRefused,
  listAnswer,
  type Parts,
  tried,
} from './handler.ts';

/**
 * §2.5: refunds payments, in parts until nothing is left. An authorised payment is captured first, unless it is
 * captured by hand. Equal refunds are different refunds. A refund is processed at once unless the fault
 * `refund_pending` is requested.
 */
export function refund(parts: Parts): Handler {
  return batchHandler(
    operations.refund,
    ({ refund_orders }) => refund_orders,
    (item, account, { faults }) => {
      const booked = tried(() => refundItem(item, account, parts, !faults.has('refund_pending')));
      const refused = booked instanceof ItemRefused;
      return {
        ...echoOf(item, account, parts.books.payments),
        refund_amount: item.refund_amount,
        refund_reason: item.refund_reason ?? '',
        refund_reference: '',
        refund_reference_id: refused ? '' : booked.refund_reference_id,
        refund_status: refused ? '0' : '1',
        refund_message: refused ? `${booked.code}:${booked.message}` : 'V0000:OK',
      };
    },
  );
}

function refundItem(item: RefundItem, account: Account, parts: Parts, processed: boolean): Refund {
  const { payment } = approvedPayment(item, account, parts.books.payments);
  checkOriginalAmount(item, payment);
  const { refund_amount, refund_reason = '' } = item;
  return refundPayment(payment, { refund_amount, refund_reason, processed }, parts);
}

type Asked = Pick<Refund, 'refund_amount' | 'refund_reason'> & { processed: boolean };

/** Refunds a part of an approved payment, or the rest. Throws ItemRefused. */
export function refundPayment(payment: Payment, asked: Asked, { books, clock, notifier }: Parts): Refund {
  const { payments, refunds, statusOf } = books;
  const { refund_amount, refund_reason, processed } = asked;
  const { state, order } = payment;
  if (payment.review === 'held') throw new ItemRefused('V0007');
  const amount = toMinor(refund_amount, order.currency);
  if (amount === 0n) throw new ItemRefused('V0008');
  if (state.status !== 'approved' || amount > toMinor(refunds.left(payment), order.currency)) {
    throw new ItemRefused('V0009');
  }
  if (state.captured === undefined) payments.change(payment, { state: { ...state, captured: order.amount } });
  const at = clock.now();
  const booked = refunds.add({ payment, refund_amount, refund_reason, at, ...(processed && { processedAt: at }) });
  notifyRefund(notifier.notify, booked, statusOf);
  return booked;
}

const { lists } = operations.refund_search;

/**
 * §4.2: returns the accepted refunds of the account. `refund_orders` names orders by order_no or transaction_id,
 * `refund_references` refunds by refund_reference_id, and `merchant_refunds` by refund_reference, or by
 * refund_reference_id if there is none, which is always the case here. At least one list must be given, and a refund
 * must match all given lists.
 */
export function refundSearch({ books: { refunds, statusOf } }: Parts): Handler {
  return handler(operations.refund_search.request, (request) =>
    listAnswer(request, 'refund_orders', unanswerable(request), () =>
      refunds
        .list()
        .filter((refund) => asked(refund, request))
        .map((refund) => refundRecord(refund, statusOf)),
    ),
  );
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

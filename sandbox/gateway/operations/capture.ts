import { toMinor } from '../../../shared/gateway/amounts.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import type { Account } from '../base/merchant.ts';
import type { Payments } from '../books/payments.ts';
import { answerBatch, approvedPayment, echoOf, type Item, ItemRefused, whyRefused } from './batch.ts';
import { type Handler, handler } from './handler.ts';

const limit = operations.capture.lists.capture_orders;

/** §2.6: captures authorised payments, each once, with the whole authorised amount or less. */
export function capture({ payments }: { payments: Payments }): Handler {
  return handler(operations.capture.request, (request) =>
    answerBatch(request, { list: 'capture_orders', limit, items: request.capture_orders }, (item) => {
      const refusal = whyRefused(() => captureItem(item, request, payments));
      return {
        ...echoOf(item, request, payments),
        capture_status: refusal ? '0' : '1',
        error_message: refusal?.message ?? '',
      };
    }),
  );
}

function captureItem(item: Item, account: Account, payments: Payments): void {
  const { payment, state } = approvedPayment(item, account, payments);
  if (state.captured !== undefined) throw new ItemRefused('V0010');
  if (payment.review === 'held') throw new ItemRefused('V0007');
  const amount = toMinor(item.amount, item.currency);
  if (amount === 0n) throw new ItemRefused('V0012');
  if (amount > toMinor(payment.order.amount, item.currency)) throw new ItemRefused('V0013');
  payments.change(payment, { state: { status: 'approved', captured: item.amount } });
}

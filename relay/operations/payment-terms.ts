import type { EffectName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { Context } from '../context/context.ts';
import { type CaptureMode, captureMode, methodOf } from '../payments/ledger/ledger.ts';
import { recentRefusals } from '../payments/ledger/payment-operation.ts';
import type { PaymentTerms } from '../payments/ledger/reservations.ts';
import { itemsOf } from '../payments/operations/operation.ts';

/** How the payments of an operation’s items are captured, which reviews reject one, and which refusals count. Throws StoreError. */
export async function paymentTerms(
  { store, config, now }: Context,
  account: string,
  name: EffectName,
  request: Message,
): Promise<PaymentTerms> {
  const { capture, codes } = config.gateway.profile;
  const terms = {
    rejects: codes.review_flag.reject,
    refused: recentRefusals(now(), config.resolve.absent_ms),
  };
  // Of most gateways the capture is not configured, and nothing is read.
  if (Object.keys(capture).length === 0) return { captureOf: () => 'unknown', ...terms };
  const ids = itemsOf({ name, request }).map(({ transaction_id }) => String(transaction_id));
  const paid = await store.operations.ordersPaidBy(account, [...new Set(ids)]);
  const orders = await store.orders.getMany(account, [...new Set(paid)]);
  const modes = new Map(
    orders.flatMap((order) =>
      order.payments.map((payment): [string, CaptureMode] => [
        payment.transaction_id,
        captureMode(capture, methodOf(order, payment)),
      ]),
    ),
  );
  return { captureOf: (id) => modes.get(id) ?? 'unknown', ...terms };
}

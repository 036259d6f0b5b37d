import type { EffectName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { captureMode, methodOf } from '../payments/ledger/ledger.ts';
import { recentRefusals } from '../payments/ledger/payment-operation.ts';
import type { PaymentTerms } from '../payments/ledger/reservations.ts';
import { recordOf } from '../payments/ledger/standing.ts';
import { itemsOf } from '../payments/operations/operation.ts';

/**
 * For the payments of an operation's items: how they are captured, their records, the reviews that reject a payment,
 * and the refusals that still count. Throws StoreError.
 */
export async function paymentTerms(
  { store, config, now }: Context,
  account: string,
  name: EffectName,
  request: Message,
): Promise<PaymentTerms> {
  const rules = rulesOf(config);
  const items = name === 'payout' || name === 'subscription_cancel' ? [] : itemsOf({ name, request });
  const ids = [...new Set(items.map(({ transaction_id }) => String(transaction_id)))];
  const paid = ids.length === 0 ? [] : await store.operations.ordersPaidBy(account, ids);
  const orders = await store.orders.getMany(account, [...new Set(paid)]);
  const payments = new Map(
    orders.flatMap((order) =>
      order.payments.map((payment) => [
        payment.transaction_id,
        { capture: captureMode(rules.capture, methodOf(order, payment)), record: recordOf(payment, rules) },
      ]),
    ),
  );
  return {
    of: (id) => payments.get(id) ?? { capture: 'unknown' },
    rejects: rules.rejects,
    refused: recentRefusals(now(), config.resolve.absent_ms),
  };
}

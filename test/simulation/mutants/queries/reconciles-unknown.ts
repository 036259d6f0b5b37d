import { ownOrder } from '../../../../relay/context/context.ts';
import * as right from '../../../../relay/orders/reconcile-now.ts';
import { applyCharges } from '../../../../relay/reconciliation/reconcile.ts';

/** Wrong: what was asked about as unknown is not asked about again, though a payment of it began meanwhile. */
export const reconcileNow: typeof right.reconcileNow = async (context, account, orderNo) => {
  const { sessions, payments } = await context.store.orders.get(account.id, orderNo);
  if (sessions.length > 0 || payments.length > 0) return right.reconcileNow(context, account, orderNo);
  await applyCharges(context, account, orderNo);
  return ownOrder(context, account, orderNo);
};

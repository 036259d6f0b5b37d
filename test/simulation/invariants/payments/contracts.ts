import { type ContractCharge, isRenewal } from '../../../../relay/payments/order.ts';
import type { Transaction } from '../../world/gateway/books.ts';
import { storedOrder } from '../../world/orders.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';
import { isHeldByClock } from '../held-by-clock.ts';

/**
 * A later charge of a contract is a separate payment: it neither pays nor holds its first order. The shop gets one
 * webhook for each proved charge. The relay knows the contract of each payment.
 */
export function watchContracts(scene: Scene): { finalBreaches(): Promise<Breach[]> } {
  const { world, gateway, store, shop, orders, onWritten, approvedByPerson } = scene;
  const invariant = 'later charges pay nothing';
  const charges = new Map<string, ContractCharge & { account: string }>();
  const laterCharge = (id: unknown): Transaction | undefined =>
    gateway.books.transactions.find(
      (one) => one.id === id && one.laterOf !== undefined && !approvedByPerson.has(one.id),
    );
  onWritten.push((before, after) => {
    for (const one of after.charges ?? []) charges.set(one.transaction_id, { ...one, account: after.account });
    if (after.payments === before.payments && after.undecided === before.undecided) return;
    const holding = isHeldByClock(scene, after) ? [] : (after.undecided?.records ?? []);
    for (const { transaction_id } of [...after.payments.filter((one) => !isRenewal(one)), ...holding]) {
      const one = laterCharge(transaction_id);
      if (one) world.breach(invariant, `${one.id} of ${after.order_no} is a later charge of ${one.laterOf}`);
    }
    for (const { transaction_id } of after.payments.filter(isRenewal)) {
      if (gateway.books.transactions.find(({ id }) => id === transaction_id)?.laterOf === undefined)
        world.breach(invariant, `${transaction_id} of ${after.order_no} is no later charge`);
    }
  });
  shop.onReceived(({ type, data }) => {
    const named = [data.transaction_ids, data.paid_twice].flat();
    const one = type.startsWith('session.') ? named.map(laterCharge).find((found) => found !== undefined) : undefined;
    if (one) world.breach(invariant, `${type} names ${one.id}, which is a later charge of ${one.laterOf}`);
  });
  return {
    async finalBreaches() {
      const reported = shop.received.flatMap(({ type, data }) =>
        type === 'subscription.charged' ? [idIn(data.payment)] : [],
      );
      const found: Breach[] = [];
      for (const [id, { account, order_no }] of charges) {
        const times = reported.filter((one) => one === id).length;
        const { payments } = await store.orders.get(account, order_no);
        const isPayment = payments.some((one) => one.transaction_id === id && isRenewal(one));
        const detail = `${id} is charged later for ${order_no}, is a payment: ${isPayment}, and ${times} webhooks reported it`;
        if (times !== 1 || !isPayment) found.push({ invariant: 'every later charge is reported', detail });
      }
      for (const orderNo of orders) {
        const { payments, sessions } = await storedOrder(store, orderNo);
        for (const { transaction_id, recurring_id } of payments) {
          const paying = sessions.find(
            ({ state }) => state.status === 'approved' && state.transaction_id === transaction_id,
          );
          const known = paying?.state.status === 'approved' ? paying.state.recurring_id : recurring_id;
          if (known !== recurring_id)
            found.push({
              invariant,
              detail: `${paying?.id} does not know the contract ${recurring_id} of ${transaction_id}`,
            });
        }
      }
      return found;
    },
  };
}

function idIn(payment: unknown): unknown {
  return typeof payment === 'object' && payment !== null && 'transaction_id' in payment
    ? payment.transaction_id
    : undefined;
}

import { itemsOf } from '../../../../relay/payments/operations/operation.ts';
import type { OrderDetail } from '../../../../shared/api/order.ts';
import { toMinor } from '../../../../shared/gateway/amounts.ts';
import { answered } from '../../world/answered.ts';
import { REJECTING } from '../../world/config.ts';
import type { Execution } from '../../world/gateway/effects.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';
import { byPerson } from './items.ts';

const invariant = 'an order shows what was done';

type Payment = OrderDetail['payments'][number];

/**
 * At the end an order shows the gateway's operations on its payments. Payments with an undecided operation, with a
 * person's decision, or with an operation that the gateway had refused before it carried it out are left out.
 */
export function watchShown({ world, gateway, relays, apiFor, onFinished }: Scene): {
  finalBreaches(): Promise<Breach[]>;
} {
  const decided = new Set<unknown>();
  onFinished.push((operation) => {
    if (byPerson(operation)) for (const { transaction_id } of itemsOf(operation)) decided.add(transaction_id);
  });

  const wrongIn = (payment: Payment): string | undefined => {
    const { transaction_id, currency, status, captured, refunded, refund_undecided, refundable } = payment;
    const done = gateway.executions.filter((one) => one.moves && one.transaction_id === transaction_id);
    const isUnknown = payment.operations.some(({ outcome }) => outcome === 'unknown');
    if (isUnknown || decided.has(transaction_id) || done.some(({ isLate }) => isLate)) return undefined;
    const minor = (amount: string): bigint => toMinor(amount, currency);
    const sum = (name: Execution['name']): bigint =>
      done
        .filter((one) => one.name === name)
        .reduce((all, one) => all + minor(name === 'refund' ? one.refund_amount : one.amount), 0n);
    const is = (field: string, shown: string, truth: bigint): string | undefined =>
      minor(shown) === truth ? undefined : `${transaction_id} has ${field} ${shown}, and not ${truth}`;
    const isRejected = done.some(({ name, flag }) => name === 'review' && flag === REJECTING);
    const isCancelled = done.some(({ name }) => name === 'cancel') && sum('capture') === 0n;
    const ended = isCancelled ? 'cancelled' : isRejected ? 'rejected' : undefined;
    const shown = status === 'cancelled' || status === 'rejected' ? status : undefined;
    return (
      is('captured', captured, sum('capture')) ??
      is('refunded', refunded, sum('refund')) ??
      is('refund_undecided', refund_undecided, 0n) ??
      (shown === ended ? undefined : `${transaction_id} is ${status}, and not ${ended}`) ??
      (ended === undefined ? undefined : is('refundable', refundable, 0n))
    );
  };

  const read = async (orderNo: string): Promise<Breach[]> => {
    const told = await relays.request(0, { name: `read ${orderNo}` }, apiFor(orderNo).order(orderNo));
    if (told.kind !== 'answered') {
      // Retention deletes old data.
      const isGone = told.kind === 'problem' && told.code === 'not_found';
      return isGone ? [] : [{ invariant, detail: `${orderNo} is not read` }];
    }
    const { payments }: Pick<OrderDetail, 'payments'> = JSON.parse(told.text);
    const wrong = payments.flatMap((payment) => wrongIn(payment) ?? []);
    return wrong.map((detail) => ({ invariant, detail: `${orderNo}: ${detail}` }));
  };

  return {
    async finalBreaches() {
      const orders = new Set(
        gateway.executions.filter(({ name }) => name !== 'payout').map(({ order_no }) => order_no),
      );
      return (await answered(world, Promise.all([...orders].map(read)))).flat();
    },
  };
}

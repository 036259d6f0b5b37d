import type { Scene } from '../../world/scene.ts';

/**
 * One transaction pays one order. If the gateway charges a second order under it, the payment states that; a person's
 * decision never makes it pay a second one.
 */
export function watchOnce({ world, onWritten }: Scene): void {
  const paid = new Map<string, string>();
  onWritten.push((before, after) => {
    const { account, order_no } = after;
    const nameOf = (transaction: string): string => `${account} ${transaction}`;
    for (const { transaction_id: id } of before.payments) {
      const isKept = after.payments.some(({ transaction_id }) => transaction_id === id);
      if (!isKept && paid.get(nameOf(id)) === order_no) paid.delete(nameOf(id));
    }
    for (const { transaction_id: id, proof, also_paid } of after.payments) {
      if (before.payments.some(({ transaction_id }) => transaction_id === id)) continue;
      const other = paid.get(nameOf(id)) ?? order_no;
      if (other === order_no) paid.set(nameOf(id), order_no);
      else if (proof === 'person' || also_paid !== other)
        world.breach('one transaction pays one order', `${id} paid ${other}, and now ${order_no} by ${proof}`);
    }
  });
}

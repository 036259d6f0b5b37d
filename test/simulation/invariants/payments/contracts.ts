import { storedOrder } from '../../world/orders.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';
import { isHeldByClock } from '../held-by-clock.ts';

/**
 * What a contract charges later is no payment of its order and nothing that holds it, and the shop is told of each charge
 * that a query proved; the contract itself is known.
 */
export function watchContracts(scene: Scene): { atRest(): Promise<Breach[]> } {
  const { world, gateway, store, shop, orders, onWritten, vouched } = scene;
  const invariant = 'later charges pay nothing';
  const charges = new Map<string, string>();
  onWritten.push((before, after) => {
    for (const id of after.charges ?? []) charges.set(id, after.order_no);
    if (after.payments === before.payments && after.undecided === before.undecided) return;
    const holding = isHeldByClock(scene, after) ? [] : (after.undecided?.records ?? []);
    for (const { transaction_id } of [...after.payments, ...holding]) {
      const one = gateway.books.transactions.find(({ id }) => id === transaction_id);
      if (one?.laterOf === undefined || vouched.has(one.id)) continue;
      world.breach(invariant, `${one.id} of ${after.order_no} is a later charge of ${one.laterOf}`);
    }
  });
  return {
    async atRest() {
      const told = new Set(
        shop.heard.flatMap(({ data }) => (Array.isArray(data.records) ? data.records : [])).map(idIn),
      );
      const found = [...charges].flatMap(([id, orderNo]): Breach[] => {
        const detail = `${id} is charged later for ${orderNo}, and no webhook told it`;
        return told.has(id) ? [] : [{ invariant: 'every later charge is told', detail }];
      });
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

function idIn(record: unknown): unknown {
  return typeof record === 'object' && record !== null && 'transaction_id' in record
    ? record.transaction_id
    : undefined;
}

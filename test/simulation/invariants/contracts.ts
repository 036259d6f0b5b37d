import type { Scene } from '../world/scene.ts';
import type { Breach } from '../world/world.ts';

/** What a contract charges later is no payment of its order and nothing that holds it; the contract itself is known. */
export function watchContracts({ world, gateway, store, orders, onWritten, vouched }: Scene): {
  atRest(): Promise<Breach[]>;
} {
  const invariant = 'later charges pay nothing';
  onWritten.push((before, after) => {
    if (after.payments === before.payments && after.undecided === before.undecided) return;
    for (const { transaction_id } of [...after.payments, ...(after.undecided?.records ?? [])]) {
      const one = gateway.books.transactions.find(({ id }) => id === transaction_id);
      if (one?.laterOf === undefined || vouched.has(one.id)) continue;
      world.breach(invariant, `${one.id} of ${after.order_no} is a later charge of ${one.laterOf}`);
    }
  });
  return {
    async atRest() {
      const found: Breach[] = [];
      for (const orderNo of orders) {
        const { payments, sessions } = await store.order('demo', orderNo);
        for (const { transaction_id, recurring_id } of payments) {
          const told = sessions.find(
            ({ state }) => state.status === 'approved' && state.transaction_id === transaction_id,
          );
          const known = told?.state.status === 'approved' ? told.state.recurring_id : recurring_id;
          if (known !== recurring_id)
            found.push({
              invariant,
              detail: `${told?.id} does not know the contract ${recurring_id} of ${transaction_id}`,
            });
        }
      }
      return found;
    },
  };
}

import { knownItems } from '../../../../relay/payments/operations/operation.ts';
import { notifyOfPayouts } from '../../world/payout-notices.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';

/** A payout ends as the signed notification with the latest time says, in whatever order they came. */
export function watchPayouts(scene: Scene): { atRest(): Promise<Breach[]> } {
  const acknowledged = notifyOfPayouts(scene);
  return {
    async atRest() {
      const found: Breach[] = [];
      const signed = acknowledged.filter(({ unsigned }) => !unsigned);
      for (const [path, notices] of Map.groupBy(signed, ({ notifyUrl }) => notifyUrl)) {
        const id = path.split('/')[3] ?? '';
        const operation = await scene.store.operation(id);
        const [last] = notices.toSorted((one, other) => other.at - one.at);
        if (!operation || !last || last.status === 'PENDING') continue;
        const truth = last.status === 'COMPLETED' ? 'succeeded' : 'failed';
        const known = knownItems(operation)?.join() ?? operation.state.status;
        if (known !== truth)
          found.push({ invariant: 'a payout ends by the last word', detail: `${id} ${truth}, and is ${known}` });
      }
      return found;
    },
  };
}

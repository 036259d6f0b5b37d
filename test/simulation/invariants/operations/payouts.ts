import { knownItems } from '../../../../relay/payments/operations/operation.ts';
import type { Sending } from '../../world/gateway/gateway.ts';
import { notifyOfPayouts } from '../../world/gateway/payout-notices.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';

/**
 * A payout ends as the signed notification of an end with the latest time says, in whatever order they came, and whatever other status
 * it is said to have later. Where none has a time, and they tell of two ends, a person must decide.
 */
export function watchPayouts(scene: Scene): { atRest(): Promise<Breach[]> } {
  const invariant = 'a payout ends by the last word';
  watchRequestIds(scene);
  const acknowledged = notifyOfPayouts(scene);
  return {
    async atRest() {
      const found: Breach[] = [];
      const signed = acknowledged.filter(({ unsigned }) => !unsigned);
      for (const [path, notices] of Map.groupBy(signed, ({ notifyUrl }) => notifyUrl)) {
        const id = path.split('/')[3] ?? '';
        const operation = await scene.store.operation(id);
        const told = notices.filter(({ status }) => status === 'COMPLETED' || status === 'FAILED');
        const [last] = told.toSorted((one, other) => other.at - one.at);
        if (!operation || !last) continue;
        const ends = new Set(told.map(({ status }) => status));
        if (last.untimed && ends.size > 1) {
          const isDisputed = operation.state.status === 'answered' && operation.state.disputed !== undefined;
          if (!isDisputed) found.push({ invariant, detail: `${id} is ${[...ends].join(' and ')}, and not disputed` });
          continue;
        }
        const truth = last.status === 'COMPLETED' ? 'succeeded' : 'failed';
        const known = knownItems(operation)?.join() ?? operation.state.status;
        if (known !== truth) found.push({ invariant, detail: `${id} ${truth}, and is ${known}` });
      }
      return found;
    },
  };
}

/** A payout is sent once, under whatever key: again only where nothing was sent before. The gateway may have made what it refused. */
function watchRequestIds({ world, gateway }: Scene): void {
  const sent = new Map<string, Sending[]>();
  gateway.watch({
    sent(sending) {
      const { name, message } = sending;
      if (name !== 'payout') return;
      const of = `${message.account_id} ${message.request_id}`;
      const before = sent.get(of) ?? [];
      sent.set(of, [...before, sending]);
      const made = before.find(({ heard }) => heard?.said.kind !== 'not_sent');
      if (made)
        world.breach('a payout is made once', `${of} is sent again, and before that it was ${made.heard?.said.kind}`);
    },
  });
}

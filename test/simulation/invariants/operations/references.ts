import type { Sending } from '../../world/gateway/gateway.ts';
import type { Scene } from '../../world/scene.ts';

/**
 * The item of a reference is sent once, by any client and under any key: again only if the gateway did not accept it,
 * or was not reached, each time before. The gateway never gets a reference.
 */
export function watchReferences({ world, gateway }: Scene): void {
  const invariant = 'references once';
  const sent = new Map<string, Sending[]>();
  gateway.watch({
    sent(sending) {
      const { name, message, owner } = sending;
      if ('references' in message) world.breach(invariant, `${name} carries references`);
      for (const reference of owner.request?.intent?.references ?? []) {
        if (name === 'refund_search') continue;
        const before = sent.get(`${name} ${reference}`) ?? [];
        sent.set(`${name} ${reference}`, [...before, sending]);
        if (before.every(hadNoEffect)) continue;
        world.breach(invariant, `${name} ${reference} is sent for the ${before.length + 1}. time`);
      }
    },
  });
}

function hadNoEffect({ received }: Sending): boolean {
  return received?.answer.kind === 'not_sent' || received?.answer.kind === 'refused';
}

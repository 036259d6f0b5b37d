import type { Scene } from '../../world/scene.ts';

/**
 * While a relay is paused it changes nothing at the gateway and sends no webhook. Without a pause it refuses nothing
 * for that reason.
 */
export function watchPaused({ world, gateway, relays, shop }: Scene): void {
  const invariant = 'who is paused changes nothing';
  gateway.watch({
    sent({ name, owner: { life, request } }) {
      if (life.config.paused && name !== 'query' && name !== 'refund_search')
        world.breach(invariant, `${life.name} sends a ${name} for ${request?.name}`);
    },
  });
  shop.onReceived(({ id, type }) => {
    const life = world.clock.owner()?.life;
    // An event that its people read was not sent.
    if (life?.config.paused && !shop.late.has(id)) world.breach(invariant, `${life.name} sends ${type}`);
  });
  relays.watch((_http, { life, request }) => (answer) => {
    if (answer?.text.includes('"relay_paused"') && !life.config.paused)
      world.breach(invariant, `${request.name} is refused by ${life.name}, which is not paused`);
  });
}

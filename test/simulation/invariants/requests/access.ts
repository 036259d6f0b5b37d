import type { Scene } from '../../world/scene.ts';

/** What is old is forgotten. */
const KNOWN_MS = 35 * 86_400_000;

/**
 * A caller that was authorised stays authorised after the signing secret changed: what was derived from the earlier one is accepted, as the gateway's
 * notifications and the shoppers' sessions do. Only those of an account that the configuration does not have are turned away.
 */
export function watchAccess({ world, relays, settings, started }: Scene): void {
  relays.watch((http, { request }) => {
    const wasGone = settings.isOneGone();
    return (answer) => {
      const isTurnedAway = answer?.status === 401 || (answer?.status === 404 && http.path.startsWith('/notify/'));
      if (!isTurnedAway || wasGone || settings.isOneGone() || world.clock.now() - started > KNOWN_MS) return;
      world.breach('a new secret refuses no caller', `${request.name} is answered ${answer.status}`);
    };
  });
}

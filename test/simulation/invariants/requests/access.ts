import type { Scene } from '../../world/scene.ts';

/** Old data is deleted. */
const KNOWN_MS = 35 * 86_400_000;

/**
 * An authorised client stays authorised after the signing secret changed: values that were derived from the earlier one
 * are accepted, such as the addresses of the gateway's notifications and the secrets of the shoppers' sessions. Only
 * clients of an account that is not configured are refused.
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

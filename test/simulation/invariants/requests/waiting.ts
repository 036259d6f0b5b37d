import type { Sending } from '../../world/gateway/gateway.ts';
import type { Request } from '../../world/owner.ts';
import type { Scene } from '../../world/scene.ts';

/** The maximum time that a request waits for the work of others. */
const MAX_WAIT_MS = 10_000;

/** Timers of relays fire in bundles, a second apart during activity, and the end of one wait may begin the next. */
const LATE_MS = 3000;

/** A request without an answer, with its own calls of the gateway: the running ones, and the duration of the others. */
type Running = { at: number; disturbed: number; calls: Set<Sending>; spent: number; callsSince: number };

/**
 * No request waits longer than ten seconds for another one: for its query or payment, a lease, a lock or a turn. Its
 * own calls of the gateway are not limited, but before a payment is sent, a shopper or a shop waits no longer for its
 * own queries, either. While the store is slow, nothing is limited.
 */
export function watchWaiting({ world, gateway, relays }: Scene): void {
  const { clock } = world;
  const running = new Map<Request, Running>();

  const check = (request: Request): void => {
    const one = running.get(request);
    if (!one || one.disturbed !== relays.disturbances()) return;
    const own = one.spent + (one.calls.size > 0 ? clock.now() - one.callsSince : 0);
    const waited = clock.now() - one.at - own;
    if (waited > MAX_WAIT_MS + LATE_MS)
      world.breach('requests wait ten seconds at most', `${request.name} waits ${waited} ms, its own calls apart`);
  };
  /** Checks that a request is answered in time. For this the relays' timers must be precise. */
  const watch = (request: Request, at: number): void => {
    clock.at(at, () => running.has(request) && clock.stir());
    clock.at(at + LATE_MS + 1, () => check(request));
  };
  const isOwn = ({ name }: Sending, { fate }: Request): boolean => fate === undefined || name !== 'query';

  gateway.watch({
    sent(sending) {
      const { request } = sending.owner;
      const one = request && running.get(request);
      if (!request || !one || !isOwn(sending, request)) return;
      if (one.calls.size === 0) one.callsSince = clock.now();
      one.calls.add(sending);
    },
    received(sending) {
      const { request } = sending.owner;
      const one = request && running.get(request);
      if (!request || !one?.calls.delete(sending) || one.calls.size > 0) return;
      const took = clock.now() - one.callsSince;
      one.spent += took;
      watch(request, Math.max(clock.now(), one.at + one.spent + MAX_WAIT_MS));
    },
  });
  relays.watch((_http, { request }) => {
    const at = clock.now();
    running.set(request, { at, disturbed: relays.disturbances(), calls: new Set(), spent: 0, callsSince: 0 });
    watch(request, at + MAX_WAIT_MS);
    return (answer) => {
      if (answer) check(request);
      running.delete(request);
    };
  });
}

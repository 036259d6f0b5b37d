import { setTimeout } from 'node:timers/promises';
import { gapOf } from '../../bench/failover/phases.ts';
import { hasPatroni } from './harness/patroni-cluster.ts';
import type { Rehearsal } from './harness/rehearsal.ts';

/** Payments must be approved again within this time. */
const AGAIN_MS = 30_000;

/** The load after the first approval, before the lost server is started again. */
const STEADY_MS = 5000;

/** The primary and its Patroni are killed. Payments must continue without an operator. */
export const patroni: Rehearsal = {
  breaks: 'kill -9 of the primary and of its Patroni, which promotes the synchronous standby',
  stage: { store: 'patroni', relays: 2 },
  needs: () => (hasPatroni() ? undefined : 'apt-get install patroni etcd-server postgresql'),
  async run({ cluster }, clients, say) {
    if (!cluster) throw new Error('there is no cluster');
    const from = performance.now();
    const killed = await cluster.killPrimary();
    const hasApproved = () => clients.tries.some(({ paid, at }) => paid === 'approved' && at > from);
    while (!hasApproved() && performance.now() - from < 4 * AGAIN_MS) await setTimeout(100);
    await setTimeout(STEADY_MS);
    const gap = gapOf({ what: 'primary lost', from, to: performance.now() }, clients.tries);
    say(`starting ${killed} again, which follows the new primary`);
    await cluster.start(killed);
    await cluster.isWhole();
    const took = `payments were approved again ${(gap / 1000).toFixed(1)} s after the kill`;
    return gap <= AGAIN_MS
      ? { notes: [took, 'both servers are whole again'] }
      : { wrong: [`${took}, later than ${AGAIN_MS / 1000} s`] };
  },
};

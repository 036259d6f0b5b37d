import type { Rehearsal } from './harness/rehearsal.ts';

/** Each relay is stopped with SIGTERM and started again, twice; the next one once the one before is ready. */
export const rollingRestart: Rehearsal = {
  breaks: 'rolling restart (SIGTERM), twice',
  stage: { store: 'postgres', relays: 2 },
  noFailures: true,
  async run({ relays }) {
    let longest = 0;
    for (const relay of [...relays, ...relays]) {
      longest = Math.max(longest, await relay.stop());
      await relay.start();
    }
    return { notes: [`the longest stop took ${(longest / 1000).toFixed(1)} s`] };
  },
};

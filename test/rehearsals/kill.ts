import { setTimeout } from 'node:timers/promises';
import type { Rehearsal } from './harness/rehearsal.ts';

/** The time until the supervisor starts the relay again. */
const RESTART_MS = 2000;

/** One of two relays is killed, three times, at different moments of its work. */
export const kill: Rehearsal = {
  breaks: 'kill -9 of a relay, three times, started again after 2 s',
  stage: { store: 'postgres', relays: 2 },
  async run({ relays: [relay] }) {
    for (let time = 0; time < 3; time++) {
      await relay.kill();
      await setTimeout(RESTART_MS);
      await relay.start();
      await setTimeout(1000);
    }
    return {};
  },
};

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Rehearsal } from './harness/rehearsal.ts';

const MINUTE_MS = 60_000;
const STEPS = [20, 0, -20, 0];
const EACH_MS = 6000;

/** The first relay's clock is set 20 minutes ahead, right again, 20 minutes back, and right again. No other clock changes. */
export const clockSteps: Rehearsal = {
  breaks: 'the clock of one of two relays is set 20 minutes ahead, then 20 minutes back, for 6 s each',
  stage: {
    store: 'postgres',
    relays: 2,
    relay: (folder) => ({
      node: ['--import', join(import.meta.dirname, 'harness/set-clock.ts')],
      env: { REHEARSED_CLOCK: join(folder, 'clock') },
    }),
  },
  async run({ folder, relays: [relay] }, _clients, say) {
    for (const minutes of STEPS) {
      say(`${minutes} minutes`);
      writeFileSync(join(folder, 'clock'), String(minutes * MINUTE_MS));
      relay.signal('SIGUSR2');
      await setTimeout(EACH_MS);
    }
    return {};
  },
};

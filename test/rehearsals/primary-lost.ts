import { setTimeout } from 'node:timers/promises';
import { until } from '../support/time/until.ts';
import type { Rehearsal } from './harness/rehearsal.ts';

/** The time until an operator promotes the standby. */
const REACTION_MS = 3000;

/** All processes of the primary are killed, and its synchronous standby is promoted. */
export const primaryLost: Rehearsal = {
  breaks: `kill -9 of PostgreSQL's primary, its synchronous standby is promoted after ${REACTION_MS / 1000} s`,
  stage: { store: 'pair', relays: 2 },
  async run({ pair, relays: [relay] }) {
    if (!pair) throw new Error('there is no standby');
    pair.primary.crash();
    await setTimeout(REACTION_MS);
    const promoted = performance.now();
    await pair.promote();
    await until('a relay is ready', async () => (await fetch(`${relay.url}/readyz`)).status === 200);
    return { notes: [`a relay was ready ${((performance.now() - promoted) / 1000).toFixed(1)} s after the promotion`] };
  },
};

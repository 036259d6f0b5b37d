import { setTimeout } from 'node:timers/promises';
import type { Rehearsal } from './harness/rehearsal.ts';

const AWAY_MS = 10_000;

/** The gateway's server is stopped: messages in flight get no answer, and later ones cannot be sent. */
export const gatewayGone: Rehearsal = {
  breaks: `the gateway does not listen for ${AWAY_MS / 1000} s`,
  stage: { store: 'postgres', relays: 2 },
  async run({ gateway }) {
    await gateway.away();
    await setTimeout(AWAY_MS);
    await gateway.back();
    return {};
  },
};

import { setTimeout } from 'node:timers/promises';
import { until } from '../support/time/until.ts';
import type { Rehearsal } from './harness/rehearsal.ts';

const AWAY_MS = 15_000;

/** The shop's receiver is down; later it gets all webhooks. */
export const receiverDown: Rehearsal = {
  breaks: `the shop’s receiver does not listen for ${AWAY_MS / 1000} s`,
  stage: { store: 'postgres', relays: 2 },
  noFailures: true,
  async run({ shop }) {
    await shop.away();
    await setTimeout(AWAY_MS);
    const before = shop.received.length;
    const back = performance.now();
    await shop.back();
    await until('a webhook comes again', () => shop.received.length > before);
    const seconds = ((performance.now() - back) / 1000).toFixed(1);
    return { notes: [`the first webhook came ${seconds} s after the receiver was back`] };
  },
};

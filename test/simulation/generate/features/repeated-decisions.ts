import { defaultPaymentPlan, type PaymentPlan } from '../../plans.ts';
import type { Step } from '../../steps.ts';
import { type Random, randomOf } from '../../world/random.ts';
import { HOUR, MINUTE, SECOND } from '../message-plans.ts';

/** One history in this many has people who repeat their decisions. */
const ONE_IN = 4;

const latest = { order: 0, session: 0 } as const;

/**
 * Adds people who repeat their decisions about a session, an operation or webhooks. In some histories the relay of the first request
 * dies.
 */
export function withRepeatedDecisions(seed: number, relays: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'repeated decisions');
  if (draw() >= 1 / ONE_IN) return [...steps];
  const sequence = decided(draw, relays);
  const all = steps.toSpliced(draw.between(1, steps.length), 0, ...sequence);
  return all.flatMap((step) => (sequence.includes(step) || !isDecision(step) ? [step] : [step, again(draw)]));
}

function isDecision({ do: what }: Step): boolean {
  return what === 'settle' || what === 'expire' || what === 'settle operation' || what === 'failed webhooks';
}

function again(draw: Random): Step {
  return { after: SECOND, do: 'repeat decision', back: 0, later: draw.between(SECOND, draw() < 0.7 ? MINUTE : HOUR) };
}

/** A person settles or withdraws a session while a relay dies, and repeats that. */
function decided(draw: Random, relays: number): Step[] {
  const isSettled = draw() < 0.6;
  const how = isSettled ? ({ answer: 'lost', hidden: HOUR } as const) : ({} as const);
  const fate: PaymentPlan = {
    ...defaultPaymentPlan,
    says: 'declined',
    book: [{ after: 0, status: 'declined' }],
    ...how,
  };
  const dying = { relay: draw.between(0, relays - 1), calls: draw.between(2, 5), effect: draw() < 0.5 };
  const asked: Step = isSettled
    ? { ...latest, after: 10, do: 'settle', approve: false }
    : { ...latest, after: 10, do: 'expire' };
  return [
    { after: SECOND, do: 'buy', order: 0, amount: 0, method: 'card', presses: 1, gap: 0, fate },
    { after: 30 * SECOND, do: 'kill relay', ...dying, downMs: 5 * SECOND },
    asked,
    { after: SECOND, do: 'repeat decision', back: 0, later: draw.between(5 * SECOND, 20 * SECOND) },
  ];
}

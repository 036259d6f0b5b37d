import { defaultOperationPlan, defaultPaymentPlan, type OperationPlan } from '../../plans.ts';
import type { Step } from '../../steps.ts';
import { type Random, randomOf } from '../../world/random.ts';
import { MINUTE, SECOND } from '../message-plans.ts';

/** One history of several relays in so many has people who settle operations. */
const ONE_IN = 4;

/**
 * Adds people who settle operations. Some operations are sent by a relay that loses its store: another relay makes the operation
 * unknown, a person settles it, and then the answer is written. The answers of others are lost.
 */
export function withOperationDecisions(seed: number, relays: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'verdicts');
  if (relays === 1 || draw() >= 1 / ONE_IN) return [...steps];
  return Array.from({ length: draw.between(1, 3) }).reduce<Step[]>(
    (all) => all.toSpliced(draw.between(1, all.length), 0, ...sequence(draw, relays)),
    [...steps],
  );
}

function sequence(draw: Random, relays: number): Step[] {
  const isCutOff = draw() < 0.7;
  const fate: OperationPlan = {
    ...defaultOperationPlan,
    does: draw() < 0.5 ? 'done' : 'failed',
    answer: isCutOff ? 'whole' : 'lost',
    answerSlow: draw.between(SECOND, 4 * SECOND),
  };
  const book = [{ after: 0, status: 'approved' as const }];
  const paid = { ...defaultPaymentPlan, says: 'approved' as const, book };
  const kind = (['refund', 'capture', 'cancel'] as const)[draw.between(0, 2)] ?? 'refund';
  const about = { order: 0, repeat: false, fate } as const;
  const asked: Step =
    kind === 'refund'
      ? { ...about, after: 20 * SECOND, do: kind, part: false }
      : { ...about, after: 20 * SECOND, do: kind };
  const verdict = (after: number): Step => ({
    ...{ after, do: 'settle operation', back: 0 },
    ...{ says: draw() < 0.6 ? 'succeeded' : 'truth', relay: draw.between(1, relays - 1) },
  });
  return [
    { after: SECOND, do: 'buy', order: 0, amount: 0, method: 'card', presses: 1, gap: 0, fate: paid },
    asked,
    // A shop's first request goes to the first relay.
    ...(isCutOff ? [{ after: 500, do: 'cut off', relay: 0, ms: draw.between(MINUTE, 3 * MINUTE) } as const] : []),
    verdict(30 * SECOND),
    verdict(20 * SECOND),
  ];
}

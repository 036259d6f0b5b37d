import { defaultOperationPlan, defaultPaymentPlan, type OperationPlan, type PaymentPlan } from '../../plans.ts';
import type { OrderAction, Step } from '../../steps.ts';
import { type Random, randomOf } from '../../world/random.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../message-plans.ts';
import { withScattered } from './scattered.ts';

/** One history in this many has operations that name the order only. */
const ONE_IN = 3;

const approved: PaymentPlan = { ...defaultPaymentPlan, says: 'approved', book: [{ after: 0, status: 'approved' }] };
const buy = { do: 'buy', order: 0, amount: 0, presses: 1, gap: 0, method: 'card', fate: approved } as const;
const refund = { do: 'refund', order: 0, repeat: false } as const;

const byOrder = (draw: Random): Required<OrderAction> => ({ byOrder: draw() < 0.5 ? 'named' : 'unnamed' });

/** The rest is refunded while the outcome of a partial refund is unknown. */
function besideUndecided(draw: Random): Step[] {
  const lost: OperationPlan = { ...defaultOperationPlan, answer: 'lost', hidden: draw.between(MINUTE, HOUR) };
  const rest: Step = {
    ...refund,
    ...byOrder(draw),
    after: draw.between(SECOND, MINUTE),
    part: false,
    fate: defaultOperationPlan,
  };
  return [
    { ...buy, after: SECOND },
    { ...refund, after: 10 * SECOND, part: true, fate: lost },
    rest,
    { ...rest, after: draw.between(SECOND, 2 * HOUR) },
  ];
}

/** One of two payments of an order is refunded. */
function ofTwo(draw: Random): Step[] {
  const part: Step = { ...refund, after: 10 * SECOND, byOrder: 'named', part: true, fate: defaultOperationPlan };
  return [
    { ...buy, after: SECOND },
    {
      ...{ after: 5 * SECOND, do: 'book foreign record', order: 0, amount: 0, minutes: 0 },
      book: [{ after: 0, status: 'approved' }],
    },
    { after: SECOND, do: 'reconcile', order: 0 },
    part,
    { ...part, byOrder: 'unnamed', part: draw() < 0.5 },
  ];
}

/** An operation whose answer has an unlisted code. */
function unlisted(draw: Random): Step[] {
  const what = (['refund', 'capture', 'cancel', 'review'] as const)[draw.between(0, 3)] ?? 'refund';
  const does = draw() < 0.5 ? 'unlisted' : 'unlisted_failed';
  const fate: OperationPlan = { ...defaultOperationPlan, does, hidden: draw.between(SECOND, HOUR) };
  const asked = { ...byOrder(draw), after: 10 * SECOND, order: 0, repeat: false, fate };
  return [
    { ...buy, after: SECOND },
    what === 'refund' ? { ...asked, do: what, part: draw() < 0.5 } : { ...asked, do: what },
    { ...asked, do: 'capture', fate: defaultOperationPlan },
  ];
}

/** The same refund is requested repeatedly, also under another key, and once after retention deleted the first request. */
function repeated(draw: Random): Step[] {
  const part: Step = { ...refund, ...byOrder(draw), after: 10 * SECOND, part: true, fate: defaultOperationPlan };
  const again: Step = { ...part, repeat: true };
  const pause = draw() < 0.5 ? 10 * SECOND : draw.between(42 * DAY, 50 * DAY);
  return [{ ...buy, after: SECOND }, part, again, again, { ...again, after: pause }, again];
}

/**
 * Lets shops request operations by the order, also in cases in which the amount that the relay fills in is not obvious.
 */
export function withOrderActions(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'order actions');
  if (draw() >= 1 / ONE_IN) return [...steps];
  const asked = steps.map((step) => {
    switch (step.do) {
      case 'refund':
      case 'capture':
      case 'cancel':
      case 'review':
        // A batch has no order.
        return draw() < 0.4 || step.fate.more ? step : { ...step, ...byOrder(draw) };
      default:
        return step;
    }
  });
  const sequences = [besideUndecided, ofTwo, unlisted, repeated];
  return withScattered(draw, asked, () => sequences[draw.between(0, sequences.length - 1)]?.(draw) ?? []);
}

import fc from 'fast-check';
import { defaultOperationPlan, type OperationPlan, type PaymentPlan } from '../../plans.ts';
import type { Step } from '../../steps.ts';
import { HOUR, MINUTE, paymentPlan, SECOND, span, type Troubles } from '../message-plans.ts';

const none: Troubles = {
  ...{ lostAnswers: false, slowRecords: false, oddRecords: false, turningRecords: false, lostNotices: false },
  ...{ namelessRecords: false, contracts: false, storeBreaks: false },
};

const buy = { do: 'buy', order: 0, amount: 0, presses: 1, gap: 0, method: 'card' } as const;
const press = { do: 'press pay', order: 0, session: 0, method: 'card', gap: 0, presses: 1, hangsUp: false } as const;
const refund = { do: 'refund', order: 0, part: true, repeat: false } as const;

const says = (outcome: 'approved' | 'declined', how: Partial<PaymentPlan> = {}): fc.Arbitrary<PaymentPlan> =>
  paymentPlan(none, false).map(({ back: _, ...usual }) => ({
    ...usual,
    ...{ says: outcome, book: [{ after: 0, status: outcome }], tries: [], ...how },
  }));

/** The store confirms the commit of a payment or refund late, sometimes too late to send it. */
const confirmedLate: fc.Arbitrary<Step[]> = fc
  .record({ paid: says('approved'), isRefund: fc.boolean(), calls: fc.integer({ min: 1, max: 3 }) })
  .map(({ paid, isRefund, calls }): Step[] => {
    const late: Step = { after: 10 * SECOND, do: 'break store', how: 'commit heard late', calls };
    const before: Step[] = isRefund
      ? [{ ...buy, after: SECOND, fate: paid }]
      : [{ after: SECOND, do: 'create session', order: 0, amount: 0, seconds: 86_400 }];
    const asked: Step = isRefund
      ? { ...refund, after: 10, fate: defaultOperationPlan }
      : { ...press, after: 10, fate: paid };
    return [...before, late, asked];
  });

/** The commits of some requests fail. */
const notCommitted: fc.Arbitrary<Step[]> = fc
  .record({ paid: says('approved'), calls: fc.integer({ min: 1, max: 6 }), later: span(5 * SECOND, MINUTE) })
  .map(({ paid, calls, later }): Step[] => [
    { after: SECOND, do: 'create session', order: 0, amount: 0, seconds: 86_400 },
    { after: 10 * SECOND, do: 'break store', how: 'commit fails', calls },
    { ...press, after: 10, fate: paid },
    { ...press, after: later, fate: paid },
  ]);

/** Two equal refunds of one payment at about the same time. One is made; the message or the answer of the other one is lost. */
const twins: fc.Arbitrary<Step[]> = fc
  .record({
    paid: says('approved'),
    gap: span(50, 2 * SECOND),
    isFirstLost: fc.boolean(),
    lost: fc.constantFrom<Partial<OperationPlan>>({ way: 'lost' }, { way: 'lost' }, { answer: 'lost' }),
  })
  .map(({ paid, gap, isFirstLost, lost }): Step[] => {
    const one: Step = { ...refund, after: 10 * SECOND, fate: defaultOperationPlan };
    const other: Step = { ...one, fate: { ...defaultOperationPlan, ...lost } };
    const [first, second] = isFirstLost ? [other, one] : [one, other];
    return [{ ...buy, after: SECOND, fate: paid }, first, { ...second, after: gap }];
  });

/** The gateway answers a payment with the approval of another order. */
const othersAnswer: fc.Arbitrary<Step[]> = fc
  .constantFrom('approved' as const, 'declined' as const)
  .chain((outcome) => says(outcome, { answer: 'other_order' }))
  .map((other): Step[] => [{ ...buy, after: SECOND, fate: other }]);

/** Two tabs pay an order at about the same time. The relay queries the order first, and the gateway declines both. */
const twoTabs: fc.Arbitrary<Step[]> = fc
  .record({
    refused: says('declined', { says: 'refused_400', book: [], notices: [] }),
    declined: says('declined'),
    gap: span(20, 200, 3 * SECOND),
  })
  .map(({ refused, declined, gap }): Step[] => [
    { ...buy, after: SECOND, fate: refused },
    // After the hour of the limit of attempts.
    { ...press, after: HOUR + 10 * SECOND, fate: declined },
    { ...press, after: gap, fate: declined },
  ]);

/** A refused refund is made nevertheless, before it counts as not made. */
const refundedAfterAll: fc.Arbitrary<Step[]> = fc
  .record({ paid: says('approved'), booked: span(10 * SECOND, 10 * MINUTE), hidden: span(10 * SECOND, 5 * MINUTE) })
  .map(({ paid, booked, hidden }): Step[] => [
    { ...buy, after: SECOND, fate: paid },
    { ...refund, after: 10 * SECOND, fate: { ...defaultOperationPlan, does: 'refused_400', booked, hidden } },
  ]);

/** The answer to a payment is lost, and the gateway has an approved record of its order and amount in another currency. */
const foreignApproval: fc.Arbitrary<Step[]> = says('declined', { answer: 'http_500', book: [] }).map((lost): Step[] => [
  { ...buy, after: SECOND, fate: lost },
  {
    ...{ after: 5 * SECOND, do: 'book foreign record', order: 0, amount: 0, minutes: 0, isForeign: true },
    book: [{ after: 0, status: 'approved' }],
  },
]);

/** The sequences in the history of a seed, one of each kind. */
function sequencesOf(seed: number): fc.Arbitrary<Step[][]> | undefined {
  if (seed % 4 === 1) return fc.tuple(confirmedLate, notCommitted, twins, othersAnswer, twoTabs);
  return seed % 8 === 6 ? fc.tuple(refundedAfterAll, foreignApproval) : undefined;
}

/** Adds sequences of steps that random steps form too rarely. */
export function withCraftedSequences(seed: number, steps: readonly Step[]): Step[] {
  const all = sequencesOf(seed);
  if (!all) return [...steps];
  const places = fc.array(fc.integer({ min: 1, max: steps.length }), { minLength: 5, maxLength: 5 });
  const [drawn] = fc.sample(fc.tuple(all, places), { seed: seed + 2_000_000_011, numRuns: 1 });
  const [sequences = [], at = []] = drawn ?? [];
  const placed = sequences.map((sequence, nth) => ({ sequence, place: at[nth] ?? 1 }));
  return placed
    .toSorted((one, other) => other.place - one.place)
    .reduce((whole, { sequence, place }) => whole.toSpliced(place, 0, ...sequence), [...steps]);
}

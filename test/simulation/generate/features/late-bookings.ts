import fc from 'fast-check';
import type { PaymentPlan, Phase } from '../../plans.ts';
import type { Step } from '../../steps.ts';
import { type Random, randomOf } from '../../world/random.ts';
import { DAY, HOUR, MINUTE, paymentPlan, SECOND, span, type Troubles } from '../message-plans.ts';

/** One history in this many has late bookings. */
const ONE_IN = 3;

const none: Troubles = {
  ...{ lostAnswers: false, slowRecords: false, oddRecords: false, turningRecords: false, lostNotices: false },
  ...{ namelessRecords: false, contracts: false, storeBreaks: false },
};

const latest = { order: 0, session: 0 } as const;
const buy = { do: 'buy', order: 0, amount: 0, presses: 1, gap: 0 } as const;
const press = { ...latest, do: 'press pay', method: 'card', presses: 1, gap: 0, hangsUp: false } as const;

/** The first payment of an order, booked late, and the shopper's steps before the booking. */
type Late = { first: Step; meanwhile: Step[] };

const soon = span(SECOND, 10 * SECOND, 10 * MINUTE).map((ms) => ms + 200);

const approvedAfter = (ms: number, from: Phase[] = []): Phase[] => [...from, { after: ms, status: 'approved' }];

/** A payment that was declined, or refused with a 4xx, is approved later. The notification comes before the record. */
const unpaidFirst: fc.Arbitrary<Late> = fc
  .record({
    usual: paymentPlan(none, false),
    says: fc.constantFrom<PaymentPlan['says']>('declined', 'declined', 'refused_400', 'refused_429'),
    turned: soon,
    late: span(10 * SECOND, 5 * MINUTE, 50 * MINUTE, 50 * MINUTE),
    isNotified: fc.boolean(),
  })
  .map(({ usual, says, turned, late, isNotified }): Late => {
    const book = approvedAfter(turned, says === 'declined' ? [{ after: 0, status: 'declined' }] : []);
    const notices = isNotified || says === 'declined' ? [{ after: 200, times: 1 }] : [];
    const how = says === 'declined' ? { changesLate: late } : { hidden: turned + late };
    return {
      first: { ...buy, after: SECOND, method: 'card', fate: { ...usual, ...how, says, book, tries: [], notices } },
      meanwhile: [],
    };
  });

/** A shopper pays at the issuer's page, and the payment is booked late. The shopper returns, reloads or abandons the payment. */
const atIssuerFirst: fc.Arbitrary<Late> = fc
  .record({
    usual: paymentPlan(none, true),
    paidAfter: span(5 * SECOND, MINUTE),
    hidden: span(MINUTE, 40 * MINUTE, 3 * HOUR),
    isNotified: fc.boolean(),
    looks: fc.array(
      fc.record({
        after: span(SECOND, 10 * SECOND, 2 * MINUTE),
        what: fc.constantFrom('say returned', 'say returned', 'return from issuer', 'view session', 'abandon'),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  })
  .map(({ usual, paidAfter, hidden, isNotified, looks }): Late => {
    const { back: _, ...rest } = usual;
    const tries: PaymentPlan['tries'] = [{ after: paidAfter, status: 'approved', same: false }];
    const notices = isNotified ? [{ after: 200, times: 1 }] : [];
    return {
      first: {
        ...buy,
        after: SECOND,
        method: 'apm',
        fate: { ...rest, says: 'redirect', book: [], tries, hidden, notices },
      },
      meanwhile: looks.map(({ after, what }): Step => ({ ...latest, after, do: what })),
    };
  });

const lateBooking: fc.Arbitrary<Step[]> = fc
  .record({
    late: fc.oneof({ weight: 3, arbitrary: unpaidFirst }, { weight: 2, arbitrary: atIssuerFirst }),
    second: paymentPlan(none, false),
    pause: span(5 * SECOND, MINUTE, 20 * MINUTE, 2 * HOUR),
    pays: fc.boolean(),
    rest: span(SECOND, HOUR, DAY),
  })
  .map(({ late: { first, meanwhile }, second, pause, pays, rest }): Step[] => [
    first,
    ...meanwhile,
    ...(pays ? [{ ...press, after: pause, fate: second } satisfies Step] : []),
    { do: 'view session', ...latest, after: rest },
  ]);

/**
 * Lets the records of some declined payments show an approval hours later. Some change only after the shopper paid again, without a
 * notification of the decline.
 */
function muchLater(steps: readonly Step[], draw: Random): Step[] {
  const [first, ...rest] = steps;
  if (first?.do !== 'buy' || first.fate.changesLate === undefined || draw() < 0.5) return [...steps];
  const changesLate = draw.between(HOUR, DAY);
  const isPaidBefore = draw() < 0.7;
  const turned = draw.between(2 * MINUTE, 2 * HOUR);
  const pause = draw.between(5 * SECOND, MINUTE);
  const book = isPaidBefore
    ? first.fate.book.map((phase) => (phase.status === 'approved' ? { ...phase, after: turned } : phase))
    : first.fate.book;
  const notices = first.fate.notices.map((notice) => (isPaidBefore ? { ...notice, of: 'approved' as const } : notice));
  return [
    { ...first, fate: { ...first.fate, changesLate, book, notices } },
    ...rest.map((step) => (isPaidBefore && step.do === 'press pay' ? { ...step, after: pause } : step)),
  ];
}

/** Adds payments that the gateway books late. */
export function withLateBookings(seed: number, steps: readonly Step[]): Step[] {
  if (seed % ONE_IN !== 0) return [...steps];
  const places = fc.array(fc.tuple(fc.integer({ min: 1, max: steps.length }), lateBooking), {
    ...{ minLength: 1, maxLength: 4 },
  });
  const [drawn] = fc.sample(places, { seed: seed + 1_000_000_007, numRuns: 1 });
  const draw = randomOf(seed, 'records hours late');
  const sequences = (drawn ?? []).map(([at, added]): [number, Step[]] => [at, muchLater(added, draw)]);
  const latestFirst = sequences.sort(([one], [other]) => other - one);
  return latestFirst.reduce((all, [at, added]) => all.toSpliced(at, 0, ...added), [...steps]);
}

import fc from 'fast-check';
import type { OperationPlan, PaymentPlan, Phase } from '../plans.ts';
import type { Step } from '../steps.ts';
import type { Features } from './actions.ts';
import { DAY, HOUR, MINUTE, operationPlan, paymentPlan, SECOND } from './message-plans.ts';

/** A time between two moments. */
const between = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });

/** Sequences about the latest order that random steps form too rarely. Their details vary. */
export function rareSituations(chosen: Features): { weight: number; arbitrary: fc.Arbitrary<Step[]> }[] {
  return [
    ...(chosen.turningRecords ? [{ weight: 1, arbitrary: paidMeanwhile(chosen) }] : []),
    ...(chosen.people && chosen.foreignRecords ? [{ weight: 1, arbitrary: paidAfterDecision(chosen) }] : []),
    ...(chosen.people && chosen.namelessRecords ? [{ weight: 1, arbitrary: namelessAgain(chosen) }] : []),
    ...(chosen.people ? [{ weight: 1, arbitrary: settledWhileAway(chosen) }] : []),
    ...(chosen.foreignRecords ? [{ weight: 1, arbitrary: heldWhenOver(chosen) }] : []),
    ...(chosen.foreignRecords ? [{ weight: 1, arbitrary: declinedLongAgo(chosen) }] : []),
    ...(chosen.effects && chosen.longWaits ? [{ weight: 1, arbitrary: repeatedWhenOld(chosen) }] : []),
    ...(chosen.effects && chosen.storeBreaks ? [{ weight: 1, arbitrary: unheard(chosen) }] : []),
    ...(chosen.repeats && chosen.storeBreaks ? [{ weight: 1, arbitrary: keyGivenBack(chosen) }] : []),
  ];
}

const cardOf = (chosen: Features, how: Partial<PaymentPlan>): fc.Arbitrary<PaymentPlan> =>
  paymentPlan({ ...chosen, storeBreaks: false }, false).map((usual) => ({
    ...usual,
    ...{ way: 'arrives', answer: 'whole', slow: 50, answerSlow: 50, hidden: 0, tries: [], ...how },
  }));

const buy = { do: 'buy', amount: 0, presses: 1, gap: 0 } as const;
const latest = { order: 0, session: 0 } as const;
const press = { ...latest, do: 'press pay', presses: 1, gap: 0, hangsUp: false } as const;
const always = (status: Phase['status']): Phase[] => [{ after: 0, status }];

/** A first payment turns approved while another tab's is on its way to an issuer. */
const paidMeanwhile = (chosen: Features): fc.Arbitrary<Step[]> =>
  fc
    .record({ turned: between(500, 12 * SECOND), after: between(300, 3 * SECOND), slow: between(2000, 9000) })
    .chain(({ turned, after, slow }) => {
      const book: Phase[] = [...always('declined'), { after: turned, status: 'approved' }];
      const first = cardOf(chosen, { says: 'declined', book, notices: [{ after: 200, times: 1 }] });
      const second = paymentPlan(chosen, true).map(
        (one): PaymentPlan => ({ ...one, way: 'arrives', answer: 'whole', slow }),
      );
      return fc.tuple(first, second).map(([one, other]): Step[] => [
        { ...buy, after: SECOND, order: 0, method: 'card', fate: one },
        { ...buy, after, order: 1, method: 'apm', fate: { ...other, answerSlow: 50 } },
      ]);
    });

/** A record of another amount holds an order, a person settles it as not paid, and the order is paid. */
const paidAfterDecision = (chosen: Features): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      cardOf(chosen, { answer: 'lost', says: 'declined', book: [] }),
      cardOf(chosen, { says: 'approved', book: always('approved'), notices: [{ after: 200, times: 1 }] }),
      fc.boolean(),
      between(0, 20),
    )
    .map(([lost, paid, approve, minutes]): Step[] => [
      { ...buy, after: SECOND, order: 0, method: 'card', fate: lost },
      { after: 12 * SECOND, do: 'book foreign record', order: 0, amount: 1, minutes, book: always('approved') },
      { after: 3 * SECOND, do: 'reconcile', order: 0 },
      { ...latest, after: 5 * SECOND, do: 'settle', approve: approve && minutes > 15 },
      { ...press, after: 5 * SECOND, method: 'card', fate: paid },
      { after: 20 * SECOND, do: 'reconcile', order: 0 },
    ]);

/** A person decides about a record without a transaction_id, and an equal record comes. */
const namelessAgain = (chosen: Features): fc.Arbitrary<Step[]> =>
  fc
    .tuple(fc.constantFrom<Phase['status']>('approved', 'unlisted'), between(MINUTE, HOUR), fc.boolean())
    .chain(([status, later, isOwn]) => {
      const book = always(status);
      const lost = cardOf(chosen, { answer: 'lost', says: 'approved', book, nameless: true });
      return fc
        .tuple(lost, lost)
        .map(([first, second]): Step[] => [
          { ...buy, after: SECOND, order: 0, method: 'card', fate: { ...first, dated: 0 } },
          { after: 13 * SECOND, do: 'reconcile', order: 0 },
          { ...latest, after: 5 * SECOND, do: 'settle', approve: false },
          isOwn
            ? { ...press, after: later, method: 'card', fate: { ...second, dated: 0 } }
            : { after: later, do: 'book foreign record', order: 0, amount: 0, minutes: 0, nameless: true, book },
          { after: 13 * SECOND, do: 'reconcile', order: 0 },
        ]);
    });

/** A person decides, through any session of the order, about a payment whose shopper is at the issuer's page. */
const settledWhileAway = (chosen: Features): fc.Arbitrary<Step[]> =>
  fc
    .tuple(paymentPlan({ ...chosen, storeBreaks: false }, true), between(5 * SECOND, MINUTE), fc.constantFrom(0, 1))
    .map(([away, after, session]): Step[] => [
      { after: SECOND, do: 'create session', order: 0, amount: 0, seconds: 86_400 },
      { after: SECOND, do: 'create session', order: 1, amount: 0, seconds: 86_400 },
      { ...press, after: SECOND, method: 'apm', fate: { ...away, way: 'arrives', answer: 'whole' } },
      { ...latest, after, do: 'settle', session, approve: false },
    ]);

/** A shop repeats a refund or a payout after the relay deleted the first one. */
const repeatedWhenOld = (chosen: Features): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      cardOf(chosen, { says: 'approved', book: always('approved') }),
      operationPlan({ ...chosen, lostAnswers: false, slowRecords: false }),
      fc.boolean(),
      between(42 * DAY, 60 * DAY),
    )
    .map(([paid, usual, isRefund, later]): Step[] => {
      const how: OperationPlan = { ...usual, does: 'done' };
      const ask = (after: number, repeat: boolean): Step =>
        isRefund
          ? { do: 'refund', after, order: 0, part: false, repeat, fate: how }
          : { do: 'pay out', after, repeat, fate: how };
      return [
        { ...buy, after: SECOND, order: 0, method: 'card', fate: paid },
        ask(10 * SECOND, false),
        ask(later, true),
      ];
    });

/** Another channel's payment was declined long ago, and the answer to one of today is lost. */
const declinedLongAgo = (chosen: Features): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      cardOf(chosen, { answer: 'lost', says: 'approved', book: always('approved'), hidden: 20 * SECOND }),
      between(-90 * 24 * 60, -30),
    )
    .map(([lost, minutes]): Step[] => [
      { after: SECOND, do: 'create session', order: 0, amount: 0, seconds: 86_400 },
      { after: SECOND, do: 'book foreign record', order: 0, amount: 0, minutes, book: always('declined') },
      { ...press, after: SECOND, method: 'card', fate: lost },
    ]);

/** A record comes while no session of the order waits for one: its session is open, or over. */
const heldWhenOver = (chosen: Features): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      fc.oneof(
        cardOf(chosen, { says: 'refused_400', book: [], notices: [] }),
        cardOf(chosen, { says: 'declined', book: always('declined'), notices: [] }),
      ),
      fc.constantFrom<Phase['status']>('approved', 'unlisted', 'pending'),
      fc.boolean(),
      fc.constantFrom(0, 1),
    )
    .map(([unpaid, status, isOver, amount]): Step[] => [
      { ...buy, after: SECOND, order: 0, method: 'card', fate: unpaid },
      ...(isOver ? [{ ...latest, after: 5 * SECOND, do: 'expire' } as const] : []),
      { after: 5 * SECOND, do: 'book foreign record', order: 0, amount, minutes: 0, book: always(status) },
      { after: 5 * SECOND, do: 'reconcile', order: 0 },
    ]);

/** The store fails while it commits a payment or a refund, and the shopper or the shop repeats the request later. */
const unheard = (chosen: Features): fc.Arbitrary<Step[]> =>
  fc
    .record({
      paid: cardOf(chosen, { says: 'approved', book: always('approved') }),
      done: operationPlan(chosen),
      how: fc.constantFrom('commit unheard', 'commit late'),
      isRefund: fc.boolean(),
      later: between(10, 2 * MINUTE),
    })
    .map(({ paid, done, how, isRefund, later }): Step[] => {
      const lose: Step = { after: 10 * SECOND, do: 'break store', how, calls: 1 };
      const refund = { do: 'refund', order: 0, part: true, fate: done } as const;
      const asked: Step[] = isRefund
        ? [
            { ...buy, after: SECOND, order: 0, method: 'card', fate: paid },
            lose,
            { ...refund, after: 10, repeat: false },
            { ...refund, after: later, repeat: true },
          ]
        : [
            { after: SECOND, do: 'create session', order: 0, amount: 0, seconds: 86_400 },
            lose,
            { ...press, after: 10, method: 'card', fate: paid },
            { ...press, after: later, method: 'card', fate: paid },
          ];
      return asked;
    });

/** The store writes the key of a request without confirming it. Nothing is sent, and the request is repeated when the store is back. */
const keyGivenBack = (chosen: Features): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      cardOf(chosen, { says: 'approved', book: always('approved') }),
      between(1, 3),
      between(13 * SECOND, 30 * SECOND),
    )
    .map(([paid, calls, later]): Step[] => [
      { after: 10 * SECOND, do: 'break store', how: 'written unheard', calls },
      { after: 10, do: 'pay from server', order: 0, amount: 0, method: 'card', requests: 1, fate: paid },
      { after: 10, do: 'repeat request', back: 0, later, isOther: false },
    ]);

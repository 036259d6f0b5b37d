import fc from 'fast-check';
import type { OperationPlan, PaymentPlan, Phase, Try } from '../plans.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The kinds of trouble in a history. Histories with few kinds test each more thoroughly. */
export type Troubles = {
  lostAnswers: boolean;
  slowRecords: boolean;
  oddRecords: boolean;
  turningRecords: boolean;
  lostNotices: boolean;
  namelessRecords: boolean;
  contracts: boolean;
  storeBreaks: boolean;
};

/** A span of time, often short. */
export const span = (...longest: number[]): fc.Arbitrary<number> =>
  fc.oneof(...longest.map((most) => fc.integer({ min: 0, max: most })));

const often = <Value>(usual: Value, weight: number, ...others: fc.Arbitrary<Value>[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));

const turn = (from: Phase['status'], to: Phase['status'], after: fc.Arbitrary<number>): fc.Arbitrary<Phase[]> =>
  after.map((ms) => [
    { after: 0, status: from },
    { after: ms + 1, status: to },
  ]);

const always = (status: Phase['status']): fc.Arbitrary<Phase[]> => fc.constant([{ after: 0, status }]);

type Outcome = Pick<PaymentPlan, 'says' | 'book' | 'tries'>;

const outcome = (says: PaymentPlan['says'], book: fc.Arbitrary<Phase[]>): fc.Arbitrary<Outcome> =>
  book.map((phases) => ({ says, book: phases, tries: [] }));

const outcomes = ({ turningRecords }: Troubles): fc.Arbitrary<Outcome> => {
  const soon = span(10 * SECOND, 20 * MINUTE);
  const late = span(10 * MINUTE, 2 * HOUR, 5 * DAY);
  const plain = [
    { weight: 6, arbitrary: outcome('approved', always('approved')) },
    { weight: 4, arbitrary: outcome('declined', always('declined')) },
    { weight: 1, arbitrary: outcome('declined', fc.constant([])) },
    { weight: 1, arbitrary: outcome('refused_400', fc.constant([])) },
    { weight: 1, arbitrary: outcome('refused_429', fc.constant([])) },
  ];
  if (!turningRecords) return fc.oneof(...plain);
  return fc.oneof(
    ...plain,
    // The books differ from the answer.
    { weight: 2, arbitrary: outcome('declined', turn('declined', 'approved', soon)) },
    { weight: 2, arbitrary: outcome('refused_400', always('approved')) },
    {
      weight: 1,
      arbitrary: outcome(
        'refused_400',
        soon.map((after) => [{ after, status: 'approved' }]),
      ),
    },
    { weight: 1, arbitrary: outcome('unlisted', turn('unlisted', 'approved', late)) },
    { weight: 1, arbitrary: outcome('unlisted', turn('unlisted', 'declined', late)) },
    { weight: 2, arbitrary: outcome('pending', turn('pending', 'approved', late)) },
    { weight: 1, arbitrary: outcome('pending', turn('pending', 'declined', late)) },
  );
};

/** A shopper at the issuer's page: tries, a voucher that is paid later, or nothing. */
const atIssuer = ({ turningRecords }: Troubles): fc.Arbitrary<Outcome> => {
  const status: fc.Arbitrary<Try['status']> = fc.oneof(
    { weight: 4, arbitrary: fc.constant<Try['status']>('approved') },
    { weight: 3, arbitrary: fc.constant<Try['status']>('declined') },
  );
  const after = span(5 * SECOND, MINUTE, 20 * MINUTE);
  const tries = fc
    .array(fc.record({ after, status, same: fc.boolean() }), { maxLength: 3 })
    // No try follows an approved one.
    .map((all) => all.slice(0, all.findIndex((one) => one.status === 'approved') + 1 || all.length));
  const tried = tries.map((all): Outcome => ({ says: 'redirect', book: [], tries: all }));
  if (!turningRecords) return tried;
  const paidLate = span(HOUR, 3 * DAY, 12 * DAY);
  const end = fc.option(fc.constantFrom('approved', 'declined'), { nil: undefined, freq: 3 });
  const voucher = fc.tuple(after, end, paidLate).map(
    ([first, status, ms]): Outcome => ({
      says: 'redirect',
      // A voucher without an end is never paid.
      book: status === undefined ? [] : [{ after: ms + 1, status }],
      tries: [{ after: first, status: 'pending', same: false }],
    }),
  );
  return fc.oneof({ weight: 3, arbitrary: tried }, { weight: 1, arbitrary: voucher });
};

type Begun = Pick<PaymentPlan, 'contract' | 'later'>;
type How = Omit<PaymentPlan, keyof Outcome | keyof Begun | 'back'>;

/** A contract that a payment begins, and its later charges. */
function contract({ contracts }: Troubles): fc.Arbitrary<Begun> {
  if (!contracts) return fc.constant({});
  const charge = fc.record({ after: fc.integer({ min: DAY, max: 4 * DAY }), amount: fc.constantFrom(0, 1) });
  const begun = fc.record({ contract: fc.constantFrom('answer', 'record'), later: fc.array(charge, { maxLength: 2 }) });
  return often<Begun>({}, 2, begun);
}

/** The plan of a payment by card, or of a payment at an issuer's page. */
export function paymentPlan(troubles: Troubles, isAway: boolean): fc.Arbitrary<PaymentPlan> {
  const { lostAnswers, slowRecords, oddRecords, lostNotices, storeBreaks, namelessRecords } = troubles;
  const rest: fc.Arbitrary<How> = fc.record({
    way: lostAnswers
      ? often<PaymentPlan['way']>('arrives', 8, fc.constantFrom('not_sent', 'lost'))
      : fc.constant<PaymentPlan['way']>('arrives'),
    slow: often(50, 3, span(500, 3 * SECOND, 12 * SECOND)),
    answer: lostAnswers
      ? often<PaymentPlan['answer']>(
          'whole',
          4,
          fc.constant('lost'),
          fc.constantFrom('http_500', 'unsigned', 'other_amount', 'no_id'),
        )
      : fc.constant<PaymentPlan['answer']>('whole'),
    answerSlow: often(50, 3, span(500, 3 * SECOND, 12 * SECOND)),
    hidden: slowRecords ? often(0, 2, span(5 * SECOND, 20 * MINUTE, 3 * HOUR)) : fc.constant(0),
    unstored: storeBreaks ? often(0, 6, fc.integer({ min: 1, max: 80 })) : fc.constant(0),
    ...(namelessRecords ? { nameless: often(false, 3, fc.constant(true)) } : {}),
    twice: oddRecords ? fc.boolean() : fc.constant(false),
    dated: oddRecords ? often(0, 3, fc.integer({ min: -600, max: 600 })) : fc.constant(0),
    notices: lostNotices
      ? fc.array(fc.record({ after: span(SECOND, MINUTE, HOUR), times: fc.integer({ min: 1, max: 3 }) }), {
          maxLength: 2,
        })
      : fc.constant([{ after: 200, times: 1 }]),
  });
  const back = fc.option(span(SECOND, 5 * SECOND, MINUTE), { nil: undefined });
  const core = isAway
    ? fc.oneof({ weight: 8, arbitrary: atIssuer(troubles) }, { weight: 1, arbitrary: outcomes(troubles) })
    : fc.oneof({ weight: 9, arbitrary: outcomes(troubles) }, { weight: 1, arbitrary: atIssuer(troubles) });
  return fc.tuple(core, rest, back, contract(troubles)).map(
    ([what, how, ms, begun]): PaymentPlan => ({
      ...how,
      ...begun,
      ...what,
      ...(ms === undefined ? {} : { back: ms }),
      // After a signed decline, the relay queries the order only if a notification comes.
      ...(what.says === 'declined' && what.book.length > 1 && how.notices.length === 0
        ? { notices: [{ after: 100, times: 1 }] }
        : {}),
    }),
  );
}

/** The plan of a refund, capture, cancel or payout. */
export function operationPlan({ lostAnswers, slowRecords }: Troubles): fc.Arbitrary<OperationPlan> {
  return fc.record({
    way: lostAnswers
      ? often<OperationPlan['way']>('arrives', 8, fc.constantFrom('not_sent', 'lost'))
      : fc.constant<OperationPlan['way']>('arrives'),
    slow: often(50, 3, span(3 * SECOND)),
    does: often<OperationPlan['does']>(
      'done',
      6,
      fc.constantFrom('failed', 'refused_400'),
      fc.constantFrom('unlisted', 'unlisted_failed'),
    ),
    answer: lostAnswers
      ? often<OperationPlan['answer']>('whole', 3, fc.constant('lost'), fc.constantFrom('http_500', 'unsigned'))
      : fc.constant<OperationPlan['answer']>('whole'),
    answerSlow: often(50, 3, span(12 * SECOND)),
    hidden: slowRecords ? often(0, 2, span(5 * SECOND, HOUR)) : fc.constant(0),
  });
}

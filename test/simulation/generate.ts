import fc from 'fast-check';
import { effectFate, fate, span, type Troubles } from './fates.ts';
import type { Action, History, Step } from './steps.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a history has beside payments. */
type Features = Troubles & {
  gatewayBreaks: boolean;
  recordsSpoil: boolean;
  storeBreaks: boolean;
  relaysDie: boolean;
  shopBreaks: boolean;
  foreignRecords: boolean;
  effects: boolean;
  people: boolean;
  longWaits: boolean;
  relays: number;
};

const features: fc.Arbitrary<Features> = fc.record({
  lostAnswers: fc.boolean(),
  slowRecords: fc.boolean(),
  oddRecords: fc.boolean(),
  turningRecords: fc.boolean(),
  lostNotices: fc.boolean(),
  gatewayBreaks: fc.boolean(),
  recordsSpoil: fc.boolean(),
  storeBreaks: fc.boolean(),
  relaysDie: fc.boolean(),
  shopBreaks: fc.boolean(),
  foreignRecords: fc.boolean(),
  effects: fc.boolean(),
  people: fc.boolean(),
  longWaits: fc.boolean(),
  relays: fc.oneof(fc.constant(1), fc.constantFrom(2, 3)),
});

/** The history of a seed: the same one for the same seed and number of steps. */
export function historyOf(seed: number, steps: number): History {
  const [made] = fc.sample(
    features.chain((chosen) =>
      fc
        .array(stepOf(chosen), { minLength: steps - 1, maxLength: steps - 1, size: 'max' })
        .map((list) => ({ relays: chosen.relays, steps: [first, ...list] })),
    ),
    { seed, numRuns: 1 },
  );
  if (!made) throw new Error('fast-check made no history');
  return { seed, ...made };
}

const first: Step = { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86_400 };

type Weighted = { weight: number; arbitrary: fc.Arbitrary<Action> };

const number = fc.integer({ min: 0, max: 5 });
const amount = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2 }) },
);
const outage = span(5 * SECOND, 2 * MINUTE, HOUR);

function stepOf(chosen: Features): fc.Arbitrary<Step> {
  const after = chosen.longWaits
    ? span(300, 3 * SECOND, 10 * SECOND, 2 * MINUTE, 30 * MINUTE)
    : span(300, SECOND, 3 * SECOND, 10 * SECOND);
  const actions = fc.oneof(...payments(chosen), ...troubles(chosen), ...others(chosen));
  const wait = fc.record({
    do: fc.constant<'wait'>('wait'),
    after: span(30 * MINUTE, 20 * MINUTE, 3 * HOUR, 2 * DAY, ...(chosen.effects ? [60 * DAY] : [])),
  });
  const step = fc.tuple(actions, after).map(([action, ms]): Step => ({ ...action, after: ms }));
  return chosen.longWaits ? fc.oneof({ weight: 20, arbitrary: step }, { weight: 1, arbitrary: wait }) : step;
}

function payments(chosen: Features): Weighted[] {
  const method = fc.oneof(fc.constant<'card'>('card'), fc.constant<'apm'>('apm'));
  const sent = method.chain((one) => fc.record({ method: fc.constant(one), fate: fate(chosen, one === 'apm') }));
  const press = fc
    .tuple(sent, number, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 3 })), span(50, 2500), fc.boolean())
    .map(
      ([how, session, presses, gap, hangsUp]): Action => ({
        ...{ do: 'press pay', session, presses, gap, hangsUp: hangsUp && presses === 1 },
        ...how,
      }),
    );
  const server = fc
    .tuple(sent, number, amount, fc.integer({ min: 1, max: 2 }))
    .map(([how, order, sum, requests]): Action => ({ do: 'pay from server', order, amount: sum, requests, ...how }));
  const create = fc
    .tuple(number, amount, fc.constantFrom(600, 86_400))
    .map(([order, sum, seconds]): Action => ({ do: 'create session', order, amount: sum, seconds }));
  const view = number.map((session): Action => ({ do: 'view session', session }));
  const back = number.map((session): Action => ({ do: 'return from issuer', session }));
  const change = fc
    .tuple(number, amount)
    .map(([session, sum]): Action => ({ do: 'change order', session, amount: sum }));
  return [
    { weight: 5, arbitrary: create },
    { weight: 14, arbitrary: press },
    { weight: 2, arbitrary: server },
    { weight: 3, arbitrary: view },
    { weight: 2, arbitrary: back },
    { weight: 1, arbitrary: change },
  ];
}

function troubles(chosen: Features): Weighted[] {
  const gateway = fc.record<Action & { do: 'break gateway' }>({
    do: fc.constant('break gateway'),
    what: fc.constantFrom('queries', 'payments', 'everything'),
    how: fc.constantFrom('timeout', 'http_500', 'not_sent', 'slow', 'refused_400'),
    ms: outage,
  });
  const spoil = fc.record<Action & { do: 'spoil records' }>({
    do: fc.constant('spoil records'),
    order: number,
    how: fc.constantFrom('unreadable', 'too_large', 'timeout', 'refused'),
    ms: outage,
  });
  const store = fc.record<Action & { do: 'break store' }>({
    do: fc.constant('break store'),
    how: fc.constantFrom('not written', 'written unheard', 'slow'),
    calls: fc.integer({ min: 1, max: 12 }),
  });
  const kill = fc.record<Action & { do: 'kill relay' }>({
    do: fc.constant('kill relay'),
    relay: number,
    calls: fc.integer({ min: 0, max: 15 }),
    effect: fc.boolean(),
    downMs: fc.integer({ min: 1000, max: 60_000 }),
  });
  const shop = fc.record<Action & { do: 'break shop' }>({
    do: fc.constant('break shop'),
    how: fc.constantFrom('http_500', 'silent'),
    ms: outage,
  });
  return [
    ...(chosen.gatewayBreaks ? [{ weight: 2, arbitrary: gateway }] : []),
    ...(chosen.recordsSpoil ? [{ weight: 2, arbitrary: spoil }] : []),
    ...(chosen.storeBreaks ? [{ weight: 2, arbitrary: store }] : []),
    ...(chosen.relaysDie ? [{ weight: 3, arbitrary: kill }] : []),
    ...(chosen.shopBreaks ? [{ weight: 1, arbitrary: shop }] : []),
  ];
}

function others(chosen: Features): Weighted[] {
  const status = fc.constantFrom('approved', 'declined', 'pending', 'unlisted');
  const foreign = fc.tuple(number, amount, fc.integer({ min: -600_000, max: 30 }), status).map(
    ([order, sum, minutes, first]): Action => ({
      ...{ do: 'book foreign record', order, amount: sum, minutes },
      book: [{ after: 0, status: first }],
    }),
  );
  const forged = fc
    .tuple(number, fc.integer({ min: 1, max: 4 }))
    .map(([session, times]): Action => ({ do: 'forge notification', session, times }));
  const item = fc.record({ order: number, repeat: fc.boolean(), fate: effectFate(chosen) });
  const refund = fc.tuple(item, fc.boolean()).map(([one, part]): Action => ({ do: 'refund', part, ...one }));
  const capture = fc
    .tuple(item, fc.constantFrom<'capture' | 'cancel'>('capture', 'cancel'))
    .map(([one, what]): Action => ({ do: what, ...one }));
  const payout = item.map(({ repeat, fate: how }): Action => ({ do: 'pay out', repeat, fate: how }));
  const person = fc
    .tuple(fc.constantFrom<'abandon' | 'expire'>('abandon', 'expire'), number)
    .map(([what, session]): Action => ({ do: what, session }));
  const settle = fc
    .tuple(number, fc.boolean())
    .map(([session, approve]): Action => ({ do: 'settle', session, approve }));
  const reconcile = number.map((order): Action => ({ do: 'reconcile', order }));
  return [
    ...(chosen.lostNotices ? [{ weight: 1, arbitrary: forged }] : []),
    ...(chosen.foreignRecords ? [{ weight: 2, arbitrary: foreign }] : []),
    ...(chosen.effects
      ? [
          { weight: 3, arbitrary: refund },
          { weight: 1, arbitrary: capture },
          { weight: 1, arbitrary: payout },
        ]
      : []),
    ...(chosen.people
      ? [
          { weight: 2, arbitrary: person },
          { weight: 1, arbitrary: settle },
          { weight: 1, arbitrary: reconcile },
        ]
      : []),
  ];
}

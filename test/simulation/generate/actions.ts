import fc from 'fast-check';
import type { Action } from '../steps.ts';
import { DAY, HOUR, MINUTE, operationPlan, paymentPlan, SECOND, span, type Troubles } from './message-plans.ts';

/** The features of a history. */
export type Features = Troubles & {
  gatewayBreaks: boolean;
  recordsSpoil: boolean;
  relaysDie: boolean;
  shopBreaks: boolean;
  foreignRecords: boolean;
  effects: boolean;
  people: boolean;
  longWaits: boolean;
  repeats: boolean;
};

const mostlyOf = <Value>(usual: fc.Arbitrary<Value>, weight: number, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });

const mostly = <Value>(usual: Value, weight: number, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  mostlyOf(fc.constant(usual), weight, other);

export const features: fc.Arbitrary<Features> = fc.record({
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
  // They take days, so few histories have them.
  contracts: mostly(false, 3, fc.constant(true)),
  namelessRecords: mostly(false, 2, fc.constant(true)),
  foreignRecords: fc.boolean(),
  effects: fc.boolean(),
  people: fc.boolean(),
  longWaits: fc.boolean(),
  repeats: fc.boolean(),
});

type Weighted = { weight: number; arbitrary: fc.Arbitrary<Action> };

const is = <const Name extends Action['do']>(name: Name): fc.Arbitrary<Name> => fc.constant(name);

/** An order, counted back from the latest one. */
const order = mostly(0, 2, fc.integer({ min: 1, max: 4 }));
const about = { order, session: mostly(0, 3, fc.integer({ min: 1, max: 2 })) };
const amount = mostly(0, 6, fc.integer({ min: 1, max: 2 }));
const note = fc.constantFrom('', 'n', 'm');
const outage = span(5 * SECOND, 2 * MINUTE, HOUR);

/** An action in a history with these features. Orders are counted back from the latest one. */
export function actionOf(chosen: Features): fc.Arbitrary<Action> {
  return fc.oneof(...payments(chosen), ...troubles(chosen), ...effects(chosen), ...people(chosen), ...repeats(chosen));
}

function payments(chosen: Features): Weighted[] {
  const [card, apm] = [paymentPlan(chosen, false), paymentPlan(chosen, true)];
  const press = (method: 'card' | 'apm', how: typeof card): fc.Arbitrary<Action> =>
    fc
      .record({
        ...{ do: is('press pay'), ...about, method: fc.constant(method), fate: how, gap: span(50, 2500) },
        ...{ presses: mostly(1, 3, fc.integer({ min: 2, max: 3 })), hangsUp: mostly(false, 4, fc.constant(true)) },
      })
      .map((one) => ({ ...one, hangsUp: one.hangsUp && one.presses === 1 }));
  const buy = (method: 'card' | 'apm', how: typeof card): fc.Arbitrary<Action> =>
    fc.record({
      ...{
        do: is('buy'),
        order: mostly(0, 3, fc.integer({ min: 1, max: 2 })),
        amount,
        method: fc.constant(method),
        fate: how,
      },
      ...{ presses: mostly(1, 5, fc.integer({ min: 2, max: 3 })), gap: span(50, 2500) },
    });
  const server = (method: 'card' | 'apm', how: typeof card): fc.Arbitrary<Action> =>
    fc.record({
      ...{ do: is('pay from server'), order, amount, method: fc.constant(method), fate: how },
      requests: mostly(1, 2, fc.constant(2)),
      ...(chosen.repeats ? { keyless: mostly(false, 3, fc.constant(true)) } : {}),
    });
  return [
    {
      weight: 3,
      arbitrary: fc.record({
        ...{ do: is('create session'), amount, seconds: mostly(86_400, 3, fc.constant(600)) },
        // A new order, or another session of an existing one.
        order: mostly(0, 2, fc.integer({ min: 1, max: 3 })),
      }),
    },
    { weight: 12, arbitrary: buy('card', card) },
    { weight: 10, arbitrary: buy('apm', apm) },
    { weight: 6, arbitrary: press('card', card) },
    { weight: 4, arbitrary: press('apm', apm) },
    { weight: 2, arbitrary: server('card', card) },
    { weight: 1, arbitrary: server('apm', apm) },
    { weight: 3, arbitrary: fc.record({ do: is('view session'), ...about }) },
    { weight: 2, arbitrary: fc.record({ do: is('return from issuer'), ...about }) },
    { weight: 1, arbitrary: fc.record({ do: is('change order'), ...about, amount, note }) },
  ];
}

function troubles(chosen: Features): Weighted[] {
  const gateway = fc.record({
    do: is('break gateway'),
    what: fc.constantFrom('queries', 'payments', 'everything'),
    how: fc.constantFrom('timeout', 'http_500', 'not_sent', 'slow', 'refused_400', 'no_success'),
    ms: outage,
  });
  const spoil = fc.record({
    ...{ do: is('spoil records'), order, ms: outage },
    how: fc.constantFrom('unreadable', 'too_large', 'timeout', 'refused', 'no_success'),
  });
  const store = fc.record({
    do: is('break store'),
    how: fc.constantFrom('not written', 'written unheard', 'commit unheard', 'commit late', 'slow'),
    calls: mostly(3, 2, fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 20, max: 300 }))),
  });
  const kill = fc.record({
    ...{ do: is('kill relay'), relay: fc.integer({ min: 0, max: 2 }), calls: fc.integer({ min: 0, max: 15 }) },
    ...{ effect: fc.boolean(), downMs: fc.integer({ min: 1000, max: 60_000 }) },
  });
  const shop = fc.record({ do: is('break shop'), how: fc.constantFrom('http_500', 'silent'), ms: outage });
  const forged = fc.record({ do: is('forge notification'), ...about, times: fc.integer({ min: 1, max: 4 }) });
  const foreign = fc.record({
    ...{ do: is('book foreign record'), order, amount },
    minutes: fc.oneof(fc.integer({ min: -600_000, max: 30 }), fc.integer({ min: -30, max: 30 })),
    nameless: chosen.namelessRecords ? fc.boolean() : fc.constant(false),
    isForeign: mostly(false, 4, fc.constant(true)),
    book: fc.constantFrom('approved', 'declined', 'pending', 'unlisted').map((status) => [{ after: 0, status }]),
  });
  return [
    ...(chosen.gatewayBreaks ? [{ weight: 2, arbitrary: gateway }] : []),
    ...(chosen.recordsSpoil ? [{ weight: 2, arbitrary: spoil }] : []),
    ...(chosen.storeBreaks ? [{ weight: 2, arbitrary: store }] : []),
    ...(chosen.relaysDie ? [{ weight: 3, arbitrary: kill }] : []),
    ...(chosen.shopBreaks ? [{ weight: 1, arbitrary: shop }] : []),
    ...(chosen.lostNotices ? [{ weight: 1, arbitrary: forged }] : []),
    ...(chosen.foreignRecords ? [{ weight: 2, arbitrary: foreign }] : []),
  ];
}

function effects(chosen: Features): Weighted[] {
  if (!chosen.effects) return [];
  const item = { order, repeat: fc.boolean(), fate: operationPlan(chosen) };
  return [
    { weight: 6, arbitrary: fc.record({ do: is('refund'), ...item, part: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: is('capture'), ...item }) },
    { weight: 1, arbitrary: fc.record({ do: is('cancel'), ...item }) },
    { weight: 2, arbitrary: fc.record({ do: is('pay out'), repeat: item.repeat, fate: item.fate }) },
  ];
}

function repeats({ repeats: has, longWaits }: Features): Weighted[] {
  if (!has) return [];
  const again = fc.record({
    ...{ do: is('repeat request'), back: fc.integer({ min: 0, max: 4 }) },
    later: longWaits ? span(MINUTE, 3 * HOUR, 5 * DAY) : span(SECOND, 5 * MINUTE),
    isOther: mostly(false, 3, fc.constant(true)),
  });
  return [{ weight: 5, arbitrary: again }];
}

function people(chosen: Features): Weighted[] {
  if (!chosen.people) return [];
  return [
    { weight: 3, arbitrary: fc.record({ do: is('abandon'), ...about }) },
    { weight: 1, arbitrary: fc.record({ do: is('expire'), ...about }) },
    { weight: 1, arbitrary: fc.record({ do: is('settle'), ...about, approve: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: is('reconcile'), order }) },
  ];
}

/** The time before the next step. */
export function waitOf(chosen: Features): fc.Arbitrary<number> {
  const soon = [300, SECOND, 3 * SECOND, 10 * SECOND, MINUTE];
  return chosen.longWaits ? span(...soon, 20 * MINUTE, 2 * HOUR) : span(...soon);
}

/** A long time without steps. */
export function pauseOf({ effects: isLong }: Features): fc.Arbitrary<number> {
  const usual = span(30 * MINUTE, 3 * HOUR, 2 * DAY);
  // Longer than retention keeps ended orders.
  return isLong ? mostlyOf(usual, 2, fc.integer({ min: 42 * DAY, max: 60 * DAY })) : usual;
}

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../relay/store/postgres/open.ts';
import { openSqlite } from '../../relay/store/sqlite/open.ts';
import type { Store } from '../../relay/store/store.ts';
import { sharedPostgres } from '../support/stores/postgres.ts';
import { type Names, prepared, seenIn, seenOf } from './calls.ts';
import { applied, type Call, ENDPOINTS, emptyModel, inFlight, type Model, orderIn } from './model.ts';

const names: Names = { orders: ['A', 'B'], transactions: ['T1', 'T2', 'T3'], keys: ['k1', 'k2'] };

const one = <Value>(values: readonly Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values);
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });

/** A step of a history. The session, operation or event that it refers to depends on the state at that time. */
type Step = {
  call: Call['call'];
  order: string;
  which: number;
  transaction: string;
  more: string | undefined;
  amount: number;
  key: string | undefined;
  body: string;
  as: Extract<Call, { call: 'finish' }>['as'];
  name: string | undefined;
};

const calls = [
  ...(['create', 'begin', 'begin', 'settle', 'settle', 'change', 'claim', 'claim', 'answer', 'release'] as const),
  ...(['operate', 'operate', 'operate', 'finish', 'finish', 'tell', 'deliver', 'fail'] as const),
  ...(['redeliver', 'acknowledge', 'notify', 'notify', 'lease', 'lease', 'free'] as const),
];

const step: fc.Arbitrary<Step> = fc.record({
  call: one<Call['call']>(calls),
  order: one(names.orders),
  which: fc.nat(3),
  transaction: one(names.transactions),
  more: maybe(one(names.transactions)),
  amount: one([300, 600, 1000]),
  key: maybe(one(names.keys)),
  body: one(['x', 'y']),
  as: one(['succeeded', 'failed', 'unknown', 'not_sent'] as const),
  name: maybe(one(['n1', 'n2'])),
});

/** The calls of a group run at the same moment, this many seconds after the previous group. */
const history = fc.array(fc.record({ after: one([1, 4, 30]), steps: fc.array(step, { minLength: 1, maxLength: 3 }) }), {
  minLength: 4,
  maxLength: 14,
});

const nth = (things: readonly string[], which: number): string | undefined =>
  things[which % Math.max(1, things.length)];

/** The call of a step now, or the call that must precede it; undefined if nothing can be changed. */
function callOf(step: Step, model: Model, id: string): Call | undefined {
  const order = orderIn(model, step.order);
  const withStatus = (status: string): string[] =>
    Object.entries(order.sessions).flatMap(([name, session]) => (session.status === status ? [name] : []));
  const keyed = step.key === undefined || !model.keys[step.key] ? {} : { key: step.key };
  switch (step.call) {
    case 'create':
      return { call: step.call, order: step.order, session: `s${id}` };
    case 'change': {
      const session = nth(withStatus('open'), step.which);
      return session === undefined ? undefined : { call: step.call, order: step.order, session };
    }
    case 'begin': {
      if (order.hold !== 'free') return undefined;
      const session = nth(withStatus('open'), step.which);
      return session === undefined
        ? callOf({ ...step, call: 'create' }, model, id)
        : { call: step.call, order: step.order, session, attempt: `a${id}`, ...keyed };
    }
    case 'settle':
      if (inFlight(order) === undefined) return callOf({ ...step, call: 'begin' }, model, id);
      return {
        call: step.call,
        order: step.order,
        ...(step.amount < 600 ? {} : { approvedBy: step.which > 0 ? 'T1' : `T${step.order}` }),
      };
    case 'claim':
      return { call: step.call, key: step.key ?? 'k1', body: step.body };
    case 'answer':
    case 'release':
      return { call: step.call, key: step.key ?? 'k1' };
    case 'operate': {
      const operation = { call: step.call, id: `o${id}`, ...keyed };
      // A payout has a request_id and refunds nothing.
      if (step.name !== undefined && step.which % 2 === 1) return { ...operation, refunds: [], request: step.name };
      const transactions = [step.transaction, ...(step.more === undefined ? [] : [step.more])];
      const refunds = transactions.map((transaction) => ({ transaction, amount: step.amount }));
      return { ...operation, refunds, ...(step.name === undefined ? {} : { reference: step.name }) };
    }
    case 'finish': {
      const open = Object.entries(model.operations).filter(
        ([, { status }]) => status === 'in_flight' || status === 'unknown',
      );
      const found = nth(
        open.map(([name]) => name),
        step.which,
      );
      return found === undefined ? undefined : { call: step.call, id: found, as: step.as, ...keyed };
    }
    case 'notify': {
      const session = nth(Object.keys(order.sessions), step.which);
      return session === undefined ? undefined : { call: step.call, order: step.order, session, sha256: step.body };
    }
    case 'lease':
    case 'free':
      // An order without a stored attempt is never queried.
      if (order.version === 0) return callOf({ ...step, call: 'begin' }, model, id);
      return { call: step.call, order: step.order };
    case 'tell':
      return { call: step.call, id: `e${step.which}`, subject: step.order, endpoints: ENDPOINTS.slice(step.which % 3) };
    case 'deliver':
    case 'fail': {
      const id = eventOf(step, model);
      const endpoint = nth(Object.keys(model.events[id] ?? {}), step.body === 'x' ? 0 : 1) ?? 'a';
      return { call: step.call, id, endpoint };
    }
    default:
      return { call: step.call, id: eventOf(step, model) };
  }
}

/** An existing event, or an unknown one if none exists. */
const eventOf = ({ which }: Step, { events }: Model): string => nth(Object.keys(events), which) ?? `e${which}`;

/** All orders in which calls may have taken effect. */
function orders<Thing>(things: readonly Thing[]): Thing[][] {
  if (things.length < 2) return [[...things]];
  return things.flatMap((thing, at) => orders(things.toSpliced(at, 1)).map((rest) => [thing, ...rest]));
}

let histories = 0;

/** Runs a history on stores that share their data. At each step the model must explain what they return and contain. */
async function play(
  stores: readonly Store[],
  groups: readonly { after: number; steps: readonly Step[] }[],
): Promise<void> {
  histories += 1;
  const account = `h${histories}`;
  const [first] = stores;
  if (!first) throw new TypeError('no store');
  let model = emptyModel();
  let at = 100;
  for (const [number, { after, steps }] of groups.entries()) {
    at += after;
    const meant = steps.flatMap((each, i) => callOf(each, model, `${number}.${i}`) ?? []);
    const works: (() => Promise<string>)[] = [];
    for (const [i, call] of meant.entries()) {
      works.push(await prepared(stores[i % stores.length] ?? first, account, call, model, at));
    }
    const results = await Promise.all(works.map((work) => work()));
    const ran = meant.map((call, i) => ({ call, result: results[i] ?? '' }));
    const read = model;
    const explained = orders(ran).flatMap((inTurn) => {
      let next = read;
      for (const { call, result } of inTurn) {
        const done = applied(next, call, read, at);
        if (!done.results.includes(result)) return [];
        next = done.model;
      }
      return [next];
    });
    const [likely] = explained;
    if (!likely) {
      const alone = meant.map((call) => applied(read, call, read, at).results);
      throw new Error(`no order of these calls explains their results: ${JSON.stringify({ ran, alone, read })}`);
    }
    const seen = await seenIn(first, account, likely, names, at);
    const same = explained.find((candidate) => isDeepStrictEqual(seenOf(candidate, names, at), seen));
    if (!same) expect(seen, JSON.stringify(ran)).toEqual(seenOf(likely, names, at));
    model = same ?? likely;
  }
}

const check = (stores: readonly Store[], numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(history, (groups) => play(stores, groups)),
    { numRuns },
  );

describe('a store behaves like a plain model', () => {
  it('in an SQLite file', async () => {
    const store = openSqlite(':memory:');
    onTestFinished(() => store.close());
    await check([store], 200);
  });

  it('in PostgreSQL, with two relays at the same moment', async () => {
    const address = await (await sharedPostgres()).database();
    const stores = await Promise.all([openPostgres(address), openPostgres(address)]);
    for (const store of stores) onTestFinished(() => store.close());
    await check(stores, 60);
  });
});

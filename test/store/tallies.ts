import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIds } from '../../relay/base/ids.ts';
import type { AttemptState } from '../../relay/payments/attempt.ts';
import type { CountedPayment, Describe } from '../../relay/store/facets/listing.ts';
import { startOf, startsBetween } from '../../relay/store/stats/collect.ts';
import type { StatsSearch, StoredStats } from '../../relay/store/stats/search.ts';
import { countedOf, createTally } from '../../relay/store/stats/tally.ts';
import type { Store } from '../../relay/store/store.ts';
import {
  answered,
  at,
  attempt,
  moved,
  nextOperation,
  type Open,
  operation,
  purgeOnce,
  refund,
  session,
} from './fixtures.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** Histories begin in the middle of a day. */
const START = 4 * DAY + 10 * HOUR;

const accounts = ['demo', 'other'] as const;
const currencies = ['BRL', 'KWD', 'JPY'] as const;

const states: AttemptState[] = [
  { status: 'in_flight' },
  { status: 'pending', since: at(0) },
  { status: 'approved' },
  { status: 'approved', result: { code: '0000', message: '' } },
  { status: 'declined', result: { code: '2001', message: '' }, proof: 'answer' },
  { status: 'declined', result: { code: '2002', message: '' }, proof: 'record' },
  { status: 'not_sent' },
];

const account = fc.constantFrom(...accounts);
const currency = fc.constantFrom(...currencies);
const state = fc.constantFrom(...states);
const which = fc.nat(1000);
/** Mostly now, and up to four days ago. */
const ago = fc.oneof({ weight: 3, arbitrary: fc.nat(HOUR) }, { weight: 2, arbitrary: fc.nat(4 * DAY) });

const kind = <Kind extends string>(name: Kind) => fc.constant(name);

type Event =
  | { kind: 'pay'; account: string; currency: string; state: AttemptState; ago: number; ms: number }
  | { kind: 'settle'; which: number; state: AttemptState }
  | { kind: 'refund'; account: string; currency: string; ago: number }
  | { kind: 'end refund'; which: number; counts: boolean }
  | ({ kind: 'list'; which: number; account: string; ago: number } & Omit<CountedPayment, 'paid_at'>)
  | { kind: 'purge'; ago: number; limit: number }
  | { kind: 'wait'; seconds: number }
  | { kind: 'refresh'; steps: number };

const pay = {
  kind: 'pay',
  account: 'demo',
  currency: 'BRL',
  state: { status: 'pending', since: at(0) },
  ms: 700,
  ago: 0,
} as const;

const list = {
  kind: 'list',
  account: 'demo',
  currency: 'BRL',
  amount: 500n,
  kept: 300n,
  isRenewal: false,
  isReversed: false,
} as const;

/** Events that already have tallies when the rest happens. */
const before: Event[] = [
  ...[0, DAY, 2 * DAY].flatMap((ago): Event[] => [
    { ...pay, ago },
    { kind: 'refund', account: 'demo', currency: 'BRL', ago: ago + 3 * HOUR },
  ]),
  ...[0, 1].map((which): Event => ({ ...list, which, ago: which * DAY })),
  { kind: 'end refund', which: 2, counts: true },
  { kind: 'wait', seconds: 2 * HOUR },
  { kind: 'refresh', steps: 60 },
];

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind('pay'), account, currency, state, ago, ms: fc.nat(40_000) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('settle'), which, state }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('refund'), account, currency, ago }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('end refund'), which, counts: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: kind('list'), account, currency, ago, which: fc.nat(2) },
      ...{ isRenewal: fc.boolean(), isReversed: fc.boolean() },
      ...{ amount: fc.bigInt({ min: 0n, max: 10n ** 12n }), kept: fc.bigInt({ min: 0n, max: 1000n }) },
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('purge'), ago: fc.nat(2 * DAY), limit: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('wait'), seconds: fc.nat(8 * HOUR) }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('refresh'), steps: fc.integer({ min: 1, max: 15 }) }) },
);

/** A store with the events of a history. */
class History {
  readonly #store: Store;
  #now = START;
  readonly #orders: { account: string; order_no: string; session: string }[] = [];
  /** The statistics' data about the payments of orders, by order_no. */
  readonly #listed = new Map<string, { account: string; payment: CountedPayment }>();
  readonly #refunds: { id: string; currency: string; amount: bigint; counts: boolean }[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  async happen(one: Event): Promise<void> {
    switch (one.kind) {
      case 'pay': {
        const [id, started_at] = [`cs_${this.#orders.length}`, at(this.#now - one.ago)];
        const open = { ...session(id, id, one.account), created_at: started_at };
        await this.#store.sessions.create(open);
        const begun = attempt(createIds(() => new Date(started_at))('at'), open, {
          ...{ started_at, currency: one.currency, amount: `${one.ms}`, state: one.state },
          settled_at: new Date(Date.parse(started_at) + one.ms).toISOString(),
        });
        await moved(this.#store, open, { status: 'expired' }, ({ attempts }) => ({ attempts: [...attempts, begun] }));
        this.#orders.push({ account: one.account, order_no: id, session: id });
        return;
      }
      case 'settle': {
        const order = this.#orders[one.which % Math.max(1, this.#orders.length)];
        const known = order && (await this.#store.sessions.get(order.session));
        if (!known) return;
        await moved(this.#store, known, known.state, ({ attempts }) => ({
          attempts: attempts.map((before) => ({ ...before, state: one.state, settled_at: at(this.#now) })),
        }));
        return;
      }
      case 'refund': {
        const [id, amount] = [`op_${this.#refunds.length}`, BigInt(this.#refunds.length + 1)];
        const begun = operation(id, { account: one.account, created_at: at(this.#now - one.ago) });
        await this.#store.operations.begin(begun, [refund(amount, 1000n, one.currency, id)]);
        this.#refunds.push({ id, currency: one.currency, amount, counts: true });
        return;
      }
      case 'end refund': {
        const found = this.#refunds[one.which % Math.max(1, this.#refunds.length)];
        const known = found && (await this.#store.operations.get(found.id));
        if (!known) return;
        const ended = { operation: nextOperation(known, answered), counted: [one.counts], events: [] };
        expect(await this.#store.operations.finish(ended)).toBe(true);
        found.counts = one.counts;
        return;
      }
      case 'list': {
        const { account, ago, which, kind: _, ...sums } = one;
        const order_no = `${account} ${which}`;
        const known = await this.#store.sessions.get(order_no);
        this.#listed.set(order_no, { account, payment: { ...sums, paid_at: at(this.#now - ago) } });
        if (!known) await this.#store.sessions.create(session(order_no, order_no, account));
        else await moved(this.#store, known, { status: 'expired' });
        await this.#list();
        return;
      }
      case 'purge':
        await purgeOnce(this.#store, { before: at(this.#now - one.ago), counted_before: at(0), limit: one.limit });
        await this.#list();
        return;
      case 'wait':
        this.#now += one.seconds;
        return;
      case 'refresh':
        for (let step = 0; step < one.steps && (await this.#store.stats.refresh(at(this.#now))); step++);
        return;
    }
  }

  async #list(): Promise<void> {
    const describe: Describe = {
      order: ({ order_no, sessions: [first] }) => {
        const payment = this.#listed.get(order_no)?.payment;
        return first && { created_at: first.created_at, terms: ['all'], payments: payment ? [payment] : [] };
      },
      operation: () => [],
    };
    while ((await this.#store.listing.refresh(100, describe)) > 0);
  }

  /** Requests whose answers cover all data. */
  questions(): StatsSearch[] {
    const to = startOf(at(this.#now + DAY), 'day');
    const from = new Date(Date.parse(to) - 6 * DAY * 1000).toISOString();
    return accounts.flatMap((account): StatsSearch[] => [
      { account, by: 'day', from, to },
      { account, by: 'hour', from, to },
      { account, by: 'day', from, to, currency: 'KWD' },
    ]);
  }

  /** The stored rows, counted without tallies. */
  async counted({ account, by, from, to, currency }: StatsSearch): Promise<StoredStats> {
    const total = createTally();
    const periods = new Map(startsBetween(from, to, by).map((start) => [start, createTally()]));
    const talliesOf = (moment: string, own: { currency: string }) => {
      const tally = periods.get(startOf(moment, by));
      return tally && (currency === undefined || own.currency === currency) ? [total, tally] : [];
    };
    for (const order of this.#orders.filter((one) => one.account === account)) {
      for (const one of (await this.#store.orders.get(account, order.order_no)).attempts) {
        for (const tally of talliesOf(one.started_at, one)) tally.add(countedOf(one));
      }
    }
    for (const { id, counts, ...one } of this.#refunds) {
      const known = await this.#store.operations.get(id);
      if (known?.account !== account || !counts) continue;
      const counted = { [one.currency]: { refunds: [1, String(one.amount)] as [number, string] } };
      for (const tally of talliesOf(known.created_at, one)) tally.add(counted);
    }
    for (const [order_no, { account: own, payment }] of this.#listed) {
      const isKept = own === account && (await this.#store.orders.get(account, order_no)).sessions.length > 0;
      const gross: [number, bigint] = [1, payment.amount];
      const net: [number, bigint] = [Number(payment.kept > 0n), payment.kept];
      const more = { ...(payment.isRenewal && { renewals: gross }), ...(payment.isReversed && { reversed: gross }) };
      const counted = { [payment.currency]: { gross, net, ...more } };
      for (const tally of isKept ? talliesOf(payment.paid_at, payment) : []) tally.add(counted);
    }
    return { total: total.figures(), periods: [...periods].map(([start, tally]) => ({ start, ...tally.figures() })) };
  }
}

/** Figures from tallies equal those of the stored rows. */
export function tallyBehaviour(open: Open): void {
  describe('tallies of hours and days', () => {
    it('equal a count of all rows, whatever happened', async () => {
      const property = fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
        const store = await open();
        const history = new History(store);
        for (const one of [...before, ...events]) await history.happen(one);
        for (const question of history.questions()) {
          expect(await store.stats.get(question)).toEqual(await history.counted(question));
        }
      });
      await fc.assert(property, { numRuns: 12 });
    });

    it('are complete in the end, with no work left', async () => {
      const store = await open();
      const history = new History(store);
      for (const days of [0, 1, 3]) await history.happen({ ...pay, ago: days * DAY });
      const refresh = () => store.stats.refresh(at(START + 2 * HOUR));
      let steps = 0;
      while (await refresh()) steps++;
      expect(steps).toBeGreaterThan(10);
      expect(await refresh()).toBe(false);
      for (const question of history.questions()) {
        expect(await store.stats.get(question)).toEqual(await history.counted(question));
      }
      await history.happen({ kind: 'settle', which: 2, state: { status: 'not_sent' } });
      expect((await Promise.all([refresh(), refresh()])).filter(Boolean)).toHaveLength(1);
      expect(await refresh()).toBe(false);
    });

    it('of the future, caused by a wrong clock, are counted again', async () => {
      const store = await open();
      const history = new History(store);
      while (await store.stats.refresh(at(START + 300 * DAY)));
      await history.happen(pay);
      while (await store.stats.refresh(at(START + 2 * HOUR)));
      await history.happen({ ...pay, ago: -5 * HOUR });
      for (const question of history.questions()) {
        expect(await store.stats.get(question)).toEqual(await history.counted(question));
      }
    });
  });
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIds } from '../../base/ids.ts';
import type { AttemptState } from '../../payments/attempt.ts';
import { startOf, startsBetween } from '../stats/periods.ts';
import type { StatsSearch, StoredStats } from '../stats/search.ts';
import { countedPayment, createTally } from '../stats/tally.ts';
import type { Store } from '../store.ts';
import { answered, at, attempt, moved, nextOperation, type Open, operation, refund, session } from './fixtures.ts';

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

const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('pay'), account, currency, state, ago, ms: fc.nat(40_000) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle'), which, state, ms: fc.nat(40_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund'), account, currency, ago }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end refund'), which, counts: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('purge'), ago: fc.nat(4 * DAY), limit: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait'), seconds: fc.nat(8 * HOUR) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('refresh'), steps: fc.integer({ min: 1, max: 60 }) }) },
);

/** A store with what happened in it. */
class History {
  readonly #store: Store;
  #now = START;
  readonly #orders: { account: string; order_no: string; session: string }[] = [];
  readonly #refunds: { id: string; currency: string; amount: bigint; counts: boolean }[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  async happen(one: typeof event extends fc.Arbitrary<infer Event> ? Event : never): Promise<void> {
    switch (one.kind) {
      case 'pay': {
        const [id, started_at] = [`cs_${this.#orders.length}`, at(this.#now - one.ago)];
        const open = { ...session(id, id, one.account), created_at: started_at };
        await this.#store.createSession(open);
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
        const known = order && (await this.#store.session(order.session));
        if (!known) return;
        await moved(this.#store, known, known.state, ({ attempts }) => ({
          attempts: attempts.map((before) => ({ ...before, state: one.state, settled_at: at(this.#now) })),
        }));
        return;
      }
      case 'refund': {
        const [id, amount] = [`op_${this.#refunds.length}`, BigInt(this.#refunds.length + 1)];
        const begun = operation(id, { account: one.account, created_at: at(this.#now - one.ago) });
        await this.#store.beginOperation(begun, [refund(amount, 1000n, one.currency, id)]);
        this.#refunds.push({ id, currency: one.currency, amount, counts: true });
        return;
      }
      case 'end refund': {
        const found = this.#refunds[one.which % Math.max(1, this.#refunds.length)];
        const known = found && (await this.#store.operation(found.id));
        if (!known) return;
        const ended = { operation: nextOperation(known, answered), counted: [one.counts], events: [] };
        expect(await this.#store.finishOperation(ended)).toBe(true);
        found.counts = one.counts;
        return;
      }
      case 'purge':
        await this.#store.purge({ before: at(this.#now - one.ago), counted_before: at(0), limit: one.limit });
        return;
      case 'wait':
        this.#now += one.seconds;
        return;
      case 'refresh':
        for (let step = 0; step < one.steps && (await this.#store.refreshStats(at(this.#now))); step++);
        return;
    }
  }

  /** Questions whose answers say all that is known. */
  questions(): StatsSearch[] {
    const to = startOf(at(this.#now + DAY), 'day');
    const from = new Date(Date.parse(to) - 6 * DAY * 1000).toISOString();
    return accounts.flatMap((account): StatsSearch[] => [
      { account, by: 'day', from, to },
      { account, by: 'hour', from, to },
      { account, by: 'day', from, to, currency: 'KWD' },
    ]);
  }

  /** What is stored, counted without any tally. */
  async counted({ account, by, from, to, currency }: StatsSearch): Promise<StoredStats> {
    const total = createTally();
    const periods = new Map(startsBetween(from, to, by).map((start) => [start, createTally()]));
    const talliesOf = (moment: string, own: { currency: string }) => {
      const tally = periods.get(startOf(moment, by));
      return tally && (currency === undefined || own.currency === currency) ? [total, tally] : [];
    };
    for (const order of this.#orders.filter((one) => one.account === account)) {
      for (const one of (await this.#store.order(account, order.order_no)).attempts) {
        const payment = countedPayment(one);
        if (payment) for (const tally of talliesOf(one.started_at, one)) tally.addPayment(payment);
      }
    }
    for (const { id, counts, ...one } of this.#refunds) {
      const known = await this.#store.operation(id);
      if (known?.account !== account || !counts) continue;
      for (const tally of talliesOf(known.created_at, one)) tally.addRefund({ ...known, ...one });
    }
    return { total: total.figures(), periods: [...periods].map(([start, tally]) => ({ start, ...tally.figures() })) };
  }
}

/** Figures from tallies are those of what is stored. */
export function tallyBehaviour(open: Open): void {
  describe('tallies of hours and days', () => {
    it('tell what a count of everything tells, whatever happened', async () => {
      const property = fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        const store = await open();
        const history = new History(store);
        for (const one of events) {
          await history.happen(one);
          if (one.kind === 'wait') continue;
          const [question] = history.questions();
          if (question) expect(await store.stats(question)).toEqual(await history.counted(question));
        }
        for (const question of history.questions()) {
          expect(await store.stats(question)).toEqual(await history.counted(question));
        }
      });
      await fc.assert(property, { numRuns: 20 });
    });

    it('are all there in the end, and then nothing is left to do', async () => {
      const store = await open();
      const history = new History(store);
      const [pay, more] = [
        { kind: 'pay', account: 'demo', currency: 'BRL', ms: 5 },
        { state: states[2] ?? { status: 'approved' } },
      ] as const;
      for (const days of [0, 1, 3]) await history.happen({ ...pay, ...more, ago: days * DAY });
      const refresh = () => store.refreshStats(at(START + 2 * HOUR));
      let steps = 0;
      while (await refresh()) steps++;
      expect(steps).toBeGreaterThan(10);
      expect(await refresh()).toBe(false);
      for (const question of history.questions()) {
        expect(await store.stats(question)).toEqual(await history.counted(question));
      }
      await history.happen({ kind: 'settle', which: 2, state: { status: 'not_sent' }, ms: 1 });
      expect((await Promise.all([refresh(), refresh()])).filter(Boolean)).toHaveLength(1);
      expect(await refresh()).toBe(false);
    });

    it('of the future, which a wrong clock made, are counted again', async () => {
      const store = await open();
      const history = new History(store);
      while (await store.refreshStats(at(START + 300 * DAY)));
      await history.happen({
        kind: 'pay',
        account: 'demo',
        currency: 'BRL',
        ms: 5,
        ago: 0,
        state: { status: 'approved' },
      });
      while (await store.refreshStats(at(START + 2 * HOUR)));
      await history.happen({
        kind: 'pay',
        account: 'demo',
        currency: 'BRL',
        ms: 5,
        ago: -5 * HOUR,
        state: { status: 'approved' },
      });
      for (const question of history.questions()) {
        expect(await store.stats(question)).toEqual(await history.counted(question));
      }
    });
  });
}

import { describe, expect, it } from 'vitest';
import type { LimitName, Quota } from '../../../relay/payments/attempt.ts';
import type { Store } from '../../../relay/store/store.ts';
import { at, event, type Open, session, starting } from '../fixtures.ts';

const quota = (key: string, max: number, seconds = 60, name: LimitName = 'ip'): Quota => ({
  name,
  key,
  max,
  window_ms: seconds * 1000,
});

let payments = 0;

/** A payment of a separate order that begins at `second`. */
async function pay(store: Store, second: number, counted: readonly Quota[], orderNo?: string) {
  payments += 1;
  const n = payments;
  const one = session(`cs_${n}`, orderNo ?? `order ${n}`);
  const before = await store.orders.get(one.account, one.order_no);
  const write = starting(before, one, `at_${n}`, at(second));
  return store.orders.write({ ...write, quotas: { counted, at: at(second) } });
}

const written = { kind: 'written' };

/** How attempts are counted. */
export function quotaBehaviour(open: Open): void {
  describe('a quota', () => {
    it('allows the limit per window, and returns the next possible time', async () => {
      const store = await open();
      const quotas = [quota('a', 2)];
      expect(await pay(store, 0, quotas)).toEqual(written);
      expect(await pay(store, 10, quotas)).toEqual(written);
      const limited = { kind: 'limited', limit: 'ip', until: at(60) };
      expect(await pay(store, 20, quotas)).toEqual(limited);
      expect(await pay(store, 59, quotas)).toEqual(limited);
      expect(await pay(store, 60, quotas)).toEqual(written);
      expect(await pay(store, 61, quotas)).toEqual({ ...limited, until: at(70) });
    });

    it('counts each key separately', async () => {
      const store = await open();
      expect(await pay(store, 0, [quota('a', 1)])).toEqual(written);
      expect(await pay(store, 0, [quota('b', 1)])).toEqual(written);
      expect(await pay(store, 0, [quota('a', 1)])).toMatchObject({ kind: 'limited' });
    });

    it('that is used up leaves the others unchanged', async () => {
      const store = await open();
      const [first, second] = [quota('ip', 9), quota('card', 1, 60, 'card')];
      expect(await pay(store, 0, [second])).toEqual(written);
      for (let i = 0; i < 9; i++) expect(await pay(store, 0, [first, second])).toMatchObject({ limit: 'card' });
      for (let i = 0; i < 9; i++) expect(await pay(store, 0, [first])).toEqual(written);
      expect(await pay(store, 0, [first])).toMatchObject({ limit: 'ip' });
    });

    it('of a limited attempt stores nothing', async () => {
      const store = await open();
      await pay(store, 0, [quota('a', 1)]);
      const one = session('cs_one', 'B');
      await store.sessions.create(one);
      const before = await store.orders.get('demo', 'B');
      const write = { ...starting(before, one, 'at_one'), events: [event('e1')] };
      const limited = await store.orders.write({ ...write, quotas: { counted: [quota('a', 1)], at: at(0) } });
      expect(limited).toMatchObject({ kind: 'limited' });
      expect(await store.sessions.get('cs_one')).toEqual(one);
      expect(await store.orders.get('demo', 'B')).toMatchObject({ hold: 'free', attempts: [] });
      expect(await store.outbox.leaseDue('demo', 'default', at(1), at(60), 10)).toEqual([]);
      const again = starting(await store.orders.get('demo', 'B'), one, 'at_one');
      expect(await store.orders.write(again)).toEqual(written);
    });

    it('is not used up by failed writes', async () => {
      const store = await open();
      const counted = [quota('a', 2)];
      const one = session('cs_a', 'A');
      const before = await store.orders.get('demo', 'A');
      const start = () => store.orders.write({ ...starting(before, one, 'at_a'), quotas: { counted, at: at(0) } });
      expect(await start()).toEqual(written);
      for (let i = 0; i < 5; i++) expect(await start()).toEqual({ kind: 'changed' });
      expect(await pay(store, 2, counted)).toEqual(written);
    });

    it('can be checked without being counted', async () => {
      const store = await open();
      const quotas = [quota('a', 9), quota('b', 1, 60, 'card')];
      for (let i = 0; i < 5; i++) expect(await store.quotas.check(quotas, at(0))).toBeUndefined();
      expect(await store.quotas.check([], at(0))).toBeUndefined();
      expect(await pay(store, 0, quotas)).toEqual(written);
      expect(await store.quotas.check(quotas, at(59))).toEqual({ kind: 'limited', limit: 'card', until: at(60) });
      expect(await store.quotas.check(quotas, at(60))).toBeUndefined();
    });

    it('is given back for an unsent attempt, without a gap', async () => {
      const store = await open();
      const quotas = [quota('a', 3), quota('b', 9, 60, 'card')];
      for (const second of [0, 10, 20]) expect(await pay(store, second, quotas)).toEqual(written);
      expect(await store.quotas.check(quotas, at(30))).toMatchObject({ until: at(60) });
      const before = await store.orders.get('demo', 'x');
      const uncounted = { quotas, at: at(10) };
      expect(await store.orders.write({ before, after: before, events: [], uncounted })).toEqual(written);
      expect(await pay(store, 30, quotas)).toEqual(written);
      expect(await store.quotas.check(quotas, at(30))).toMatchObject({ until: at(60) });
      expect(await store.quotas.check(quotas, at(60))).toBeUndefined();
      expect(await pay(store, 60, quotas)).toEqual(written);
      expect(await store.quotas.check(quotas, at(61))).toMatchObject({ until: at(80) });
    });

    it('gives nothing back for an attempt that it did not count', async () => {
      const store = await open();
      await pay(store, 0, [quota('a', 1)]);
      const before = await store.orders.get('demo', 'x');
      await store.orders.write({
        before,
        after: before,
        events: [],
        uncounted: { quotas: [quota('a', 1)], at: at(7) },
      });
      expect(await store.quotas.check([quota('a', 1)], at(8))).toMatchObject({ kind: 'limited' });
    });

    it('stays exact under many concurrent counts and returns', async () => {
      const store = await open();
      const quotas = [quota('a', 100)];
      for (let second = 0; second < 6; second++) await pay(store, second, quotas);
      const give = async (second: number) => {
        const before = await store.orders.get('demo', `y${second}`);
        return store.orders.write({ before, after: before, events: [], uncounted: { quotas, at: at(second) } });
      };
      await Promise.all([give(0), give(3), give(5), pay(store, 6, quotas), pay(store, 6, quotas)]);
      expect(await store.quotas.check([quota('a', 5)], at(6))).toMatchObject({ kind: 'limited', until: at(61) });
      expect(await store.quotas.check([quota('a', 6)], at(6))).toBeUndefined();
    });

    it('admits exactly the limit of many concurrent payments', async () => {
      const store = await open();
      // A store that is busy already: no caller waits for a connection.
      await Promise.all(Array.from({ length: 10 }, () => store.check()));
      const quotas = [quota('ip', 5), quota('account', 50, 60, 'account')];
      const answers = await Promise.all(Array.from({ length: 30 }, () => pay(store, 0, quotas)));
      expect(answers.filter(({ kind }) => kind === 'written')).toHaveLength(5);
      expect(answers.filter(({ kind }) => kind === 'limited')).toHaveLength(25);
    });

    it('ignores counts of a clock that was ahead', async () => {
      const store = await open();
      const day = 86_400;
      const quotas = [quota('a', 2), quota('b', 1, 3600, 'card')];
      expect(await pay(store, day, quotas)).toEqual(written);
      expect(await pay(store, day + 1, [quota('a', 2)])).toEqual(written);
      expect(await pay(store, day + 2, [quota('a', 2)])).toMatchObject({ kind: 'limited' });
      expect(await store.quotas.check(quotas, at(600))).toBeUndefined();
      expect(await pay(store, 600, quotas)).toEqual(written);
      expect(await store.quotas.check(quotas, at(601))).toMatchObject({ limit: 'card', until: at(4200) });
      expect(await pay(store, 601, [quota('a', 2)])).toEqual(written);
      expect(await pay(store, 602, [quota('a', 2)])).toEqual({ kind: 'limited', limit: 'ip', until: at(660) });
    });

    it('includes counts of a clock that was slightly ahead', async () => {
      const store = await open();
      expect(await pay(store, 2, [quota('a', 1)])).toEqual(written);
      expect(await pay(store, 0, [quota('a', 1)])).toMatchObject({ kind: 'limited' });
      expect(await store.quotas.check([quota('a', 1)], at(0))).toMatchObject({ kind: 'limited' });
    });

    it('may be arbitrarily large', async () => {
      expect(await pay(await open(), 0, [quota('a', 3_000_000_000)])).toEqual(written);
    });

    it('is kept when the limit becomes smaller or larger', async () => {
      const store = await open();
      for (let i = 0; i < 3; i++) expect(await pay(store, i, [quota('a', 3)])).toEqual(written);
      expect(await pay(store, 3, [quota('a', 1)])).toMatchObject({ kind: 'limited', until: at(62) });
      expect(await pay(store, 3, [quota('a', 4)])).toEqual(written);
    });
  });
}

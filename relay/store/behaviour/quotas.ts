import { describe, expect, it } from 'vitest';
import type { LimitName, Quota, Store } from '../store.ts';
import { at, attempt, next, type Open, session } from './fixtures.ts';

const quota = (key: string, most: number, seconds = 60, name: LimitName = 'ip'): Quota => ({
  name,
  key,
  most,
  window_ms: seconds * 1000,
});

let payments = 0;

/** A payment of an order of its own, which `second` it begins at. */
async function pay(store: Store, second: number, quotas: readonly Quota[], orderNo?: string) {
  payments += 1;
  const id = String(payments);
  const one = next(session(`cs_${id}`, orderNo ?? `order ${id}`), { status: 'processing', attempt_id: `at_${id}` });
  return store.startPayment(one, attempt(`at_${id}`, one, { started_at: at(second) }), quotas);
}

const created = { kind: 'created' };

/** How attempts are counted. */
export function quotaBehaviour(open: Open): void {
  describe('a quota', () => {
    it('lets so many attempts through in its window, and says until when the next one waits', async () => {
      const store = await open();
      const quotas = [quota('a', 2)];
      expect(await pay(store, 0, quotas)).toEqual(created);
      expect(await pay(store, 10, quotas)).toEqual(created);
      const limited = { kind: 'limited', limit: 'ip', until: at(60) };
      expect(await pay(store, 20, quotas)).toEqual(limited);
      expect(await pay(store, 59, quotas)).toEqual(limited);
      expect(await pay(store, 60, quotas)).toEqual(created);
      expect(await pay(store, 61, quotas)).toEqual({ ...limited, until: at(70) });
    });

    it('counts for one key, and not for another', async () => {
      const store = await open();
      expect(await pay(store, 0, [quota('a', 1)])).toEqual(created);
      expect(await pay(store, 0, [quota('b', 1)])).toEqual(created);
      expect(await pay(store, 0, [quota('a', 1)])).toMatchObject({ kind: 'limited' });
    });

    it('that is used up makes the others count nothing', async () => {
      const store = await open();
      const [first, second] = [quota('ip', 9), quota('card', 1, 60, 'card')];
      expect(await pay(store, 0, [second])).toEqual(created);
      for (let i = 0; i < 9; i++) expect(await pay(store, 0, [first, second])).toMatchObject({ limit: 'card' });
      for (let i = 0; i < 9; i++) expect(await pay(store, 0, [first])).toEqual(created);
      expect(await pay(store, 0, [first])).toMatchObject({ limit: 'ip' });
    });

    it('of a limited attempt leaves nothing behind', async () => {
      const store = await open();
      await pay(store, 0, [quota('a', 1)], 'A');
      const one = session('cs_one', 'B');
      await store.createSession(one);
      const started = next(one, { status: 'processing', attempt_id: 'at_one' });
      const limited = await store.startAttempt(started, attempt('at_one', one), [quota('a', 1)]);
      expect(limited).toMatchObject({ kind: 'limited' });
      expect(await store.session('cs_one')).toEqual(one);
      expect(await store.attemptsOfOrder('demo', 'B')).toEqual([]);
      expect(await store.startAttempt(started, attempt('at_one', one), [])).toEqual({ kind: 'started' });
    });

    it('is not used up by tries to pay an order that is held', async () => {
      const store = await open();
      const quotas = [quota('a', 2)];
      expect(await pay(store, 0, quotas, 'A')).toEqual(created);
      for (let i = 0; i < 5; i++) expect(await pay(store, 1, quotas, 'A')).toEqual({ kind: 'order_in_progress' });
      expect(await pay(store, 2, quotas, 'B')).toEqual(created);
    });

    it('lets exactly so many of those through that come at the same moment', async () => {
      const store = await open();
      // A store that is busy already: nobody waits for a connection.
      await Promise.all(Array.from({ length: 10 }, () => store.check()));
      const quotas = [quota('ip', 5), quota('account', 50, 60, 'account')];
      const answers = await Promise.all(Array.from({ length: 30 }, () => pay(store, 0, quotas)));
      expect(answers.filter(({ kind }) => kind === 'created')).toHaveLength(5);
      expect(answers.filter(({ kind }) => kind === 'limited')).toHaveLength(25);
    });

    it('may be as large as anyone likes', async () => {
      expect(await pay(await open(), 0, [quota('a', 3_000_000_000)])).toEqual(created);
    });

    it('is kept over a smaller and a larger limit', async () => {
      const store = await open();
      for (let i = 0; i < 3; i++) expect(await pay(store, i, [quota('a', 3)])).toEqual(created);
      expect(await pay(store, 3, [quota('a', 1)])).toMatchObject({ kind: 'limited', until: at(62) });
      expect(await pay(store, 3, [quota('a', 4)])).toEqual(created);
    });
  });
}

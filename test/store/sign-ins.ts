import { describe, expect, it } from 'vitest';
import type { Quota } from '../../relay/payments/attempt.ts';
import type { SignIn } from '../../relay/store/facets/people.ts';
import { at, type Open } from './fixtures.ts';

const signIn = (token_sha256: string, more: Partial<SignIn> = {}): SignIn => ({
  ...{ token_sha256, person: 'Ada', credential: 'c', created_at: at(0), seen_at: at(0), ...more },
});

const quota = (key: string, max: number): Quota => ({ name: 'sign_in', key, max, window_ms: 60_000 });

/** The console's sign-ins and the limits of attempts. */
export function signInBehaviour(open: Open): void {
  describe('a sign-in', () => {
    it('is found by its token until it ends', async () => {
      const store = await open();
      await store.people.addSignIn(signIn('a'));
      await store.people.addSignIn(signIn('b', { person: 'Zoë' }));
      await store.people.seeSignIn('a', at(9));
      expect(await store.people.getSignIn('a')).toEqual(signIn('a', { seen_at: at(9) }));
      expect(await store.people.getSignIn('b')).toEqual(signIn('b', { person: 'Zoë' }));
      await store.people.endSignIn('a');
      await store.people.endSignIn('a');
      expect(await store.people.getSignIn('a')).toBeUndefined();
      expect(await store.people.getSignIn('b')).toBeDefined();
    });

    it('is listed with its person’s others, newest first', async () => {
      const store = await open();
      const own = [signIn('a', { created_at: at(1), ip: '203.0.113.7' }), signIn('b', { created_at: at(2) })];
      for (const one of [...own, signIn('c', { person: 'Zoë' })]) await store.people.addSignIn(one);
      expect(await store.people.listSignIns('Ada')).toEqual(own.toReversed());
      expect(await store.people.listSignIns('Eve')).toEqual([]);
    });

    it('is deleted when it is old', async () => {
      const store = await open();
      for (const [name, second] of Object.entries({ a: 1, b: 2, c: 3, d: 100 })) {
        await store.people.addSignIn(signIn(name, { created_at: at(second) }));
      }
      expect(await store.people.forgetSignIns(at(50), 2)).toBe(true);
      expect(await store.people.forgetSignIns(at(50), 2)).toBe(false);
      for (const name of ['a', 'b', 'c']) expect(await store.people.getSignIn(name)).toBeUndefined();
      expect(await store.people.getSignIn('d')).toBeDefined();
    });
  });

  describe('a counted attempt that is no payment', () => {
    it('is counted until a quota is used up, not beyond', async () => {
      const store = await open();
      const both = [quota('name', 2), quota('address', 9)];
      expect(await store.quotas.count(both, at(0))).toBeUndefined();
      expect(await store.quotas.count(both, at(1))).toBeUndefined();
      expect(await store.quotas.count(both, at(2))).toEqual({ kind: 'limited', limit: 'sign_in', until: at(60) });
      expect(await store.quotas.check([quota('address', 3)], at(2))).toBeUndefined();
      expect(await store.quotas.count([quota('other', 2)], at(2))).toBeUndefined();
      expect(await store.quotas.count(both, at(60))).toBeUndefined();
    });

    it('can be given back', async () => {
      const store = await open();
      const quotas = [quota('name', 1)];
      expect(await store.quotas.count(quotas, at(0))).toBeUndefined();
      await store.quotas.uncount(quotas, at(0));
      expect(await store.quotas.count(quotas, at(1))).toBeUndefined();
      await store.quotas.uncount(quotas, at(0));
      expect(await store.quotas.count(quotas, at(2))).toMatchObject({ kind: 'limited' });
    });

    it('is admitted exactly as often as the limit, simultaneously', async () => {
      const store = await open();
      const quotas = [quota('name', 3)];
      const answers = await Promise.all(Array.from({ length: 10 }, () => store.quotas.count(quotas, at(0))));
      expect(answers.filter((limited) => limited === undefined)).toHaveLength(3);
    });
  });
}

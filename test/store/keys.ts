import { describe, expect, it } from 'vitest';
import { answered, at, claim, key, nextOperation, type Open, operation, processing } from './fixtures.ts';

/** Idempotency keys. */
export function keyBehaviour(open: Open): void {
  describe('idempotency keys', () => {
    it('are claimed once, and told apart by account, route, key and fingerprint', async () => {
      const store = await open();
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'claimed' });
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'running' });
      const other = { ...claim, fingerprint: 'g' };
      expect(await store.claimKey(other, at(0))).toEqual({ kind: 'other_body' });
      expect(await store.claimKey({ ...other, earlier: ['h'] }, at(0))).toEqual({ kind: 'other_body' });
      expect(await store.claimKey({ ...other, earlier: ['h', 'f'] }, at(0))).toEqual({ kind: 'running' });
      for (const elsewhere of [{ account: 'other' }, { route: '/v1/payout' }, { key: 'k-2' }]) {
        expect(await store.claimKey({ ...claim, ...elsewhere }, at(0))).toEqual({ kind: 'claimed' });
      }
    });

    it('are claimed by one of many that come at the same moment', async () => {
      const store = await open();
      const claims = Array.from({ length: 8 }, () => store.claimKey(claim, at(0)));
      const kinds = (await Promise.all(claims)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['claimed', ...Array(7).fill('running')]);
    });

    it('keep the first answer', async () => {
      const store = await open();
      await store.claimKey(claim, at(0));
      await store.answerKey({ ...key, reply: 'one' });
      await store.answerKey({ ...key, reply: 'two' });
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'answered', reply: 'one' });
      await store.releaseKeys([claim]);
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'answered', reply: 'one' });
    });

    it('are free again after they expire or are released without an operation', async () => {
      const store = await open();
      await store.claimKey(claim, at(0));
      const again = { ...claim, claimed_at: at(3700) };
      expect(await store.claimKey(again, at(3600))).toEqual({ kind: 'running' });
      expect(await store.claimKey(again, at(3601))).toEqual({ kind: 'claimed' });
      await store.releaseKeys([claim, { ...again, key: 'k-2' }]);
      expect(await store.claimKey(again, at(3601))).toEqual({ kind: 'running' });
      await store.releaseKeys([{ ...again, key: 'k-2' }, again]);
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'claimed' });
    });

    it('are free again where the clock that took them was ahead', async () => {
      const store = await open();
      await store.claimKey(claim, at(0));
      const again = { ...claim, claimed_at: at(10) };
      expect(await store.claimKey({ ...claim, claimed_at: at(3599) }, at(0))).toEqual({ kind: 'running' });
      expect(await store.claimKey(again, at(0))).toEqual({ kind: 'claimed' });
      expect(await store.claimKey(again, at(0))).toEqual({ kind: 'running' });
    });

    it('that lead to an operation stay taken until dropped for that operation', async () => {
      const store = await open();
      await store.claimKey(claim, at(0));
      await store.beginOperation(operation('op_1'), [], claim);
      await store.releaseKeys([claim]);
      expect(await store.claimKey(claim, at(99_999))).toEqual({ kind: 'running', subject: 'op_1' });
      await store.dropKey(key);
      await store.dropKey(key, 'op_2');
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'running', subject: 'op_1' });
      await store.dropKey(key, 'op_1');
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'claimed' });
      // Another request that read what the key led to.
      await store.dropKey(key, 'op_1');
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'running' });
      await store.dropKey(key);
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'claimed' });
    });

    it('are found in every form in which they were kept', async () => {
      const store = await open();
      const now = { ...claim, key: 'k-now', claimed_at: at(3700) };
      const claimNow = (before: number) => store.claimKey(now, at(before), ['k-before', claim.key]);
      await store.claimKey(claim, at(0));
      await store.beginOperation(operation('op_1'), [], claim);
      expect(await claimNow(3700)).toEqual({ kind: 'running', subject: 'op_1' });
      const other = () => store.claimKey({ ...now, fingerprint: 'g' }, at(3700), [claim.key]);
      expect(await other()).toEqual({ kind: 'other_body', subject: 'op_1' });
      await store.answerKey({ ...key, reply: 'r' });
      expect(await other()).toEqual({ kind: 'other_body', subject: 'op_1', reply: 'r' });
      expect(await claimNow(3700)).toEqual({ kind: 'answered', reply: 'r' });
      await store.dropKey(key, 'op_1');
      expect(await claimNow(3700)).toEqual({ kind: 'claimed' });
      expect(await claimNow(3700)).toEqual({ kind: 'running' });
      expect(await store.beginOperation(operation('op_2'), [], now)).toEqual({ kind: 'begun' });
      expect(await claimNow(3701)).toEqual({ kind: 'running', subject: 'op_2' });
    });

    it('are taken over in another form from a request that is slow', async () => {
      const store = await open();
      await store.claimKey(claim, at(0));
      const now = { ...claim, key: 'k-now', claimed_at: at(3700) };
      expect(await store.claimKey(now, at(0), [claim.key])).toEqual({ kind: 'running' });
      expect(await store.claimKey(now, at(3601), [claim.key])).toEqual({ kind: 'claimed' });
      expect(await store.beginOperation(operation('op_1'), [], claim)).toEqual({ kind: 'key_lost' });
      expect(await store.beginOperation(operation('op_2'), [], now)).toEqual({ kind: 'begun' });
    });

    it('are deleted when old, unless their operation has no answer', async () => {
      const store = await open();
      await store.claimKey(claim, at(0));
      await store.claimKey({ ...claim, key: 'k-2' }, at(0));
      await store.beginOperation(operation('op_1'), [], claim);
      await store.forgetKeys(at(3600), 10);
      expect(await store.claimKey({ ...claim, key: 'k-2' }, at(0))).toEqual({ kind: 'running' });
      await store.forgetKeys(at(3601), 10);
      expect(await store.claimKey({ ...claim, key: 'k-2' }, at(0))).toEqual({ kind: 'claimed' });
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'running', subject: 'op_1' });
      await store.finishOperation({ operation: nextOperation(operation('op_1'), answered), events: [] });
      await store.forgetKeys(at(3601), 10);
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'claimed' });
    });

    it('are not forgotten while their payment is under way', async () => {
      const store = await open();
      await processing(store, 'cs_1');
      await store.claimKey(claim, at(0));
      await store.answerKey({ ...key, reply: 'r', subject: 'cs_1' });
      await store.forgetKeys(at(9999), 10);
      expect(await store.claimKey(claim, at(0))).toEqual({ kind: 'answered', reply: 'r' });
    });

    it('are forgotten a few at a time', async () => {
      const store = await open();
      for (const one of ['k-1', 'k-2', 'k-3']) await store.claimKey({ ...claim, key: one }, at(0));
      await store.forgetKeys(at(9999), 2);
      const kinds: string[] = [];
      for (const one of ['k-1', 'k-2', 'k-3']) kinds.push((await store.claimKey({ ...claim, key: one }, at(0))).kind);
      expect(kinds.toSorted()).toEqual(['claimed', 'claimed', 'running']);
    });
  });
}

import { describe, expect, it } from 'vitest';
import { answered, at, claim, key, nextOperation, type Open, operation, processing } from './fixtures.ts';

/** Idempotency keys. */
export function keyBehaviour(open: Open): void {
  describe('idempotency keys', () => {
    it('are claimed once, and identified by account, route, key and fingerprint', async () => {
      const store = await open();
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'claimed' });
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'running' });
      const other = { ...claim, fingerprint: 'g' };
      expect(await store.keys.claim(other, at(0))).toEqual({ kind: 'other_body' });
      expect(await store.keys.claim({ ...other, earlier: ['h'] }, at(0))).toEqual({ kind: 'other_body' });
      expect(await store.keys.claim({ ...other, earlier: ['h', 'f'] }, at(0))).toEqual({ kind: 'running' });
      for (const elsewhere of [{ account: 'other' }, { route: '/v1/payout' }, { key: 'k-2' }]) {
        expect(await store.keys.claim({ ...claim, ...elsewhere }, at(0))).toEqual({ kind: 'claimed' });
      }
    });

    it('are claimed by one of many simultaneous requests', async () => {
      const store = await open();
      const claims = Array.from({ length: 8 }, () => store.keys.claim(claim, at(0)));
      const kinds = (await Promise.all(claims)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['claimed', ...Array(7).fill('running')]);
    });

    it('keep the first answer', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      await store.keys.answer({ ...key, reply: 'one' });
      await store.keys.answer({ ...key, reply: 'two' });
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'answered', reply: 'one' });
      await store.keys.release([claim]);
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'answered', reply: 'one' });
    });

    it('are free after they expire or are released without operation', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      const again = { ...claim, claimed_at: at(3700) };
      expect(await store.keys.claim(again, at(3600))).toEqual({ kind: 'running' });
      expect(await store.keys.claim(again, at(3601))).toEqual({ kind: 'claimed' });
      await store.keys.release([claim, { ...again, key: 'k-2' }]);
      expect(await store.keys.claim(again, at(3601))).toEqual({ kind: 'running' });
      await store.keys.release([{ ...again, key: 'k-2' }, again]);
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'claimed' });
    });

    it('are free again if the clock of their claim was ahead', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      const again = { ...claim, claimed_at: at(10) };
      expect(await store.keys.claim({ ...claim, claimed_at: at(3599) }, at(0))).toEqual({ kind: 'running' });
      expect(await store.keys.claim(again, at(0))).toEqual({ kind: 'claimed' });
      expect(await store.keys.claim(again, at(0))).toEqual({ kind: 'running' });
    });

    it('that lead to an operation stay claimed until that operation drops them', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      await store.operations.begin(operation('op_1'), [], claim);
      await store.keys.release([claim]);
      expect(await store.keys.claim(claim, at(99_999))).toEqual({ kind: 'running', subject: 'op_1' });
      await store.keys.drop(key);
      await store.keys.drop(key, 'op_2');
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'running', subject: 'op_1' });
      await store.keys.drop(key, 'op_1');
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'claimed' });
      // Another request that read the operation of the key.
      await store.keys.drop(key, 'op_1');
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'running' });
      await store.keys.drop(key);
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'claimed' });
    });

    it('are found in every form in which they were stored', async () => {
      const store = await open();
      const now = { ...claim, key: 'k-now', claimed_at: at(3700) };
      const claimNow = (before: number) => store.keys.claim(now, at(before), ['k-before', claim.key]);
      await store.keys.claim(claim, at(0));
      await store.operations.begin(operation('op_1'), [], claim);
      expect(await claimNow(3700)).toEqual({ kind: 'running', subject: 'op_1' });
      const other = () => store.keys.claim({ ...now, fingerprint: 'g' }, at(3700), [claim.key]);
      expect(await other()).toEqual({ kind: 'other_body', subject: 'op_1' });
      await store.keys.answer({ ...key, reply: 'r' });
      expect(await other()).toEqual({ kind: 'other_body', subject: 'op_1', reply: 'r' });
      expect(await claimNow(3700)).toEqual({ kind: 'answered', reply: 'r' });
      await store.keys.drop(key, 'op_1');
      expect(await claimNow(3700)).toEqual({ kind: 'claimed' });
      expect(await claimNow(3700)).toEqual({ kind: 'running' });
      expect(await store.operations.begin(operation('op_2'), [], now)).toEqual({ kind: 'begun' });
      expect(await claimNow(3701)).toEqual({ kind: 'running', subject: 'op_2' });
    });

    it('are taken over in another form from a slow request', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      const now = { ...claim, key: 'k-now', claimed_at: at(3700) };
      expect(await store.keys.claim(now, at(0), [claim.key])).toEqual({ kind: 'running' });
      expect(await store.keys.claim(now, at(3601), [claim.key])).toEqual({ kind: 'claimed' });
      expect(await store.operations.begin(operation('op_1'), [], claim)).toEqual({ kind: 'key_lost' });
      expect(await store.operations.begin(operation('op_2'), [], now)).toEqual({ kind: 'begun' });
    });

    it('are deleted when old, unless their operation has no answer', async () => {
      const store = await open();
      await store.keys.claim(claim, at(0));
      await store.keys.claim({ ...claim, key: 'k-2' }, at(0));
      await store.operations.begin(operation('op_1'), [], claim);
      await store.retention.purge({ kind: 'keys', before: at(3600), limit: 10 });
      expect(await store.keys.claim({ ...claim, key: 'k-2' }, at(0))).toEqual({ kind: 'running' });
      await store.retention.purge({ kind: 'keys', before: at(3601), limit: 10 });
      expect(await store.keys.claim({ ...claim, key: 'k-2' }, at(0))).toEqual({ kind: 'claimed' });
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'running', subject: 'op_1' });
      await store.operations.finish({ operation: nextOperation(operation('op_1'), answered), events: [] });
      await store.retention.purge({ kind: 'keys', before: at(3601), limit: 10 });
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'claimed' });
    });

    it('are not deleted while their payment is running', async () => {
      const store = await open();
      await processing(store, 'cs_1');
      await store.keys.claim(claim, at(0));
      await store.keys.answer({ ...key, reply: 'r', subject: 'cs_1' });
      await store.retention.purge({ kind: 'keys', before: at(9999), limit: 10 });
      expect(await store.keys.claim(claim, at(0))).toEqual({ kind: 'answered', reply: 'r' });
    });

    it('are deleted a few at a time', async () => {
      const store = await open();
      for (const one of ['k-1', 'k-2', 'k-3']) await store.keys.claim({ ...claim, key: one }, at(0));
      await store.retention.purge({ kind: 'keys', before: at(9999), limit: 2 });
      const kinds: string[] = [];
      for (const one of ['k-1', 'k-2', 'k-3']) kinds.push((await store.keys.claim({ ...claim, key: one }, at(0))).kind);
      expect(kinds.toSorted()).toEqual(['claimed', 'claimed', 'running']);
    });
  });
}

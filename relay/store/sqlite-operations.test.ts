import { describe, expect, it } from 'vitest';
import type { Operation } from '../operations/operation.ts';
import { openSqlite } from './sqlite.ts';
import type { Reservation } from './store.ts';

const key = { account: 'demo', route: '/v1/refund', key: 'k-1' };
const claim = { ...key, fingerprint: 'f', claimed_at: '2026-11-21T09:00:00.000Z' };
const before = '2026-11-21T08:00:00.000Z';

function operation(id: string, more: Partial<Operation> = {}): Operation {
  return {
    id,
    account: 'demo',
    name: 'refund',
    created_at: '2026-11-21T09:00:00.000Z',
    version: 1,
    request: {},
    state: { status: 'in_flight' },
    ...more,
  };
}

const refund = (amount: bigint, original = 1000n, currency = 'BRL'): Reservation => ({
  transaction_id: 'T',
  currency,
  amount,
  original,
});
const next = (of: Operation, state: Operation['state']): Operation => ({ ...of, version: of.version + 1, state });
const answered: Operation['state'] = { status: 'answered', answer: {}, items: ['succeeded'] };

describe('idempotency keys in the SQLite store', () => {
  it('are claimed once, and told apart by account, route, key and fingerprint', async () => {
    const store = openSqlite(':memory:');
    expect(await store.claimKey(claim, before)).toEqual({ kind: 'claimed' });
    expect(await store.claimKey(claim, before)).toEqual({ kind: 'running' });
    expect(await store.claimKey({ ...claim, fingerprint: 'g' }, before)).toEqual({
      kind: 'other_body',
      fingerprint: 'f',
    });
    for (const other of [{ account: 'other' }, { route: '/v1/payout' }, { key: 'k-2' }]) {
      expect(await store.claimKey({ ...claim, ...other }, before)).toEqual({ kind: 'claimed' });
    }
  });

  it('keep the first answer', async () => {
    const store = openSqlite(':memory:');
    await store.claimKey(claim, before);
    await store.answerKey({ ...key, reply: 'one' });
    await store.answerKey({ ...key, reply: 'two' });
    expect(await store.claimKey(claim, before)).toEqual({ kind: 'answered', reply: 'one' });
    await store.releaseKey(key);
    expect(await store.claimKey(claim, before)).toEqual({ kind: 'answered', reply: 'one' });
  });

  it('are free again when their request led to nothing and was given up', async () => {
    const store = openSqlite(':memory:');
    await store.claimKey(claim, before);
    expect(await store.claimKey(claim, '2026-11-21T09:00:00.001Z')).toEqual({ kind: 'claimed' });
    await store.releaseKey(key);
    expect(await store.claimKey(claim, before)).toEqual({ kind: 'claimed' });
  });

  it('that lead to an operation are never free, until it came to nothing', async () => {
    const store = openSqlite(':memory:');
    await store.claimKey(claim, before);
    await store.beginOperation(operation('op_1'), [], claim);
    await store.releaseKey(key);
    expect(await store.claimKey(claim, '2027-01-01T00:00:00.000Z')).toEqual({ kind: 'running', subject: 'op_1' });
    await store.dropKey(key, 'op_2');
    expect(await store.claimKey(claim, before)).toEqual({ kind: 'running', subject: 'op_1' });
    await store.dropKey(key, 'op_1');
    expect(await store.claimKey(claim, before)).toEqual({ kind: 'claimed' });
  });

  it('that were taken over lead nowhere for the request that had them first', async () => {
    const store = openSqlite(':memory:');
    await store.claimKey(claim, before);
    const later = { ...claim, claimed_at: '2026-11-21T09:10:00.000Z' };
    expect(await store.claimKey(later, '2026-11-21T09:05:00.000Z')).toEqual({ kind: 'claimed' });
    expect(await store.beginOperation(operation('op_1'), [refund(1n)], claim)).toEqual({ kind: 'key_lost' });
    expect(await store.operation('op_1')).toBeUndefined();
    expect(await store.beginOperation(operation('op_2'), [refund(1000n)], later)).toEqual({ kind: 'begun' });
    expect(await store.beginOperation(operation('op_3'), [], later)).toEqual({ kind: 'key_lost' });
  });

  it('are forgotten when they are old, but not while their operation has no answer', async () => {
    const store = openSqlite(':memory:');
    await store.claimKey(claim, before);
    await store.claimKey({ ...claim, key: 'k-2' }, before);
    await store.beginOperation(operation('op_1'), [], claim);
    await store.forgetKeys('2026-11-21T09:00:00.000Z', 10);
    expect(await store.claimKey({ ...claim, key: 'k-2' }, before)).toEqual({ kind: 'running' });
    await store.forgetKeys('2026-11-21T09:00:00.001Z', 10);
    expect(await store.claimKey({ ...claim, key: 'k-2' }, before)).toEqual({ kind: 'claimed' });
    expect(await store.claimKey(claim, before)).toEqual({ kind: 'running', subject: 'op_1' });
    await store.finishOperation({ operation: next(operation('op_1'), answered), events: [] });
    await store.forgetKeys('2026-11-21T09:00:00.001Z', 10);
    expect(await store.claimKey(claim, before)).toEqual({ kind: 'claimed' });
  });
});

describe('operations in the SQLite store', () => {
  it('change one version at a time, and keep the answer in the same transaction', async () => {
    const store = openSqlite(':memory:');
    await store.claimKey(claim, before);
    const one = operation('op_1');
    await store.beginOperation(one, [], claim);
    const finished = next(one, answered);
    const finish = { operation: finished, answered: { ...key, reply: 'r' }, events: [] };
    expect(await store.finishOperation(finish)).toBe(true);
    expect(await store.finishOperation(finish)).toBe(false);
    expect(await store.operation('op_1')).toEqual(finished);
    expect(await store.claimKey(claim, before)).toEqual({ kind: 'answered', reply: 'r' });
  });

  it('count every refund that may have happened against its payment', async () => {
    const store = openSqlite(':memory:');
    const one = operation('op_1');
    expect(await store.beginOperation(one, [refund(400n), refund(400n)])).toEqual({ kind: 'begun' });
    const exceeds = { kind: 'refund_exceeds_payment', item: 0, left: 200n };
    expect(await store.beginOperation(operation('op_2'), [refund(201n)])).toEqual(exceeds);
    expect(await store.operation('op_2')).toBeUndefined();
    await store.finishOperation({ operation: next(one, answered), counted: [true, false], events: [] });
    expect(await store.beginOperation(operation('op_3'), [refund(600n)])).toEqual({ kind: 'begun' });
    expect(await store.beginOperation(operation('op_4'), [refund(1n)])).toMatchObject({ left: 0n });
    expect(await store.beginOperation(operation('op_5', { account: 'other' }), [refund(1000n)])).toEqual({
      kind: 'begun',
    });
  });

  it('hold a payment that the relay did not make to the least original amount and the one currency it was said to have', async () => {
    const store = openSqlite(':memory:');
    expect(await store.beginOperation(operation('op_1'), [refund(400n, 1000n)])).toEqual({ kind: 'begun' });
    expect(await store.beginOperation(operation('op_2'), [refund(700n, 9000n)])).toMatchObject({ left: 600n });
    expect(await store.beginOperation(operation('op_3'), [refund(1n, 1000n, 'USD')])).toEqual({
      kind: 'refund_of_other_currency',
      item: 0,
      currency: 'BRL',
    });
  });

  it('counts amounts that a double cannot hold', async () => {
    const store = openSqlite(':memory:');
    const most = 99_999_999_999_999_999n;
    await store.beginOperation(operation('op_1'), [refund(most - 1n, most)]);
    expect(await store.beginOperation(operation('op_2'), [refund(2n, most)])).toMatchObject({ left: 1n });
    expect(await store.beginOperation(operation('op_3'), [refund(1n, most)])).toEqual({ kind: 'begun' });
  });

  it('hold a request_id for one payout of an account, until it came to nothing', async () => {
    const store = openSqlite(':memory:');
    const payout = (id: string, account = 'demo') => operation(id, { name: 'payout', request_id: 'r', account });
    expect(await store.beginOperation(payout('op_1'), [])).toEqual({ kind: 'begun' });
    expect(await store.beginOperation(payout('op_2'), [])).toEqual({ kind: 'request_id_used', id: 'op_1' });
    expect(await store.beginOperation(payout('op_3', 'other'), [])).toEqual({ kind: 'begun' });
    await store.finishOperation({ operation: next(payout('op_1'), { status: 'not_sent' }), events: [] });
    expect(await store.beginOperation(payout('op_4'), [])).toEqual({ kind: 'begun' });
  });

  it('are found when their relay died', async () => {
    const store = openSqlite(':memory:');
    await store.beginOperation(operation('op_1'), []);
    await store.beginOperation(operation('op_2', { created_at: '2026-11-21T10:00:00.000Z' }), []);
    const stranded = await store.strandedOperations('2026-11-21T09:30:00.000Z', 10);
    expect(stranded.map(({ id }) => id)).toEqual(['op_1']);
  });
});

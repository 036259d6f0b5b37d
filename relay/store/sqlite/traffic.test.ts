import { StatementSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  answered,
  at,
  claim,
  event,
  key,
  nextOperation,
  operation,
  refund,
  sent,
  session,
  starting,
} from '../../../test/store/fixtures.ts';
import { writtenOrder } from '../order-changes.ts';
import type { Store } from '../store.ts';
import { openSqlite } from './open.ts';

const quotas = ['ip', 'card', 'account'].map(
  (name) => ({ name: 'card', key: name, max: 9, window_ms: 60_000 }) as const,
);

/** What each piece of work made the file do: transactions, and statements within or beside them. */
async function setUp() {
  const store = openSqlite(':memory:');
  const spies = (['run', 'get', 'all'] as const).map((method) => vi.spyOn(StatementSync.prototype, method));
  onTestFinished(async () => {
    for (const spy of spies) spy.mockRestore();
    await store.close();
  });
  const traffic = async (work: (store: Store) => Promise<unknown>) => {
    for (const spy of spies) spy.mockClear();
    await work(store);
    const texts = spies.flatMap(({ mock }) =>
      mock.contexts.map((statement) => (statement instanceof StatementSync ? statement.sourceSQL : '')),
    );
    const transactions = texts.filter((text) => text === 'COMMIT').length;
    return { transactions, statements: texts.length - 2 * transactions };
  };
  return { store, traffic };
}

it('a payment is two transactions, and reads nothing that is known', async () => {
  const { store, traffic } = await setUp();
  const one = session('cs_1');
  await store.sessions.create(one);
  const before = await store.orders.get('demo', 'A');
  const start = { ...starting(before, one, 'at_1'), quotas: { counted: quotas, at: at(0) } };
  expect(await traffic(() => store.orders.write(start))).toEqual({ transactions: 1, statements: 4 });

  const sent = writtenOrder(before, start.after);
  const payment = { transaction_id: 'T', amount: '10.00', currency: 'BRL', attempt_id: 'at_1', date: at(0) };
  const after = {
    ...sent,
    hold: 'paid' as const,
    payments: [{ ...payment, proof: 'answer' as const }],
    sessions: sent.sessions.map((paid) => ({
      ...paid,
      state: { status: 'approved', attempt_id: 'at_1', transaction_id: 'T' } as const,
    })),
    attempts: sent.attempts.map((paid) => ({ ...paid, state: { status: 'approved' } as const })),
  };
  const settle = { before: sent, after, events: [event('e1', 'cs_1')] };
  // Of other orders it reads the one thing that matters: whether the transaction paid one.
  expect(await traffic(() => store.orders.write(settle))).toEqual({ transactions: 1, statements: 7 });
  expect(await traffic(() => store.orders.ofSession('cs_1'))).toEqual({ transactions: 0, statements: 0 });
});

it('a refund needs two transactions: one to begin, one to finish', async () => {
  const { store, traffic } = await setUp();
  const one = operation('op_1');
  const begin = async () => {
    await store.keys.claim(claim, at(0));
    await store.operations.begin(one, [refund(100n)], claim);
  };
  // One of them searches for other spellings of a transaction that is not known.
  expect(await traffic(begin)).toEqual({ transactions: 1, statements: 9 });
  const finish = () =>
    store.operations.finish({
      operation: nextOperation(one, answered),
      counted: [true],
      answered: { ...key, reply: 'r' },
      events: [],
    });
  expect(await traffic(finish)).toEqual({ transactions: 1, statements: 3 });
});

it('a webhook needs one transaction for its claim and one to finish', async () => {
  const { store, traffic } = await setUp();
  await store.outbox.add([event('e1', 'cs_1')]);
  expect(await traffic(() => store.outbox.leaseDue('demo', 'default', at(1), at(60), 10))).toEqual({
    transactions: 1,
    statements: 4,
  });
  const done = { status: 'delivered', tries: 1, delivered_at: at(2) } as const;
  expect(await traffic(() => store.outbox.writeDelivery(sent(event('e1', 'cs_1')), done))).toEqual({
    transactions: 1,
    statements: 2,
  });
});

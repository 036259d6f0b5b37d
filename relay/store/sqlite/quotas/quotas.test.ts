import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { at, session, starting } from '../../../../test/store/fixtures.ts';
import { countedStore } from '../../../../test/support/stores/sqlite-steps.ts';
import { StoreError } from '../../../base/errors.ts';
import type { Quota } from '../../../payments/attempt.ts';
import type { Store } from '../../store.ts';
import { openFile, openSqlite, sqliteStore } from '../open.ts';

const quota = (key: string, max: number, seconds = 60): Quota => ({
  name: 'ip',
  key,
  max,
  window_ms: seconds * 1000,
});

const HOUR = 3600;

/** A file with one account's counted attempts at these seconds. Each also counts for a card of its own. */
function fileWith(seconds: readonly number[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
  const db = openFile(path);
  const insert = db.prepare('INSERT INTO counted (at, keys) VALUES (?, ?)');
  db.exec('BEGIN');
  for (const [n, second] of seconds.entries()) insert.run(at(second), JSON.stringify([`card ${n}`, 'account']));
  db.exec('COMMIT');
  db.close();
  return path;
}

function opened(path: string): Store {
  const store = openSqlite(path);
  onTestFinished(() => store.close());
  return store;
}

async function pay(store: Store, second: number, quotas: readonly Quota[]) {
  const one = session(`cs_${second}`, `order ${second}`);
  const before = await store.orders.get(one.account, one.order_no);
  const write = starting(before, one, `at_${second}`, at(second));
  return store.orders.write({ ...write, quotas: { counted: quotas, at: at(second) } });
}

/** Deletes counted attempts from before this second. Returns true if more may be left. */
async function forget({ retention }: Store, second: number, limit = 100): Promise<boolean> {
  return (await retention.purge({ kind: 'counted', before: at(second), limit })).isMore;
}

/** The number of steps that SQLite takes for one deletion. */
async function costOfForgetting(attempts: number): Promise<number> {
  const { store, steps } = countedStore(fileWith(Array.from({ length: attempts }, (_, n) => (n * HOUR) / attempts)));
  return steps(async () => expect(await forget(store, HOUR)).toBe(true));
}

describe('what counts in SQLite', () => {
  it('is forgotten at the same cost however many attempts an account had', async () => {
    const few = await costOfForgetting(200);
    expect(few).toBeGreaterThan(0);
    expect(await costOfForgetting(4000)).toBe(few);
  });

  it('still counts when a step of forgetting fails', async () => {
    const path = fileWith([]);
    const db = openFile(path);
    const store = sqliteStore(db);
    onTestFinished(() => store.close());
    const long = (max: number) => [quota('a', max, 1000)];
    for (const second of [0, 100, 110]) expect(await pay(store, second, long(9))).toEqual({ kind: 'written' });
    db.exec(`CREATE TRIGGER full BEFORE DELETE ON counted WHEN old.at = '${at(100)}'
      BEGIN SELECT raise(ABORT, 'disk full'); END`);
    await expect(forget(store, 105)).rejects.toBeInstanceOf(StoreError);
    for (const [max, second] of [
      [1, 110],
      [2, 100],
      [3, 0],
    ] as const) {
      expect(await store.quotas.check(long(max), at(120))).toMatchObject({ until: at(second + 1000) });
    }
    expect(await store.quotas.check(long(4), at(120))).toBeUndefined();
  });

  it('counts after a restart', async () => {
    const path = fileWith([]);
    const before = openSqlite(path);
    for (const second of [0, 10, 20]) await pay(before, second, [quota('a', 3), quota('b', 9)]);
    await before.close();
    const store = opened(path);
    expect(await store.quotas.check([quota('b', 4), quota('a', 3)], at(30))).toMatchObject({ until: at(60) });
    expect(await pay(store, 60, [quota('a', 3)])).toEqual({ kind: 'written' });
    expect(await store.quotas.check([quota('a', 3)], at(60))).toMatchObject({ until: at(70) });
  });

  it('is forgotten once where it was old at the opening', async () => {
    const store = opened(fileWith([0, 10, HOUR, HOUR + 5]));
    const day = 24 * HOUR;
    expect(await store.quotas.check([quota('account', 3, day)], at(HOUR + 6))).toBeDefined();
    expect(await store.quotas.check([quota('account', 5, day)], at(HOUR + 6))).toBeUndefined();
    expect(await forget(store, HOUR, 2)).toBe(true);
    expect(await store.quotas.check([quota('account', 2, day)], at(HOUR + 6))).toBeDefined();
    expect(await store.quotas.check([quota('account', 3, day)], at(HOUR + 6))).toBeUndefined();
    expect(await forget(store, HOUR, 2)).toBe(false);
  });

  it('counts after a restart beside what a clock counted that was ahead', async () => {
    const store = opened(fileWith([0, 10, 24 * HOUR]));
    expect(await store.quotas.check([quota('account', 2)], at(20))).toMatchObject({ until: at(60) });
    expect(await store.quotas.check([quota('account', 3)], at(20))).toBeUndefined();
  });
});

import { execFileSync } from 'node:child_process';
import { linkSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { at, moved, next, processing, session, starting } from '../../../../test/store/fixtures.ts';
import type { Store } from '../../store.ts';
import { openFile, openSqlite, sqliteStore } from '../open.ts';

const folder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'turnpike-')));

/** The store in a file, closed when the test ends. */
function opened(path: string): Store {
  const store = openSqlite(path);
  onTestFinished(() => store.close());
  return store;
}

const refusal = (message: RegExp) =>
  expect.objectContaining({
    code: 'store_unavailable',
    cause: expect.objectContaining({ message: expect.stringMatching(message) }),
  });

/** What a process of its own says when it opens the file. */
function openElsewhere(path: string): string {
  const text = `import { openSqlite } from ${JSON.stringify(join(import.meta.dirname, '../open.ts'))};
    try { openSqlite(${JSON.stringify(path)}); console.log('opened'); } catch (error) { console.log(error.cause.message); }`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' });
}

describe('an SQLite file that a relay has open', () => {
  it('is refused by another name too', () => {
    const within = folder();
    const path = join(within, 'turnpike.db');
    opened(path);
    const elsewhere = folder();
    symlinkSync(path, join(elsewhere, 'link.db'));
    symlinkSync(within, join(elsewhere, 'folder'));
    for (const name of ['link.db', 'folder/turnpike.db']) {
      expect(() => openSqlite(join(elsewhere, name))).toThrow(refusal(/^another relay/));
    }
  });

  it('is refused to other processes after a refusal in this one', () => {
    const path = join(folder(), 'turnpike.db');
    opened(path);
    expect(openElsewhere(path)).toMatch(/^another relay/);
    expect(() => openSqlite(path)).toThrow(refusal(/^another relay/));
    expect(openElsewhere(path)).toMatch(/^another relay/);
  });
});

describe('an SQLite file', () => {
  it('is refused when it has a second hard link', async () => {
    const path = join(folder(), 'turnpike.db');
    await openSqlite(path).close();
    linkSync(path, join(folder(), 'other.db'));
    expect(() => openSqlite(path)).toThrow(refusal(/hard link/));
  });

  it('may be made where a link leads', async () => {
    const [here, there] = [folder(), folder()];
    symlinkSync(join(there, 'turnpike.db'), join(here, 'turnpike.db'));
    expect(await opened(join(here, 'turnpike.db')).sessions.create(session('cs_1'))).toEqual({ kind: 'created' });
    expect(() => openSqlite(join(there, 'turnpike.db'))).toThrow(refusal(/^another relay/));
  });
});

describe('two stores that write one SQLite file all the same', () => {
  /** Two stores on one file, which know the same orders. */
  function two(): [Store, Store] {
    const path = join(folder(), 'turnpike.db');
    const stores = [sqliteStore(openFile(path)), sqliteStore(openFile(path))] as const;
    for (const store of stores) onTestFinished(() => store.close());
    return [...stores];
  }

  it('let one payment of an order start, and make the other retry', async () => {
    const [first, second] = two();
    const one = session('cs_1');
    await first.sessions.create(one);
    const before = await second.orders.get('demo', 'A');
    expect(await first.orders.get('demo', 'A')).toEqual(before);
    expect(await first.orders.write(starting(before, one, 'at_1'))).toEqual({ kind: 'written' });
    const quota = { name: 'ip', key: 'k', max: 1, window_ms: 60_000 } as const;
    const write = { ...starting(before, one, 'at_2'), quotas: { counted: [quota], at: at(0) } };
    expect(await second.orders.write(write)).toEqual({ kind: 'changed' });
    const known = await second.orders.get('demo', 'A');
    expect(known).toEqual(await first.orders.get('demo', 'A'));
    expect(known).toMatchObject({ hold: 'held', attempts: [{ id: 'at_1' }] });
    expect(await second.quotas.check([quota], at(1))).toBeUndefined();
  });

  it('let no payment start of terms that the other one changed', async () => {
    const [first, second] = two();
    const started = await processing(first, 'cs_1', 'A');
    await moved(first, started, { status: 'open' }, () => ({ hold: 'free' }));
    const before = await second.orders.get('demo', 'A');
    const [one = started] = before.sessions;
    expect(await first.sessions.change(next(one, one.state))).toBe(true);
    expect(await second.orders.write(starting(before, one, 'at_2'))).toEqual({ kind: 'changed' });
    expect(await first.orders.get('demo', 'A')).toMatchObject({ hold: 'free', version: before.version });
    expect(await second.orders.get('demo', 'A')).toEqual(await first.orders.get('demo', 'A'));
  });
});

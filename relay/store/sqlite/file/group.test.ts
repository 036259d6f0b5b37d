import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../../../base/errors.ts';
import { createGroup } from './group.ts';

/** A database in a file with one table, and its writer. `commits` counts the commits of the file. */
function setUp() {
  const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'group.db');
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (id INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT');
  const group = createGroup(db);
  const reader = new DatabaseSync(path);
  onTestFinished(() => {
    group.close();
    reader.close();
    db.close();
  });
  const insert = db.prepare('INSERT INTO things (id, data) VALUES (?, ?)');
  const version = reader.prepare('PRAGMA data_version');
  return {
    db,
    group,
    add: (id: number, data = '') => group.write(() => void insert.run(id, data)),
    stored: () =>
      reader
        .prepare('SELECT id FROM things ORDER BY id')
        .all()
        .map(({ id }) => Number(id)),
    /** Another number after every commit that the reader sees. */
    version: () => Number(version.get()?.data_version),
  };
}

describe('a group of changes', () => {
  it('is written in one commit, and is on disk before promises resolve', async () => {
    const { add, stored, version } = setUp();
    const versions = new Set<number>();
    const before = version();
    const adding = Array.from({ length: 50 }, async (_, i) => {
      await add(i);
      expect(stored()).toContain(i);
      versions.add(version());
    });
    await Promise.all(adding);
    expect(stored()).toHaveLength(50);
    expect(versions).toEqual(new Set([before + 1]));
  });

  it('is written without one that fails, which fails alone', async () => {
    const { add, stored } = setUp();
    await add(3);
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((id) => add(id)));
    expect(results.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    ]);
    expect(results[2]).toMatchObject({ reason: { code: 'store_unavailable' } });
    expect(stored()).toEqual([1, 2, 3, 4, 5]);
  });

  it('of which one is undone half way leaves nothing of that one', async () => {
    const { db, group, stored } = setUp();
    const insert = db.prepare('INSERT INTO things (id, data) VALUES (?, ?)');
    const half = group.write(() => {
      insert.run(1, '');
      throw new TypeError('half way');
    });
    const whole = group.write(() => void insert.run(2, ''));
    await expect(half).rejects.toBeInstanceOf(StoreError);
    await whole;
    expect(stored()).toEqual([2]);
  });

  it('without room on disk throws StoreError; smaller changes are written', async () => {
    const { db, add, stored } = setUp();
    const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
    db.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const results = await Promise.allSettled([add(1, 'small'), add(2, 'x'.repeat(100_000)), add(3, 'small')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'store_unavailable' } });
    expect(stored()).toEqual([1, 3]);
    db.exec('PRAGMA max_page_count = 100000');
    await add(2, 'x'.repeat(100_000));
    expect(stored()).toEqual([1, 2, 3]);
  });

  it('is still written when its writer closes, and nothing is written after', async () => {
    const { group, add, stored } = setUp();
    const last = add(1);
    group.close();
    await last;
    expect(stored()).toEqual([1]);
    await expect(add(2)).rejects.toBeInstanceOf(StoreError);
  });
});

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGroup } from './group.ts';
import type { Disk } from './log-syncs.ts';

/** An in-memory database on a simulated disk. The test ends its syncs and reads the order of events. */
function setUp() {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE things (id INTEGER PRIMARY KEY) STRICT');
  const insert = db.prepare('INSERT INTO things (id) VALUES (?)');
  const under: ((error: Error | null) => void)[] = [];
  const happened: string[] = [];
  const disk: Disk = {
    sync: (done) => void under.push(done),
    broken: (code) => void happened.push(`broken by ${code}`),
    close: async () => void happened.push('closed'),
  };
  const group = createGroup(db, disk);
  onTestFinished(() => db.close());
  /** Adds changes together. `happened` lists when each is durable or refused. */
  const add = async (...ids: number[]): Promise<number> => {
    let commit = 0;
    for (const id of ids) {
      const added = group.write(() => {
        insert.run(id);
        commit = group.commit();
      });
      added.then(
        () => happened.push(`${id} durable`),
        () => happened.push(`${id} refused`),
      );
    }
    // The group is written at the end of a turn of the event loop.
    while (commit === 0) await new Promise(setImmediate);
    return commit;
  };
  const settled = () => new Promise(setImmediate);
  return {
    group,
    add,
    happened,
    underWay: () => under.length,
    /** Ends the sync that has been under way longest, or another. */
    async end(at = 0, error: Error | null = null) {
      under.splice(at, 1)[0]?.(error);
      await settled();
    },
    settled,
  };
}

describe('commits in the log', () => {
  it('are acknowledged once synced, as a group', async () => {
    const { add, happened, underWay, end, settled } = setUp();
    await add(1);
    await settled();
    expect(happened).toEqual([]);
    await end();
    expect(happened).toEqual(['1 durable']);
    await add(2, 3);
    await settled();
    expect([happened.length, underWay()]).toEqual([1, 1]);
    await end();
    expect(happened.slice(1)).toEqual(['2 durable', '3 durable']);
  });

  it('that come during a sync wait for the next sync', async () => {
    const { add, happened, underWay, end } = setUp();
    await add(1, 2);
    await add(3);
    await add(4);
    expect(underWay()).toBe(2);
    await end();
    expect(happened).toEqual(['1 durable', '2 durable']);
    // The third sync, for the third commit, began only now.
    expect(underWay()).toBe(2);
    await end();
    expect(happened.slice(2)).toEqual(['3 durable']);
    await end();
    expect(happened.slice(3)).toEqual(['4 durable']);
  });

  it('are durable with a later commit that is synced sooner', async () => {
    const { add, happened, end } = setUp();
    await add(1, 2);
    await add(3);
    await end(1);
    expect(happened).toEqual(['1 durable', '2 durable', '3 durable']);
    await end();
    expect(happened).toHaveLength(3);
  });

  it('are not read before they are durable', async () => {
    const { group, add, happened, end, settled } = setUp();
    const first = await add(1, 2);
    const second = await add(3, 4);
    const read = async (what: string, commit?: number) => happened.push(await group.durable(what, commit));
    void read('first', first);
    void read('second', second);
    void read('all');
    await settled();
    expect(happened).toEqual([]);
    await end();
    expect(happened).toEqual(['1 durable', '2 durable', 'first']);
    await end();
    expect(happened.slice(3)).toEqual(['3 durable', '4 durable', 'second', 'all']);
    expect(await group.durable('at once')).toBe('at once');
  });

  it('fail if their sync fails, and so do all later commits', async () => {
    const { group, add, happened, end } = setUp();
    await add(1, 2);
    const read = group.durable('never');
    const eio = Object.assign(new Error('i/o error'), { code: 'EIO' });
    await Promise.all([expect(read).rejects.toMatchObject({ code: 'store_unavailable' }), end(0, eio)]);
    expect(happened).toEqual(['broken by EIO', '1 refused', '2 refused']);
    await expect(group.write(() => 3)).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(group.durable('never')).rejects.toMatchObject({ code: 'store_unavailable' });
    await group.close();
    expect(happened.at(-1)).toBe('closed');
  });

  it('are durable before the log is closed', async () => {
    const { group, add, happened, end, settled } = setUp();
    await add(1, 2);
    await add(3);
    await add(4);
    const closing = group.close();
    await settled();
    for (let syncs = 0; syncs < 3; syncs++) {
      expect(happened).not.toContain('closed');
      await end();
    }
    await closing;
    expect(happened).toEqual(['1 durable', '2 durable', '3 durable', '4 durable', 'closed']);
  });
});

it('a group of changes in a file syncs its log once', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'group.db');
  const db = new DatabaseSync(path);
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE things (id INTEGER PRIMARY KEY) STRICT',
  );
  const insert = db.prepare('INSERT INTO things (id) VALUES (?)');
  let syncs = 0;
  const disk: Disk = {
    sync: (done) => {
      syncs += 1;
      setImmediate(done, null);
    },
    broken: () => undefined,
    close: async () => db.close(),
  };
  const group = createGroup(db, disk);
  onTestFinished(() => group.close());
  await Promise.all(Array.from({ length: 50 }, (_, id) => group.write(() => void insert.run(id))));
  expect(syncs).toBe(1);
});

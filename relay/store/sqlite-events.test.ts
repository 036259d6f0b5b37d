import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../events/event.ts';
import type { Operation } from '../operations/operation.ts';
import { openSqlite } from './sqlite.ts';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

function event(id: string, subject = id, change: Partial<NewEvent> = {}): NewEvent {
  return { id, account: 'demo', subject, type: 'session.unknown', created_at: at(0), body: `{"${id}":1}`, ...change };
}

const ids = (events: readonly NewEvent[]): string[] => events.map(({ id }) => id);
const done = { status: 'delivered', tries: 1, delivered_at: at(1) } as const;

describe('the outbox', () => {
  it('gives an event out as it was written, with a first try that is due at once', async () => {
    const store = openSqlite(':memory:');
    await store.addEvents([event('msg_1')]);
    expect(await store.claimEvents('demo', at(0), at(60), 10)).toEqual([
      { ...event('msg_1'), delivery: { status: 'pending', tries: 0, next_try_at: at(0) } },
    ]);
  });

  it('gives an event to one claimant, and to another only when that one has died', async () => {
    const store = openSqlite(':memory:');
    await store.addEvents([event('msg_1')]);
    expect(await store.claimEvents('demo', at(1), at(60), 10)).toHaveLength(1);
    expect(await store.claimEvents('demo', at(59), at(120), 10)).toEqual([]);
    expect(await store.claimEvents('demo', at(60), at(120), 10)).toHaveLength(1);
  });

  it('gives out the events of one subject one after the other, and those of others at the same time', async () => {
    const store = openSqlite(':memory:');
    await store.addEvents([event('a1', 'a'), event('a2', 'a'), event('b1', 'b'), event('a3', 'a')]);
    expect(ids(await store.claimEvents('demo', at(1), at(60), 10))).toEqual(['a1', 'b1']);
    await store.updateEvent(event('a1', 'a'), { status: 'pending', tries: 1, next_try_at: at(30) });
    expect(ids(await store.claimEvents('demo', at(29), at(60), 10))).toEqual([]);
    expect(ids(await store.claimEvents('demo', at(30), at(60), 10))).toEqual(['a1']);
    await store.updateEvent(event('a1', 'a'), done);
    expect(ids(await store.claimEvents('demo', at(30), at(60), 10))).toEqual(['a2']);
    await store.updateEvent(event('a2', 'a'), { status: 'failed', tries: 1, failed_at: at(31), reason: 'http_410' });
    expect(ids(await store.claimEvents('demo', at(31), at(60), 10))).toEqual(['a3']);
    await store.updateEvent(event('a3', 'a'), done);
    await store.addEvents([event('a4', 'a')]);
    expect(ids(await store.claimEvents('demo', at(31), at(60), 10))).toEqual(['a4']);
  });

  it('keeps how often and since when an event was tried', async () => {
    const store = openSqlite(':memory:');
    await store.addEvents([event('msg_1')]);
    const pending = { status: 'pending', tries: 2, next_try_at: at(9), first_try_at: at(1), fault: 'timeout' } as const;
    await store.updateEvent(event('msg_1'), pending);
    expect((await store.claimEvents('demo', at(9), at(60), 1))[0]?.delivery).toEqual(pending);
  });

  it('lets nobody who comes late undo a delivery', async () => {
    const store = openSqlite(':memory:');
    await store.addEvents([event('a1', 'a'), event('a2', 'a')]);
    await store.updateEvent(event('a1', 'a'), done);
    expect(ids(await store.claimEvents('demo', at(1), at(60), 10))).toEqual(['a2']);
    await store.updateEvent(event('a1', 'a'), { status: 'pending', tries: 1, next_try_at: at(2) });
    await store.updateEvent(event('a1', 'a'), done);
    expect(await store.claimEvents('demo', at(3), at(60), 10)).toEqual([]);
  });

  it('leaves out an event whose id is there already', async () => {
    const store = openSqlite(':memory:');
    await store.addEvents([event('msg_1')]);
    await store.addEvents([event('msg_1', 'other'), event('msg_2')]);
    expect(ids(await store.claimEvents('demo', at(1), at(60), 10))).toEqual(['msg_1', 'msg_2']);
  });

  it('keeps the events of two accounts apart, and gives out the longest due first', async () => {
    const store = openSqlite(':memory:');
    await store.addEvents([
      event('late', 'late', { created_at: at(5) }),
      event('early', 'early', { created_at: at(4) }),
      event('other', 'other', { account: 'other' }),
    ]);
    expect(ids(await store.claimEvents('demo', at(9), at(60), 1))).toEqual(['early']);
    expect(ids(await store.claimEvents('demo', at(9), at(60), 1))).toEqual(['late']);
    expect(ids(await store.claimEvents('other', at(9), at(60), 1))).toEqual(['other']);
  });

  it('is on disk', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'turnpike.db');
    const store = openSqlite(path);
    await store.addEvents([event('a1', 'a'), event('a2', 'a')]);
    await store.claimEvents('demo', at(1), at(60), 10);
    await store.close();
    const again = openSqlite(path);
    expect(ids(await again.claimEvents('demo', at(60), at(120), 10))).toEqual(['a1']);
    await again.close();
  });

  it('has an event with the change that it tells, or neither', async () => {
    const store = openSqlite(':memory:');
    const operation: Operation = {
      id: 'op_1',
      account: 'demo',
      name: 'capture',
      created_at: at(0),
      version: 1,
      request: {},
      state: { status: 'in_flight' },
    };
    await store.beginOperation(operation, []);
    const finish = (id: string, version: number) =>
      store.finishOperation({
        operation: { ...operation, version, state: { status: 'answered', answer: {}, items: [] } },
        events: [event(id, 'op_1')],
      });
    expect(await finish('too_late', 7)).toBe(false);
    expect(await store.claimEvents('demo', at(1), at(60), 10)).toEqual([]);
    expect(await finish('in_time', 2)).toBe(true);
    expect(ids(await store.claimEvents('demo', at(1), at(60), 10))).toEqual(['in_time']);
  });
});

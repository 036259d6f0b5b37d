import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { OutboxFilter } from '../facets/outbox.ts';
import { openFile, openSqlite } from './open.ts';

/** Every statement that the store prepares when it is opened, with how SQLite would run it. */
async function plans(): Promise<[text: string, steps: string[]][]> {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const store = openSqlite(':memory:');
  const texts = prepare.mock.calls.map(([text]) => text).filter((text) => /^(SELECT|UPDATE|DELETE)/.test(text));
  const db = prepare.mock.contexts.at(-1);
  prepare.mockRestore();
  if (!(db instanceof DatabaseSync)) throw new Error('nothing was prepared');
  const found = texts.map((text): [string, string[]] => [
    text,
    db
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => String(detail)),
  ]);
  await store.close();
  return found;
}

describe('the statements of the SQLite store', () => {
  it('never scan a whole table, because that would block the relay', async () => {
    const found = await plans();
    expect(found.length).toBeGreaterThan(40);
    // What is unknown, waits or failed is in an index of its own, and few. Orders that are due are counted once, at the start,
    // when the attempts that limits count are read, too.
    const isWhole = (step: string): boolean =>
      /^SCAN /.test(step) &&
      !/^SCAN (json_each|\w+ VIRTUAL TABLE|(named|known|taken|given|o|CONSTANT ROW)$|\(subquery)/.test(step) &&
      !/INDEX (events_pending|events_failed|operations_unknown|orders_due|sessions_needy|counted_at)\b/.test(step);
    expect(found.filter(([, steps]) => steps.some(isWhole))).toEqual([]);
  });

  it('look through no account’s orders or events: one account may have all', async () => {
    const found = await plans();
    // What waits in an account is in an index of its own.
    const isWhole = (step: string): boolean =>
      /^SEARCH .*\(account=\?\)/.test(step) &&
      !/INDEX (operations_waiting|operations_asked|sqlite_autoindex_reconciliations_1)\b/.test(step);
    expect(found.filter(([, steps]) => steps.some(isWhole))).toEqual([]);
  });

  it('compare keys without reading the answers beside them', async () => {
    const found = await plans();
    const steps = found
      .filter(([text]) => /FROM idempotency_keys\s+WHERE account/.test(text))
      .flatMap(([, steps]) => steps);
    expect(new Set(steps)).toEqual(
      new Set([
        expect.stringMatching(
          /^SEARCH idempotency_keys USING INDEX sqlite_autoindex_idempotency_keys_1 \(account=\? AND route=\? AND key=\?\)$/,
        ),
      ]),
    );
  });

  it('find a page of orders by its term and place, without sorting', async () => {
    const found = await plans();
    const steps = found.filter(([text]) => /FROM order_terms AS t/.test(text)).flatMap(([, steps]) => steps);
    expect(new Set(steps)).toEqual(
      new Set([
        'SEARCH t USING PRIMARY KEY (account=? AND term=? AND created_at>? AND (created_at,order_id)<(?,?))',
        'SEARCH t USING PRIMARY KEY (account=? AND term=? AND (created_at,order_id)>(?,?) AND created_at<?)',
        'SEARCH t USING PRIMARY KEY (account=? AND term>? AND term<?)',
        'SEARCH t USING PRIMARY KEY (account=? AND term=? AND created_at<?)',
        'SEARCH l USING INTEGER PRIMARY KEY (rowid=?)',
      ]),
    );
  });

  it('find a page of operations by its place, without sorting', async () => {
    const found = await plans();
    const steps = found
      .filter(([text]) => /FROM operations WHERE account = \?.+\(created_at, id\) </s.test(text))
      .map(([, steps]) => steps.filter((step) => !/json_each|LIST SUBQUERY|BLOOM/.test(step)));
    expect(steps).toEqual([
      [
        expect.stringMatching(
          /COVERING INDEX operations_listed \(account=\? AND name=\? AND status=\? AND \(created_at,id\)<\(\?,\?\)\)$/,
        ),
      ],
      [expect.stringMatching(/INDEX operations_waiting \(account=\? AND \(created_at,id\)<\(\?,\?\)\)$/)],
    ]);
  });

  it('find the oldest of what waits in one account, without sorting', async () => {
    const found = await plans();
    const steps = found.filter(([text]) => /needs_person = 1 AND next_look_at IS/.test(text)).flatMap(([, all]) => all);
    const sorted = (all: readonly string[]): string[] => all.filter((step) => /TEMP B-TREE/.test(step));
    expect(steps).toContain('SEARCH operations USING INDEX operations_waiting (account=?)');
    expect(steps).toContain('SEARCH operations USING INDEX operations_asked (account=?)');
    expect(sorted(steps)).toEqual([]);
    const db = openFile(':memory:');
    onTestFinished(() => db.close());
    const failed = `EXPLAIN QUERY PLAN SELECT * FROM events INDEXED BY events_failed
      WHERE account = ? AND status = 'failed' ORDER BY seq ASC LIMIT ?`;
    expect(db.prepare(failed).all()).toMatchObject([{ detail: 'SEARCH events USING INDEX events_failed (account=?)' }]);
  });

  it.each<[string, Partial<OutboxFilter>, string]>([
    [
      'of a type',
      { type: 'session.failed' },
      'SEARCH events USING INDEX events_of_type (account=? AND type=? AND seq<?)',
    ],
    [
      'delivered, of a type',
      { type: 'session.failed', status: 'delivered' },
      'SEARCH events USING INDEX events_of_type (account=? AND type=? AND seq<?)',
    ],
    ['given up', { status: 'failed' }, 'SEARCH events USING INDEX events_failed (account=? AND seq<?)'],
    [
      'given up, of a type',
      { type: 'session.failed', status: 'failed' },
      'SEARCH events USING INDEX events_failed (account=? AND seq<?)',
    ],
  ])('find a page of webhooks %s by an index, without sorting', async (_, filter, step) => {
    const store = openSqlite(':memory:');
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    await store.outbox.list({ account: 'demo', limit: 20, before: 'msg_1', ...filter });
    const text = String(prepare.mock.lastCall?.[0]);
    const db = prepare.mock.contexts.at(-1);
    prepare.mockRestore();
    if (!(db instanceof DatabaseSync)) throw new Error('nothing was prepared');
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
    expect(steps.map(({ detail }) => String(detail))).toContain(step);
    expect(steps.filter(({ detail }) => /TEMP B-TREE/.test(String(detail)))).toEqual([]);
    await store.close();
  });

  it('read attempts and refunds of a time, and no others', async () => {
    const found = await plans();
    const steps = found.filter(([text]) => / AS n, /.test(text)).flatMap(([, steps]) => steps);
    expect(steps).toEqual(
      expect.arrayContaining([
        'SEARCH attempts USING INDEX attempts_started (account=? AND started_at>? AND started_at<?)',
        'SEARCH operations USING INDEX operations_old (created_at>? AND created_at<?)',
        expect.stringMatching(/^SEARCH r USING PRIMARY KEY \(operation_id=\?\)/),
      ]),
    );
    // Refunds are summed by hour and currency.
    expect(steps.filter((step) => /TEMP B-TREE/.test(step))).toEqual(['USE TEMP B-TREE FOR GROUP BY']);
  });

  it('find tallies, and what changed of them, by their periods', async () => {
    const found = await plans();
    const steps = found
      .filter(([text]) => /FROM stats_changes\s+WHERE hour < \?1|LEFT JOIN stats_tallies/.test(text))
      .flatMap(([, all]) => all);
    expect(steps).toEqual([
      expect.stringMatching(/^SCAN p VIRTUAL TABLE/),
      expect.stringMatching(/^CORRELATED SCALAR SUBQUERY/),
      'SEARCH c USING COVERING INDEX stats_changes_of (hour>? AND hour<?)',
      'SEARCH s USING INTEGER PRIMARY KEY (rowid=?)',
      expect.stringMatching(/^SEARCH t USING INDEX sqlite_autoindex_stats_tallies_1 \(period=\? AND account=\?\)/),
      'SEARCH stats_changes USING COVERING INDEX stats_changes_of (hour<?)',
    ]);
  });
});

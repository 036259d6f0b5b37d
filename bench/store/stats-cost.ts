import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPostgres } from '../../relay/store/postgres/open.ts';
import { openSqlite } from '../../relay/store/sqlite/open.ts';
import { startPostgres } from '../../test/support/stores/postgres.ts';
import { median } from '../harness/micro.ts';
import { atMost, type Row, type Target } from '../harness/report.ts';
import { comparePayers, serverOf, throughStore } from './store.ts';

const STORED = 20_000;
const AT_ONCE = 10;
const START = Date.parse('2027-03-01T00:00:00.000Z');

/** Tallies are kept of what was before: changes of it are noted. */
const CLAIMED = '2020-01-01T00:00:00.000Z';

type Costs = { rows: Row[]; targets: Target[] };

/** What an attempt that begins and ends costs, ten in a commit: with the index by time and the triggers, and without each. */
export async function costInSqlite(folder: string, rounds: number): Promise<Costs> {
  const whole = await emptyStore(join(folder, 'whole.db'));
  const unindexed = await emptyStore(join(folder, 'unindexed.db'));
  unindexed.exec('DROP INDEX attempts_started');
  const unnoted = await emptyStore(join(folder, 'unnoted.db'));
  unnoted.exec('DROP TRIGGER attempt_counted; DROP TRIGGER attempt_recounted');
  const costs = new Map([whole, unindexed, unnoted].map((db): [DatabaseSync, number[]] => [db, []]));
  for (let round = 0; round < 2 * rounds; round++) {
    const inTurn = round % 2 ? [...costs].toReversed() : [...costs];
    for (const [db, own] of inTurn) own.push(storing(db, round * STORED));
  }
  const costOf = (db: DatabaseSync): number => median(costs.get(db) ?? []);
  const [all, withoutIndex, withoutTriggers] = [costOf(whole), costOf(unindexed), costOf(unnoted)];
  for (const db of costs.keys()) db.close();
  return {
    rows: [
      { what: 'SQLite: an attempt begins and ends', figures: { 'CPU µs': all } },
      { what: 'SQLite: the same without the index by time', figures: { 'CPU µs': withoutIndex } },
      { what: 'SQLite: the same without the triggers of tallies', figures: { 'CPU µs': withoutTriggers } },
    ],
    targets: [
      atMost('SQLite: CPU of the index by time, per attempt', all - withoutIndex, 5, ' µs'),
      atMost('SQLite: CPU of the triggers of tallies, per attempt', all - withoutTriggers, 5, ' µs'),
    ],
  };
}

async function emptyStore(path: string): Promise<DatabaseSync> {
  await openSqlite(path).close();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -65536');
  db.exec(`INSERT INTO stats_span (id, since, until, claimed, version) VALUES (1, '', '${CLAIMED}', '${CLAIMED}', 1)`);
  return db;
}

function storing(db: DatabaseSync, first: number): number {
  const insert = db.prepare(
    'INSERT INTO attempts (id, session_id, account, order_no, started_at, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const update = db.prepare(
    'UPDATE attempts SET data = ? WHERE account = ? AND order_no = ? AND started_at = ? AND id = ?',
  );
  const cpu = process.cpuUsage();
  for (let n = 0; n < STORED; n += AT_ONCE) {
    const begun = Array.from({ length: AT_ONCE }, (_, i) => {
      const name = String(first + n + i).padStart(32, '0');
      return { name, at: new Date(START + (first + n + i) * 50).toISOString() };
    });
    db.exec('BEGIN');
    for (const { name, at } of begun) insert.run(`at_${name}`, `cs_${name}`, 'demo', name, at, DATA);
    db.exec('COMMIT; BEGIN');
    for (const { name, at } of begun) update.run(DATA, 'demo', name, at, `at_${name}`);
    db.exec('COMMIT');
  }
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / STORED;
}

/** As long as that of an attempt. */
const DATA = JSON.stringify({ text: 'x'.repeat(440) });

/** What the three calls of the PostgreSQL store for a payment cost with the triggers of tallies, against the same without them. */
export async function costInPostgres(rounds: number, say: (line: string) => void): Promise<Costs> {
  const postgres = await startPostgres({ fsync: true });
  try {
    const open = async (prepare: string) => {
      const address = await postgres.database();
      const store = await openPostgres(address);
      await postgres.query(address, prepare);
      return { address, payer: throughStore(store) };
    };
    const without = await open(`DROP TRIGGER attempt_counted ON turnpike.attempts`);
    const whole = await open(
      `INSERT INTO turnpike.stats_span (id, since, until, claimed, version) VALUES (1, '', '${CLAIMED}', '${CLAIMED}', 1)`,
    );
    const payers = { [WITHOUT]: without.payer, [WITH]: whole.payer };
    const rows = await comparePayers(payers, await serverOf(whole.address), say, rounds);
    for (const payer of Object.values(payers)) await payer.close();
    const ratio = rows.find(({ what }) => what === `${WITH}, 50 at once`)?.figures['server ratio'];
    return { rows, targets: [atMost('PostgreSQL: CPU of a payment at the server', Number(ratio), 1.05, ' × without')] };
  } finally {
    await postgres.close();
  }
}

const WITHOUT = 'PostgreSQL: a payment without the triggers of tallies (baseline)';
const WITH = 'PostgreSQL: a payment';

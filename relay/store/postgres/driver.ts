import { later } from '../leases.ts';
import type { Row } from '../row.ts';
import { type LeaseOf, type Plan, run, type Sql, type Statement, type Step } from '../sql/plan.ts';
import { dialect } from './dialect.ts';
import type { PostgresDatabase, Run } from './server/database.ts';

/** Runs plans on PostgreSQL, each in a transaction that awaits the steps that the plan reads. */
export function postgresSql(db: PostgresDatabase): Sql {
  return {
    dialect,
    statement,
    read: db.read,
    readAll: (steps) => db.readAll(steps),
    peek: (steps) => db.readAll(steps),
    finds: async (...step) => (await db.read(...step)).length > 0,
    write: (plan) => db.transaction((send) => runPlan(plan(), send)),
    writeLossy: async (plan) => {
      const unread = unreadOf(plan());
      if (!unread) return db.transactionLossy((send) => runPlan(plan(), send));
      await db.writeLossy(unread.steps);
      return unread.result;
    },
    lease: (of) => {
      const taking = statement(of.name, leaseText(of));
      return (limit, ...values) => {
        const step: Step = [taking, limit, ...values];
        return of.isLossy ? db.writeLossy([step]) : db.write(step);
      };
    },
    byIndex: () => run([byIndex]),
    lock: (...names) => run([lock, names]),
    forgetOrder: () => run(),
    forgetOrderOf: () => run(),
    times: async (now) => {
      const ahead = await db.ahead(now);
      return { kept: (moment) => later(moment, ahead), given: (moment) => later(moment, -ahead) };
    },
  };
}

/**
 * Waits until no other transaction has one of these locks, and holds them until the transaction ends. They are locked
 * in order, so that no two transactions wait for each other. Later statements see the changes of the others.
 */
export const lock: Statement = {
  name: 'lock',
  text: `SELECT pg_advisory_xact_lock(key) FROM (SELECT DISTINCT hashtextextended(name, 0) AS key
    FROM unnest($1::text[]) AS name ORDER BY key) AS keys`,
};

const byIndex: Statement = {
  name: 'by-index',
  text: `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true)`,
};

/** Unread steps wait for the next read ones, and are sent together with them. */
async function runPlan<Result>(plan: Plan<Result>, send: Run): Promise<Result> {
  let waiting: Step[] = [];
  let next = plan.next();
  while (!next.done) {
    const { steps, isRead } = next.value;
    let rows: readonly Row[][] = [];
    if (isRead) {
      rows = (await send(...waiting, ...steps)).slice(waiting.length);
      waiting = [];
    } else waiting.push(...steps);
    next = plan.next(rows);
  }
  if (waiting.length > 0) await send(...waiting);
  return next.value;
}

/** The steps and the result of a plan that reads nothing; undefined for any other plan. */
function unreadOf<Result>(plan: Plan<Result>): { steps: Step[]; result: Result } | undefined {
  const steps: Step[] = [];
  let next = plan.next();
  while (!next.done) {
    if (next.value.isRead) return undefined;
    steps.push(...next.value.steps);
    next = plan.next([]);
  }
  return { steps, result: next.value };
}

/** A statement of these texts; see `Sql`. */
export function statement(name: string, ...texts: readonly string[]): Statement {
  const before = texts.slice(0, -1).map((text, i) => `change_${i} AS (${text})`);
  return { name, text: [before.length > 0 ? `WITH ${before.join(', ')}` : '', texts.at(-1)].join(' ') };
}

function leaseText({ table, key, columns, due, set }: LeaseOf): string {
  const keys = key.join(', ');
  const found = due.map(({ where, order }, i) => {
    return `due_${i} AS (SELECT ${keys}, ${i} AS turn, ${order[0]} AS since FROM turnpike.${table} WHERE ${where}
      ORDER BY ${order.join(', ')} LIMIT $1 FOR UPDATE SKIP LOCKED)`;
  });
  const all = due.map((_, i) => `SELECT * FROM due_${i}`).join(' UNION ALL ');
  const named = key.map((column) => `own.${column} = taken.${column}`).join(' AND ');
  return `WITH ${found.join(', ')},
    taken AS (${all} LIMIT $1),
    leased AS (UPDATE turnpike.${table} AS own SET ${set} FROM taken WHERE ${named} RETURNING own.*, taken.turn, taken.since)
    SELECT ${columns} FROM leased ORDER BY turn, since, ${keys}`;
}

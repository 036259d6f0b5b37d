import type { AlertStore } from '../../facets/alerts.ts';
import { ask, type Plan, run, type Sql, statementsOf } from '../plan.ts';

/** The alerts that each recipient was sent. */
export function alerts(db: Sql): AlertStore {
  const table = db.dialect.table('alerts');
  const sql = statementsOf(db.statement, {
    takeAlerts: `INSERT INTO ${table} AS a (recipient, state, leased_until) VALUES ($1, '{}', $3)
      ON CONFLICT (recipient) DO UPDATE SET leased_until = $3
      WHERE a.leased_until IS NULL OR a.leased_until <= $2 OR a.leased_until > $4 RETURNING state`,
    finishAlerts: `UPDATE ${table} SET state = $2, leased_until = NULL WHERE recipient = $1 AND leased_until = $3`,
  });
  return {
    take: (recipient, now, until, latest) =>
      db.write(function* (): Plan<string | undefined> {
        const [row] = yield* ask(sql.takeAlerts, recipient, now, until, latest);
        return row && String(row.state);
      }),
    finish: (recipient, state, until) => db.write(() => run([sql.finishAlerts, recipient, state, until])),
  };
}

import type { NewEvent } from '../facets/outbox.ts';
import { auditTerms, type StoredAuditEntry } from '../facets/people.ts';
import { newEventRows } from '../rows.ts';
import { run, statementsOf } from '../sql/plan.ts';
import { statement } from './driver.ts';
import { list } from './server/database.ts';

/** Entries in the form of `turnpike.add_audits`. */
export function auditRows(entries: readonly (StoredAuditEntry | undefined)[]): object[] {
  return entries.flatMap((entry) =>
    entry ? [{ account: entry.account, at: entry.at, data: JSON.stringify(entry), terms: auditTerms(entry) }] : [],
  );
}

/** Adds webhooks within a transaction. */
export const addEvents = (events: readonly NewEvent[]) =>
  run([sql.addEvents, JSON.stringify(events.flatMap(newEventRows))]);

/** Adds an entry of the audit log within a transaction. */
export const addAudit = (entry: StoredAuditEntry) => run([sql.addAudit, list(auditRows([entry]))]);

const sql = statementsOf(statement, {
  addEvents: 'SELECT turnpike.add_events($1)',
  addAudit: 'SELECT turnpike.add_audits($1)',
});

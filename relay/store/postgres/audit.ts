import { auditTerms, type StoredAuditEntry } from '../facets/people.ts';
import type { Step } from '../sql/plan.ts';
import { list } from './server/database.ts';

/** Entries as `turnpike.add_audits` takes them. */
export function auditRows(entries: readonly (StoredAuditEntry | undefined)[]): object[] {
  return entries.flatMap((entry) =>
    entry ? [{ account: entry.account, at: entry.at, data: JSON.stringify(entry), terms: auditTerms(entry) }] : [],
  );
}

/** The step of a transaction that adds an entry. */
export function addAuditStep(entry: StoredAuditEntry): Step {
  return [add, list(auditRows([entry]))];
}

const add = { name: 'add-audit', text: 'SELECT turnpike.add_audits($1)' };

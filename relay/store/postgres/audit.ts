import { type AuditEntry, auditTerms, searchedTerms } from '../audit.ts';
import { auditFrom } from '../rows.ts';
import type { Store } from '../store.ts';
import { type Database, list } from './server/database.ts';

/** Entries as `turnpike.add_audits` takes them. */
export function auditRows(entries: readonly (AuditEntry | undefined)[]): object[] {
  return entries.flatMap((entry) =>
    entry ? [{ account: entry.account, at: entry.at, data: JSON.stringify(entry), terms: auditTerms(entry) }] : [],
  );
}

/** Who did what. */
export function postgresAudit(db: Database): Pick<Store, 'addAudit' | 'listAudit'> {
  return {
    addAudit: async (entry) => void (await db.write([sql.add, list(auditRows([entry]))])),
    listAudit: async ({ account, before = String(Number.MAX_SAFE_INTEGER), limit, ...search }) => {
      const [term, other = term] = searchedTerms(search);
      const found =
        term === undefined || other === undefined
          ? db.read(sql.list, account, before, limit)
          : db.read(sql.find, account, term, other, before, limit);
      return (await found).map(auditFrom);
    },
  };
}

const sql = {
  add: { name: 'add-audit', text: 'SELECT turnpike.add_audits($1)' },
  list: {
    name: 'list-audit',
    text: 'SELECT seq, data FROM turnpike.audit WHERE account = $1 AND seq < $2::bigint ORDER BY seq DESC LIMIT $3',
  },
  // The server finds entries by the term, and each by its own id, whatever it knows of these tables.
  find: {
    name: 'find-audit',
    text: `SELECT a.seq, a.data FROM (SELECT seq FROM turnpike.audit_terms AS t
        WHERE account = $1 AND term = $2 AND seq < $4::bigint AND (SELECT true FROM turnpike.audit_terms AS other
          WHERE other.account = $1 AND other.term = $3 AND other.seq = t.seq)
        ORDER BY account DESC, term DESC, seq DESC LIMIT $5) AS t,
      LATERAL (SELECT seq, data FROM turnpike.audit WHERE seq = t.seq OFFSET 0) AS a ORDER BY a.seq DESC`,
  },
};

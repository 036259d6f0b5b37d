import { type AuditEntry, searchedTerms } from '../audit.ts';
import { auditFrom } from '../rows.ts';
import type { Store } from '../store.ts';
import type { Plan, Sql } from './plan.ts';

/**
 * Who did what.
 * @param add adds an entry as part of a transaction
 */
export function auditLog(db: Sql, add: (entry: AuditEntry) => Plan<void>): Pick<Store, 'addAudit' | 'listAudit'> {
  const sql = statements(db);
  return {
    addAudit: (entry) => db.write(() => add(entry)),
    listAudit: async ({ account, before = Number.MAX_SAFE_INTEGER, limit, ...search }) => {
      const [term, other = term] = searchedTerms(search);
      const found =
        term === undefined || other === undefined
          ? db.read(sql.list, account, Number(before), limit)
          : db.read(sql.find, account, term, other, Number(before), limit);
      return (await found).map(auditFrom);
    },
  };
}

function statements(db: Sql) {
  const [audit, terms] = [db.dialect.table('audit'), db.dialect.table('audit_terms')];
  return {
    list: db.statement(
      'list-audit',
      `SELECT seq, data FROM ${audit} WHERE account = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3`,
    ),
    // Entries are found by the term, and each by its own id, whatever PostgreSQL knows of these tables.
    find: db.statement(
      'find-audit',
      `SELECT t.seq, (SELECT data FROM ${audit} AS a WHERE a.seq = t.seq) AS data FROM ${terms} AS t
      WHERE t.account = $1 AND t.term = $2 AND t.seq < $4 AND (SELECT true FROM ${terms} AS other
        WHERE other.account = $1 AND other.term = $3 AND other.seq = t.seq)
      ORDER BY t.account DESC, t.term DESC, t.seq DESC LIMIT $5`,
    ),
  };
}

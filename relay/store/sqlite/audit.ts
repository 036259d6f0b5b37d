import { type AuditEntry, auditTerms, searchedTerms } from '../audit.ts';
import { auditFrom } from '../rows.ts';
import type { Store } from '../store.ts';
import type { Database } from './file/database.ts';

export type SqliteAudit = {
  methods: Pick<Store, 'addAudit' | 'listAudit'>;
  /** Part of other transactions: writes an entry with what it tells of. */
  add(entry: AuditEntry | undefined): void;
};

/** Who did what. */
export function sqliteAudit(db: Database): SqliteAudit {
  const insert = db.prepare('INSERT INTO audit (account, at, data) VALUES (?, ?, ?)');
  const addTerm = db.prepare('INSERT INTO audit_terms (account, term, seq) VALUES (?, ?, ?)');
  const list = db.prepare('SELECT seq, data FROM audit WHERE account = ? AND seq < ? ORDER BY seq DESC LIMIT ?');
  const find = db.prepare(`SELECT a.seq, a.data FROM audit_terms AS t CROSS JOIN audit AS a ON a.seq = t.seq
    WHERE t.account = ?1 AND t.term = ?2 AND t.seq < ?4
    AND EXISTS (SELECT 1 FROM audit_terms AS other WHERE other.account = ?1 AND other.term = ?3 AND other.seq = t.seq)
    ORDER BY t.seq DESC LIMIT ?5`);
  const add = (entry: AuditEntry | undefined): void => {
    if (!entry) return;
    const seq = insert.run(entry.account, entry.at, JSON.stringify(entry)).lastInsertRowid;
    for (const term of auditTerms(entry)) addTerm.run(entry.account, term, seq);
  };
  return {
    add,
    methods: {
      addAudit: (entry) => db.write(() => add(entry)),
      listAudit: async ({ account, before = Number.MAX_SAFE_INTEGER, limit, ...search }) => {
        const [term, other = term] = searchedTerms(search);
        if (term === undefined || other === undefined)
          return db.read(list, [account, Number(before), limit], auditFrom);
        return db.read(find, [account, term, other, Number(before), limit], auditFrom);
      },
    },
  };
}

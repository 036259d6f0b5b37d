import type { AuditEntry } from '../audit.ts';
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
  const list = db.prepare('SELECT seq, data FROM audit WHERE account = ? AND seq < ? ORDER BY seq DESC LIMIT ?');
  const add = (entry: AuditEntry | undefined): void => {
    if (entry) insert.run(entry.account, entry.at, JSON.stringify(entry));
  };
  return {
    add,
    methods: {
      addAudit: (entry) => db.write(() => add(entry)),
      listAudit: async ({ account, before = Number.MAX_SAFE_INTEGER, limit }) =>
        db.read(list, [account, Number(before), limit], auditFrom),
    },
  };
}

import type { AuditEntry } from '../audit.ts';
import { auditFrom } from '../rows.ts';
import type { Store } from '../store.ts';
import type { Database } from './server/database.ts';

/** Entries as the procedures take them. */
export function auditRows(entries: readonly (AuditEntry | undefined)[]): object[] {
  return entries.flatMap((entry) =>
    entry ? [{ account: entry.account, at: entry.at, data: JSON.stringify(entry) }] : [],
  );
}

/** Who did what. */
export function postgresAudit(db: Database): Pick<Store, 'addAudit' | 'listAudit'> {
  return {
    addAudit: async (entry) => void (await db.write([sql.add, entry.account, entry.at, JSON.stringify(entry)])),
    listAudit: async ({ account, before = String(Number.MAX_SAFE_INTEGER), limit }) =>
      (await db.read(sql.list, account, before, limit)).map(auditFrom),
  };
}

const sql = {
  add: { name: 'add-audit', text: 'INSERT INTO turnpike.audit (account, at, data) VALUES ($1, $2, $3)' },
  list: {
    name: 'list-audit',
    text: 'SELECT seq, data FROM turnpike.audit WHERE account = $1 AND seq < $2::bigint ORDER BY seq DESC LIMIT $3',
  },
};

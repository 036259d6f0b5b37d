import type { StoredApproval } from '../../../payments/operations/approval.ts';
import type { ApprovalStore } from '../../facets/approvals.ts';
import type { Answered, Claim } from '../../facets/keys.ts';
import type { StoredAuditEntry } from '../../facets/people.ts';
import { parsed, type Row } from '../../row.ts';
import { ask, type Plan, run, type Sql, statementsOf } from '../plan.ts';

/** The functions that write the other rows of a request. */
type Parts = {
  /** Whether a key still belongs to this claim. This does not change until the transaction ends. */
  holds(claim: Claim): Plan<boolean>;
  answer(answered: Answered): Plan<void>;
  addAudit(entry: StoredAuditEntry): Plan<void>;
};

/** Requests of people that wait for another person. */
export function approvals(db: Sql, { holds, answer, addAudit }: Parts): ApprovalStore {
  const own = db.dialect.table('approvals');
  const sql = statementsOf(db.statement, {
    addApproval: `INSERT INTO ${own} (id, account, expires_at, version, data) VALUES ($1, $2, $3, $4, $5)`,
    approval: `SELECT data FROM ${own} WHERE id = $1`,
    approvals: `SELECT data FROM ${own} WHERE account = $1 AND expires_at > $2 
      ORDER BY account DESC, expires_at DESC, id DESC LIMIT $3`,
    changeApproval: `UPDATE ${own} SET version = $2, data = $3 WHERE id = $1 AND version = $2 - 1 RETURNING id`,
  });
  return {
    add: (approval, key, { answered, audit }) =>
      db.write(function* (): Plan<boolean> {
        if (key && !(yield* holds(key))) return false;
        const { id, account, expires_at, version } = approval;
        yield* run([sql.addApproval, id, account, expires_at, version, JSON.stringify(approval)]);
        if (answered) yield* answer(answered);
        yield* addAudit(audit);
        return true;
      }),

    get: async (id) => (await db.read(sql.approval, id)).map(approvalFrom)[0],

    list: async (account, endAfter, limit) =>
      (await db.read(sql.approvals, account, endAfter, limit)).map(approvalFrom).reverse(),

    change: (approval, { answered, audit }) =>
      db.write(function* (): Plan<boolean> {
        const { id, version } = approval;
        const changed = yield* ask(sql.changeApproval, id, version, JSON.stringify(approval));
        if (changed.length === 0) return false;
        if (answered) yield* answer(answered);
        yield* addAudit(audit);
        return true;
      }),
  };
}

function approvalFrom({ data }: Row): StoredApproval {
  return parsed(data);
}

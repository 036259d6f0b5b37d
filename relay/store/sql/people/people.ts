import { type PeopleStore, type SignIn, type StoredAuditEntry, searchedTerms } from '../../facets/people.ts';
import type { Row } from '../../row.ts';
import { auditFrom } from '../../rows.ts';
import { ask, type Plan, run, type Sql, statementsOf } from '../plan.ts';

/**
 * The sign-ins to the console, and the audit log.
 * @param addAudit adds an entry of the audit log within a transaction
 */
export function people(db: Sql, addAudit: (entry: StoredAuditEntry) => Plan<void>): PeopleStore {
  const sql = statements(db);
  return {
    addSignIn: ({ token_sha256, person, credential, created_at, seen_at, ip = null }) =>
      db.write(() => run([sql.addSignIn, token_sha256, person, credential, created_at, seen_at, ip])),
    getSignIn: async (tokenSha256) => (await db.read(sql.signIn, tokenSha256)).map(signInFrom)[0],
    listSignIns: async (person) => (await db.read(sql.signInsOf, person)).map(signInFrom),
    seeSignIn: (tokenSha256, at) => db.write(() => run([sql.seeSignIn, tokenSha256, at])),
    endSignIn: (tokenSha256) => db.write(() => run([sql.endSignIn, tokenSha256])),
    forgetSignIns: (before, limit) =>
      db.write(function* (): Plan<boolean> {
        yield* db.byIndex();
        return (yield* ask(sql.forgetSignIns, before, limit)).length >= limit;
      }),

    addAudit: (entry) => db.write(() => addAudit(entry)),
    listAudit: async ({ account, before = Number.MAX_SAFE_INTEGER, limit, ...search }) => {
      const [term, other = term] = searchedTerms(search);
      const found =
        term === undefined || other === undefined
          ? db.read(sql.listAudit, account, Number(before), limit)
          : db.read(sql.findAudit, account, term, other, Number(before), limit);
      return (await found).map(auditFrom);
    },
  };
}

/** The sign-in in a row of `sign_ins`. */
function signInFrom({ token_sha256, person, credential, created_at, seen_at, ip }: Row): SignIn {
  return {
    token_sha256: String(token_sha256),
    person: String(person),
    credential: String(credential),
    created_at: String(created_at),
    seen_at: String(seen_at),
    ...(typeof ip === 'string' ? { ip } : {}),
  };
}

function statements(db: Sql) {
  const { table, skipLocked } = db.dialect;
  const [signIns, audit, auditTerms] = [table('sign_ins'), table('audit'), table('audit_terms')];
  const columns = 'token_sha256, person, credential, created_at, seen_at, ip';
  return statementsOf(db.statement, {
    addSignIn: `INSERT INTO ${signIns} (${columns}) VALUES ($1, $2, $3, $4, $5, $6)`,
    signIn: `SELECT ${columns} FROM ${signIns} WHERE token_sha256 = $1`,
    signInsOf: `SELECT ${columns} FROM ${signIns} WHERE person = $1 ORDER BY created_at DESC, token_sha256`,
    seeSignIn: `UPDATE ${signIns} SET seen_at = $2 WHERE token_sha256 = $1`,
    endSignIn: `DELETE FROM ${signIns} WHERE token_sha256 = $1`,
    forgetSignIns: `DELETE FROM ${signIns} WHERE token_sha256 IN (SELECT token_sha256 FROM ${signIns}
      WHERE created_at < $1 LIMIT $2 ${skipLocked}) RETURNING token_sha256`,
    listAudit: `SELECT seq, data FROM ${audit} WHERE account = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3`,
    // Entries are found by the term and read by their ids, whatever PostgreSQL's statistics say about these tables.
    findAudit: `SELECT t.seq, (SELECT data FROM ${audit} AS a WHERE a.seq = t.seq) AS data FROM ${auditTerms} AS t
      WHERE t.account = $1 AND t.term = $2 AND t.seq < $4 AND (SELECT true FROM ${auditTerms} AS other
        WHERE other.account = $1 AND other.term = $3 AND other.seq = t.seq)
      ORDER BY t.account DESC, t.term DESC, t.seq DESC LIMIT $5`,
  });
}

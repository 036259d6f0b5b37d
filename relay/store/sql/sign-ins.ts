import { signInFrom } from '../sign-in.ts';
import type { Store } from '../store.ts';
import { ask, type Plan, run, type Sql } from './plan.ts';

type SignInMethods = Pick<Store, 'addSignIn' | 'signIn' | 'seeSignIn' | 'endSignIn' | 'forgetSignIns'>;

/** Who is signed in to the console. */
export function signIns(db: Sql): SignInMethods {
  const sql = statements(db);
  return {
    addSignIn: ({ token_sha256, person, credential, created_at, seen_at }) =>
      db.write(() => run([sql.add, token_sha256, person, credential, created_at, seen_at])),
    signIn: async (tokenSha256) => (await db.read(sql.find, tokenSha256)).map(signInFrom)[0],
    seeSignIn: (tokenSha256, at) => db.write(() => run([sql.see, tokenSha256, at])),
    endSignIn: (tokenSha256) => db.write(() => run([sql.end, tokenSha256])),
    forgetSignIns: (before, limit) =>
      db.write(function* (): Plan<boolean> {
        yield* db.byIndex();
        return (yield* ask(sql.forget, before, limit)).length >= limit;
      }),
  };
}

function statements(db: Sql) {
  const table = db.dialect.table('sign_ins');
  const columns = 'token_sha256, person, credential, created_at, seen_at';
  return {
    add: db.statement('add-sign-in', `INSERT INTO ${table} (${columns}) VALUES ($1, $2, $3, $4, $5)`),
    find: db.statement('sign-in', `SELECT ${columns} FROM ${table} WHERE token_sha256 = $1`),
    see: db.statement('see-sign-in', `UPDATE ${table} SET seen_at = $2 WHERE token_sha256 = $1`),
    end: db.statement('end-sign-in', `DELETE FROM ${table} WHERE token_sha256 = $1`),
    forget: db.statement(
      'forget-sign-ins',
      `DELETE FROM ${table} WHERE token_sha256 IN (SELECT token_sha256 FROM ${table}
      WHERE created_at < $1 LIMIT $2 ${db.dialect.skipLocked}) RETURNING token_sha256`,
    ),
  };
}

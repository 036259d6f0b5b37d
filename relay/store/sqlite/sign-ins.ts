import type { Limited } from '../../payments/limits.ts';
import { signInFrom } from '../sign-in.ts';
import type { Store } from '../store.ts';
import type { Database } from './file/database.ts';
import type { SqliteQuotas } from './quotas/quotas.ts';

type SignInMethods = Pick<
  Store,
  'addSignIn' | 'signIn' | 'seeSignIn' | 'endSignIn' | 'forgetSignIns' | 'countAttempt' | 'uncountAttempt'
>;

/** Who is signed in to the console, and how often it was tried. */
export function sqliteSignIns(db: Database, quotas: SqliteQuotas): SignInMethods {
  const sql = {
    add: db.prepare(
      'INSERT INTO sign_ins (token_sha256, person, credential, created_at, seen_at) VALUES (?, ?, ?, ?, ?)',
    ),
    find: db.prepare('SELECT * FROM sign_ins WHERE token_sha256 = ?'),
    see: db.prepare('UPDATE sign_ins SET seen_at = ? WHERE token_sha256 = ?'),
    end: db.prepare('DELETE FROM sign_ins WHERE token_sha256 = ?'),
    forget: db.prepare(`DELETE FROM sign_ins WHERE token_sha256 IN
      (SELECT token_sha256 FROM sign_ins WHERE created_at < ? LIMIT ?)`),
  };
  return {
    addSignIn: ({ token_sha256, person, credential, created_at, seen_at }) =>
      db.write(() => void sql.add.run(token_sha256, person, credential, created_at, seen_at)),
    signIn: async (tokenSha256) => (await db.read(sql.find, [tokenSha256], signInFrom))[0],
    seeSignIn: (tokenSha256, at) => db.write(() => void sql.see.run(at, tokenSha256)),
    endSignIn: (tokenSha256) => db.write(() => void sql.end.run(tokenSha256)),
    forgetSignIns: (before, limit) => db.write(() => Number(sql.forget.run(before, limit).changes) >= limit),
    countAttempt: (counted, at) =>
      db.write<Limited | undefined>(() => {
        const limited = quotas.limited(counted, at);
        if (!limited) quotas.count(counted, at);
        return limited;
      }),
    uncountAttempt: (counted, at) => db.write(() => quotas.uncount(counted, at)),
  };
}

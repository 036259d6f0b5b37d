import { signInFrom } from '../sign-in.ts';
import type { Store } from '../store.ts';
import { groupsOf, limitedIn } from './orders/quotas.ts';
import type { Database } from './server/database.ts';

type SignInMethods = Pick<
  Store,
  'addSignIn' | 'signIn' | 'seeSignIn' | 'endSignIn' | 'forgetSignIns' | 'countAttempt' | 'uncountAttempt'
>;

/** Who is signed in to the console, and how often it was tried. */
export function postgresSignIns(db: Database): SignInMethods {
  return {
    addSignIn: async ({ token_sha256, person, credential, created_at, seen_at }) =>
      void (await db.write([sql.add, token_sha256, person, credential, created_at, seen_at])),
    signIn: async (tokenSha256) => (await db.read(sql.find, tokenSha256)).map(signInFrom)[0],
    seeSignIn: async (tokenSha256, at) => void (await db.write([sql.see, tokenSha256, at])),
    endSignIn: async (tokenSha256) => void (await db.write([sql.end, tokenSha256])),
    forgetSignIns: async (before, limit) => (await db.write([sql.forget, before, limit])).length >= limit,
    countAttempt: async (quotas, at) => {
      const groups = groupsOf([{ quotas, at }]);
      const [row] = await db.write([sql.count, JSON.stringify(groups)]);
      if (typeof row?.used_up !== 'string') return undefined;
      const usedUp: [number, number][] = JSON.parse(row.used_up);
      return limitedIn({ quotas, at }, groups, new Map(usedUp));
    },
    uncountAttempt: async (quotas, at) => {
      await db.write([sql.uncount, JSON.stringify(groupsOf([{ quotas, at }]))]);
    },
  };
}

const sql = {
  add: {
    name: 'add-sign-in',
    text: `INSERT INTO turnpike.sign_ins (token_sha256, person, credential, created_at, seen_at)
      VALUES ($1, $2, $3, $4, $5)`,
  },
  find: {
    name: 'sign-in',
    text: `SELECT token_sha256, person, credential, created_at, seen_at FROM turnpike.sign_ins WHERE token_sha256 = $1`,
  },
  see: { name: 'see-sign-in', text: 'UPDATE turnpike.sign_ins SET seen_at = $2 WHERE token_sha256 = $1' },
  end: { name: 'end-sign-in', text: 'DELETE FROM turnpike.sign_ins WHERE token_sha256 = $1' },
  forget: {
    name: 'forget-sign-ins',
    text: `DELETE FROM turnpike.sign_ins WHERE token_sha256 IN (SELECT token_sha256 FROM turnpike.sign_ins
      WHERE created_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING token_sha256`,
  },
  count: { name: 'count-attempt', text: 'SELECT turnpike.count_attempts($1) AS used_up' },
  uncount: {
    name: 'uncount-attempt',
    text: `UPDATE turnpike.counted AS c SET n = c.n - g.n FROM json_to_recordset($1) AS g (key text, at bigint, n integer)
      WHERE c.key = g.key AND c.at = g.at AND c.n >= g.n`,
  },
};

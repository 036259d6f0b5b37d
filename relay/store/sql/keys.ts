import type { Answered, Claim, Key, KeyStore } from '../facets/keys.ts';
import { ask, type Plan, run, type Sql, statementsOf } from './plan.ts';

/** What each database does in its own way, because each payment and refund needs it. */
export type KeyParts = Pick<KeyStore, 'claim' | 'release'> & {
  /** Keeps an answer as part of a transaction. */
  answer(answered: Answered): Plan<void>;
  /** Whether a key is still that of this claim, as part of a transaction: until that ends it stays so. */
  holds(claim: Claim): Plan<boolean>;
  /** Forgets a claim that is kept outside of the database. */
  dropClaim(key: Key): Plan<void>;
  /** Forgets at most `limit` such claims that were made before a moment, and says how many. */
  forgetClaims(before: string, limit: number): number;
};

/** Idempotency keys, each with what its first request made and answered. */
export function keys(db: Sql, parts: KeyParts): KeyStore {
  const { table, skipLocked } = db.dialect;
  const own = table('idempotency_keys');
  const old = `SELECT account, route, key FROM ${own} WHERE claimed_at < $1
    AND NOT EXISTS (SELECT 1 FROM ${table('operations')} WHERE id = subject AND status IN ('in_flight', 'unknown'))
    AND NOT EXISTS (SELECT 1 FROM ${table('sessions')} WHERE id = subject
      AND status IN ('processing', 'redirected', 'pending', 'unknown'))
    LIMIT $2`;
  const sql = statementsOf(db.statement, {
    dropKey: `DELETE FROM ${own} WHERE account = $1 AND route = $2 AND key = $3 AND subject IS NOT DISTINCT FROM $4`,
    oldKeys: old,
    forgetKeys: `DELETE FROM ${own} WHERE (account, route, key) IN (${old} ${skipLocked}) RETURNING key`,
  });

  return {
    claim: parts.claim,
    release: parts.release,
    answer: (answered) => db.write(() => parts.answer(answered)),
    drop: (key, subject) =>
      db.write(function* () {
        if (subject === undefined) yield* parts.dropClaim(key);
        yield* run([sql.dropKey, key.account, key.route, key.key, subject ?? null]);
      }),
    forget: async (before, limit) => {
      const claims = parts.forgetClaims(before, limit);
      // Nearly always there are none.
      const forgotten = (await db.finds(sql.oldKeys, before, 1))
        ? await db.write(() => ask(sql.forgetKeys, before, limit))
        : [];
      return claims >= limit || forgotten.length >= limit;
    },
  };
}

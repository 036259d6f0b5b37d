import type { Answered, Claim, Key, KeyStore } from '../facets/keys.ts';
import { type Plan, run, type Sql, statementsOf } from './plan.ts';

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
  const own = db.dialect.table('idempotency_keys');
  const sql = statementsOf(db.statement, {
    dropKey: `DELETE FROM ${own} WHERE account = $1 AND route = $2 AND key = $3 AND subject IS NOT DISTINCT FROM $4`,
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
  };
}

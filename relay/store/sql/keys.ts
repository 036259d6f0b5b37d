import type { Answered, Claim, Key, KeyStore } from '../facets/keys.ts';
import { type Plan, run, type Sql, statementsOf } from './plan.ts';

/** The parts that differ between the databases, because each payment and refund uses them. */
export type KeyParts = Pick<KeyStore, 'claim' | 'release'> & {
  /** Stores an answer within a transaction. */
  answer(answered: Answered): Plan<void>;
  /** Whether a key still belongs to this claim. This does not change until the transaction ends. */
  holds(claim: Claim): Plan<boolean>;
  /** Deletes a claim that is kept outside of the database. */
  dropClaim(key: Key): Plan<void>;
  /** Deletes at most `limit` such claims that were made before a moment, and returns their number. */
  forgetClaims(before: string, limit: number): number;
};

/** Idempotency keys, each with the result and the answer of its first request. */
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

import { type Answered, type Claim, claimedBefore, type Key, type KeyStore } from '../facets/keys.ts';
import type { KeyParts } from '../sql/keys.ts';
import type { SqliteSql } from './driver.ts';
import type { SqliteDatabase, SqliteRow } from './file/database.ts';

export type SqliteKeys = {
  parts(sql: SqliteSql): KeyParts;
  /**
   * Parts of other transactions: store an answer, and link a key to the result of its request. False if the key no
   * longer belongs to this request, because it took so long that another one took over the key.
   */
  answer(answered: Answered): void;
  lead(key: Claim, subject: string): boolean;
};

/**
 * Idempotency keys, each with the result and the answer of its first request. A claim is kept in memory until it has a
 * result: only this relay uses the file, and the request of a claim that ends with the relay sent nothing.
 */
export function sqliteKeys(db: SqliteDatabase): SqliteKeys {
  const sql = statements(db);
  const claims = new Map<string, Claim>();

  const found = ({ account, route, key }: Key): SqliteRow | undefined =>
    db.all(sql.find, [account, route, key], (row) => row)[0];

  /** A claim that becomes a row, or is stored with one. */
  const unclaim = (key: Key): Claim | undefined => {
    const claim = claims.get(nameOf(key));
    if (!claim) return undefined;
    claims.delete(nameOf(key));
    db.undoBy(() => claims.set(nameOf(key), claim));
    return claim;
  };
  const insert = ({ account, route, key, fingerprint, claimed_at }: Claim, subject?: string, reply?: string): void => {
    sql.insert.run(account, route, key, fingerprint, claimed_at, subject ?? null, reply ?? null);
  };

  const answer = ({ reply, subject, ...named }: Answered): void => {
    const { account, route, key } = named;
    const claim = unclaim(named);
    if (claim) insert(claim, subject, reply);
    else sql.answer.run(reply, subject ?? null, account, route, key);
  };
  const isHeldBy = (claim: Claim): boolean => claims.get(nameOf(claim))?.claimed_at === claim.claimed_at;
  const lead = (claim: Claim, subject: string): boolean => {
    if (!isHeldBy(claim)) return false;
    unclaim(claim);
    insert(claim, subject);
    return true;
  };

  const claimKey: KeyStore['claim'] = async (claim, abandonedBefore, earlierKeys = []) => {
    const forms = [claim.key, ...earlierKeys].map((key) => ({ ...claim, key }));
    const befores = forms.map((form) => claims.get(nameOf(form)) ?? found(form));
    for (const before of befores) {
      const told = before && claimedBefore(claim, before, abandonedBefore);
      if (told) return db.durable(told);
    }
    for (const form of forms) claims.delete(nameOf(form));
    claims.set(nameOf(claim), claim);
    return { kind: 'claimed' };
  };

  return {
    answer,
    lead,
    parts: (sql) => ({
      claim: claimKey,
      release: async (released) => {
        for (const claim of released) if (isHeldBy(claim)) claims.delete(nameOf(claim));
      },
      answer: (answered) => sql.part(() => answer(answered)),
      holds: (claim) => sql.part(() => isHeldBy(claim)),
      dropClaim: (key) => sql.part(() => void unclaim(key)),
      forgetClaims: (before, limit) => {
        const old = [...claims.values()].filter(({ claimed_at }) => claimed_at < before).slice(0, limit);
        for (const claim of old) claims.delete(nameOf(claim));
        return old.length;
      },
    }),
  };
}

function nameOf({ account, route, key }: Key): string {
  return JSON.stringify([account, route, key]);
}

function statements(db: SqliteDatabase) {
  return {
    insert: db.prepare(`INSERT INTO idempotency_keys (account, route, key, fingerprint, claimed_at, subject, reply)
      VALUES (?, ?, ?, ?, ?, ?, ?)`),
    find: db.prepare('SELECT * FROM idempotency_keys WHERE account = ? AND route = ? AND key = ?'),
    answer: db.prepare(`UPDATE idempotency_keys SET reply = ?, subject = coalesce(subject, ?)
      WHERE account = ? AND route = ? AND key = ? AND reply IS NULL`),
  };
}

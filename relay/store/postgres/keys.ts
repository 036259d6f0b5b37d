import { type Answered, type Claim, claimedBefore, type Key, type KeyStore } from '../facets/keys.ts';
import type { Row } from '../rows.ts';
import type { Value } from '../sql/plan.ts';
import { statementsOf } from '../sql/plan.ts';
import { statement } from './driver.ts';
import { createBatches } from './server/batches.ts';
import { list, type PostgresDatabase } from './server/database.ts';
import { mayDoLess } from './server/errors.ts';

/** The statement that keeps an answer under its key, with five values from number `from` on, if `condition` holds. */
export function answerKey(from: number, condition: string): string {
  const [reply, subject, account, route, key] = [0, 1, 2, 3, 4].map((i) => `$${from + i}::text`);
  return `UPDATE turnpike.idempotency_keys SET reply = ${reply}, subject = coalesce(subject, ${subject})
    WHERE account = ${account} AND route = ${route} AND key = ${key} AND reply IS NULL AND ${condition}`;
}

/** The values of `answerKey`; of no answer they name no key. */
export function answerValues(answered: Answered | undefined): Value[] {
  if (!answered) return [null, null, null, null, null];
  const { reply, subject, account, route, key } = answered;
  return [reply, subject ?? null, account, route, key];
}

/** Idempotency keys, each with what its first request made and answered. */
export function postgresKeys(db: PostgresDatabase): KeyStore {
  // Nothing is done yet for a key that was taken: should a crash of the server undo that, it is taken again.
  const insert = createBatches<Claim, { isMade: boolean }>({
    keysOf: (claim) => [nameOf(claim)],
    run: async (batch, start) => {
      const made = new Set((await db.writeHasty([[sql.claimKey, list(batch)]], start)).map(nameOf));
      return batch.map((claim) => ({ isMade: made.has(nameOf(claim)) }));
    },
    mayRepeat: mayDoLess,
  });
  const claimKey: KeyStore['claim'] = async (claim, abandonedBefore, earlierKeys = []) => {
    const { account, route, key, claimed_at } = claim;
    const before = earlierKeys.length > 0 ? await db.read(sql.keys, account, route, earlierKeys) : [];
    for (const row of before) {
      const told = claimedBefore(claim, row, abandonedBefore);
      if (told) return told;
    }
    for (const row of before) {
      const [freed] = await db.write([sql.freeKey, account, route, String(row.key), String(row.claimed_at)]);
      // It led to something, or was freed, meanwhile.
      if (!freed) return claimKey(claim, abandonedBefore, earlierKeys);
    }
    if ((await insert(claim)).isMade) return { kind: 'claimed' };
    const [row] = await db.read(sql.key, account, route, key);
    // Given back meanwhile.
    if (!row) return claimKey(claim, abandonedBefore, earlierKeys);
    const told = claimedBefore(claim, row, abandonedBefore);
    if (told) return told;
    const [again] = await db.write([sql.claimKeyAgain, account, route, key, String(row.claimed_at), claimed_at]);
    return again ? { kind: 'claimed' } : claimKey(claim, abandonedBefore, earlierKeys);
  };
  const name = ({ account, route, key }: Key) => [account, route, key] as const;
  return {
    claim: claimKey,
    answer: async (answered) => void (await db.write([sql.answerKey, ...answerValues(answered)])),
    release: async (claims) => void (await db.write([sql.releaseKeys, list(claims)])),
    drop: async (key, subject) => void (await db.write([sql.dropKey, ...name(key), subject ?? null])),
    forget: async (before, limit) => (await db.write([sql.forgetKeys, before, limit])).length >= limit,
  };
}

const nameOf = ({ account, route, key }: Key | Row): string => JSON.stringify([account, route, key]);

const named = 'account = $1 AND route = $2 AND key = $3';

const sql = statementsOf(statement, {
  claimKey: `INSERT INTO turnpike.idempotency_keys (account, route, key, fingerprint, claimed_at)
      SELECT * FROM json_to_recordset($1) AS k (account text, route text, key text, fingerprint text, claimed_at text)
      ORDER BY account, route, key ON CONFLICT DO NOTHING RETURNING account, route, key`,
  key: `SELECT fingerprint, claimed_at, subject, reply FROM turnpike.idempotency_keys WHERE ${named}`,
  keys: `SELECT key, fingerprint, claimed_at, subject, reply FROM turnpike.idempotency_keys
      WHERE account = $1 AND route = $2 AND key = ANY($3::text[])`,
  freeKey: `DELETE FROM turnpike.idempotency_keys WHERE ${named} AND claimed_at = $4
      AND subject IS NULL AND reply IS NULL RETURNING key`,
  claimKeyAgain: `UPDATE turnpike.idempotency_keys SET claimed_at = $5 WHERE ${named} AND claimed_at = $4
      AND subject IS NULL AND reply IS NULL RETURNING key`,
  answerKey: answerKey(1, 'true'),
  // One that is locked is being led to something, or given back.
  releaseKeys: `DELETE FROM turnpike.idempotency_keys WHERE (account, route, key) IN (
      SELECT k.account, k.route, k.key FROM turnpike.idempotency_keys AS k
        JOIN json_to_recordset($1) AS c (account text, route text, key text, claimed_at text)
          ON k.account = c.account AND k.route = c.route AND k.key = c.key AND k.claimed_at = c.claimed_at
        WHERE k.reply IS NULL AND k.subject IS NULL FOR UPDATE OF k SKIP LOCKED)`,
  dropKey: `DELETE FROM turnpike.idempotency_keys WHERE ${named} AND subject IS NOT DISTINCT FROM $4`,
  forgetKeys: `DELETE FROM turnpike.idempotency_keys WHERE (account, route, key) IN (
      SELECT account, route, key FROM turnpike.idempotency_keys WHERE claimed_at < $1
        AND NOT EXISTS (SELECT 1 FROM turnpike.operations WHERE id = subject AND status IN ('in_flight', 'unknown'))
        AND NOT EXISTS (SELECT 1 FROM turnpike.sessions WHERE id = subject
          AND status IN ('processing', 'redirected', 'pending', 'unknown'))
      LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING key`,
});

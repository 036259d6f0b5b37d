import { type Claim, claimedBefore, type Key, type KeyStore } from '../facets/keys.ts';
import type { Row } from '../row.ts';
import type { KeyParts } from '../sql/keys.ts';
import { ask, run, statementsOf } from '../sql/plan.ts';
import { statement } from './driver.ts';
import { createBatches } from './server/batches.ts';
import { list, type PostgresDatabase } from './server/database.ts';

/** Claims keys in batches that do not wait for the disk, and stores answers. */
export function postgresKeys(db: PostgresDatabase): KeyParts {
  // Nothing was done under a key that was just claimed. If a crash of the server undoes the claim, the key can be
  // claimed again.
  const insert = createBatches<Claim, { isMade: boolean }>({
    keysOf: (claim) => [nameOf(claim)],
    run: async (batch, start) => {
      const made = new Set((await db.writeLossy([[sql.claimKey, list(batch)]], start)).map(nameOf));
      return batch.map((claim) => ({ isMade: made.has(nameOf(claim)) }));
    },
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
      // The key got a subject or an answer meanwhile, or was released.
      if (!freed) return claimKey(claim, abandonedBefore, earlierKeys);
    }
    if ((await insert(claim)).isMade) return { kind: 'claimed' };
    const [row] = await db.read(sql.key, account, route, key);
    // The key was released meanwhile.
    if (!row) return claimKey(claim, abandonedBefore, earlierKeys);
    const told = claimedBefore(claim, row, abandonedBefore);
    if (told) return told;
    const [again] = await db.write([sql.claimKeyAgain, account, route, key, String(row.claimed_at), claimed_at]);
    return again ? { kind: 'claimed' } : claimKey(claim, abandonedBefore, earlierKeys);
  };
  return {
    claim: claimKey,
    release: async (claims) => void (await db.write([sql.releaseKeys, list(claims)])),
    answer: ({ reply, subject, account, route, key }) =>
      run([sql.answerKey, account, route, key, reply, subject ?? null]),
    holds: function* ({ account, route, key, claimed_at }) {
      return (yield* ask(sql.heldKey, account, route, key, claimed_at)).length > 0;
    },
    dropClaim: () => run(),
    forgetClaims: () => 0,
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
  heldKey: `SELECT key FROM turnpike.idempotency_keys WHERE ${named} AND claimed_at = $4
    AND subject IS NULL AND reply IS NULL FOR UPDATE`,
  answerKey: `UPDATE turnpike.idempotency_keys SET reply = $4, subject = coalesce(subject, $5)
    WHERE ${named} AND reply IS NULL`,
  // Another transaction that has locked one links it to its subject, or releases it.
  releaseKeys: `DELETE FROM turnpike.idempotency_keys WHERE (account, route, key) IN (
      SELECT k.account, k.route, k.key FROM turnpike.idempotency_keys AS k
        JOIN json_to_recordset($1) AS c (account text, route text, key text, claimed_at text)
          ON k.account = c.account AND k.route = c.route AND k.key = c.key AND k.claimed_at = c.claimed_at
        WHERE k.reply IS NULL AND k.subject IS NULL FOR UPDATE OF k SKIP LOCKED)`,
});

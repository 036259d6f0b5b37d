import type { Answered, Claim, Claimed, Store } from '../store.ts';
import type { Database } from './database.ts';

export type SqliteKeys = {
  methods: Pick<Store, 'claimKey' | 'answerKey' | 'releaseKey' | 'dropKey' | 'forgetKeys'>;
  /**
   * Parts of other transactions: keep an answer, and let a key lead to what its request made. False when the key is not
   * this request's own any more: it took so long that another one took the key over.
   */
  answer(answered: Answered): void;
  lead(key: Claim, subject: string): boolean;
};

/** Idempotency keys, each with what its first request made and answered. */
export function sqliteKeys(db: Database): SqliteKeys {
  const sql = {
    insert: db.prepare(`INSERT INTO idempotency_keys (account, route, key, fingerprint, claimed_at)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`),
    find: db.prepare('SELECT * FROM idempotency_keys WHERE account = ? AND route = ? AND key = ?'),
    claimAgain: db.prepare(`UPDATE idempotency_keys SET claimed_at = ?
      WHERE account = ? AND route = ? AND key = ?`),
    answer: db.prepare(`UPDATE idempotency_keys SET reply = ?, subject = coalesce(subject, ?)
      WHERE account = ? AND route = ? AND key = ? AND reply IS NULL`),
    lead: db.prepare(`UPDATE idempotency_keys SET subject = ?
      WHERE account = ? AND route = ? AND key = ? AND claimed_at = ? AND subject IS NULL AND reply IS NULL`),
    release: db.prepare(`DELETE FROM idempotency_keys
      WHERE account = ? AND route = ? AND key = ? AND reply IS NULL AND subject IS NULL`),
    drop: db.prepare(`DELETE FROM idempotency_keys WHERE account = ? AND route = ? AND key = ? AND subject IS ?`),
    old: db.prepare(`SELECT account, route, key FROM idempotency_keys
      WHERE claimed_at < ?
        AND NOT EXISTS (SELECT 1 FROM operations WHERE id = subject AND status IN ('in_flight', 'unknown'))
        AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = subject
          AND status IN ('processing', 'redirected', 'pending', 'unknown'))
      LIMIT ?`),
    forget: db.prepare('DELETE FROM idempotency_keys WHERE account = ? AND route = ? AND key = ?'),
  };
  const answer = ({ reply, subject, account, route, key }: Answered): void => {
    sql.answer.run(reply, subject ?? null, account, route, key);
  };
  return {
    answer,
    lead: ({ account, route, key, claimed_at }, subject) =>
      sql.lead.run(subject, account, route, key, claimed_at).changes === 1,
    methods: {
      claimKey: ({ account, route, key, fingerprint, earlier = [], claimed_at }, abandonedBefore) =>
        db.write<Claimed>(() => {
          if (sql.insert.run(account, route, key, fingerprint, claimed_at).changes === 1) return { kind: 'claimed' };
          const row = sql.find.get(account, route, key);
          const leads = typeof row?.subject === 'string' ? { subject: row.subject } : {};
          if (!row || ![fingerprint, ...earlier].includes(String(row.fingerprint))) return { kind: 'other_body' };
          if (typeof row.reply === 'string') return { kind: 'answered', reply: row.reply };
          if ('subject' in leads) return { kind: 'running', ...leads };
          if (String(row.claimed_at) >= abandonedBefore) return { kind: 'running' };
          sql.claimAgain.run(claimed_at, account, route, key);
          return { kind: 'claimed' };
        }),
      answerKey: (answered) => db.write(() => answer(answered)),
      releaseKey: ({ account, route, key }) => db.write(() => void sql.release.run(account, route, key)),
      dropKey: ({ account, route, key }, subject) =>
        db.write(() => void sql.drop.run(account, route, key, subject ?? null)),
      forgetKeys: async (before, limit) => {
        // Nearly always there is nothing to do, and a write would keep other writers waiting.
        if (db.all(sql.old, [before, 1], () => true).length === 0) return false;
        return db.write(() => {
          const old = sql.old.all(before, limit);
          for (const row of old) {
            sql.forget.run(String(row.account), String(row.route), String(row.key));
          }
          return old.length >= limit;
        });
      },
    },
  };
}

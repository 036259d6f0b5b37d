import type { Session } from '../../payments/session.ts';
import type { Limited, OrderTaken, Quota } from '../store.ts';
import type { Database } from './database.ts';
import { lock, locks } from './rows.ts';

/** Counts attempts against their quotas, in a transaction of its own. */
export type PostgresQuotas = {
  /**
   * Says which quota is used up, or else counts the attempt, unless its order is taken: payers who click twice use up
   * nothing.
   */
  take(session: Session, quotas: readonly Quota[], at: string): Promise<Limited | OrderTaken | undefined>;
};

/**
 * Counted attempts. Those of one key are numbered, so that the one that would have to be out of the window for another to
 * be let in is found by its number, however many there are. All attempts of an account wait for each other here, so this
 * does not wait for the disk: a crash of the server may forget the last few.
 */
export function postgresQuotas(db: Database): PostgresQuotas {
  return {
    async take({ account, order_no }, quotas, at) {
      if (quotas.length === 0) return undefined;
      const cutoffs = quotas.map(({ window_ms }) => new Date(Date.parse(at) - window_ms).toISOString());
      const [row] = await db.writeHasty(
        [lock, quotas.map(({ key }) => locks.quota(key))],
        [take, account, order_no, at, quotas.map(({ key }) => key), quotas.map(({ most }) => most), cutoffs],
      );
      if (row?.hold === 'paid') return { kind: 'order_already_paid' };
      if (row?.hold === 'held') return { kind: 'order_in_progress' };
      const quota = quotas[Number(row?.i) - 1];
      if (!quota) return undefined;
      const until = new Date(Date.parse(String(row?.blocking)) + quota.window_ms).toISOString();
      return { kind: 'limited', limit: quota.name, until };
    },
  };
}

const take = {
  name: 'take-quotas',
  text: `WITH taken AS (SELECT hold FROM turnpike.orders WHERE account = $1 AND order_no = $2 AND hold <> 'free'),
    asked AS (SELECT key, most, cutoff, i, coalesce((SELECT n FROM turnpike.tries WHERE tries.key = asked.key
      ORDER BY n DESC LIMIT 1), 0) + 1 AS n
      FROM unnest($4::text[], $5::bigint[], $6::text[]) WITH ORDINALITY AS asked (key, most, cutoff, i)),
    blocked AS (SELECT i, at AS blocking FROM asked JOIN turnpike.tries ON tries.key = asked.key
      AND tries.n = asked.n - asked.most WHERE at > cutoff COLLATE "C" ORDER BY i LIMIT 1),
    counted AS (INSERT INTO turnpike.tries (key, n, at) SELECT key, n, $3 FROM asked
      WHERE NOT EXISTS (SELECT 1 FROM taken) AND NOT EXISTS (SELECT 1 FROM blocked))
    SELECT (SELECT hold FROM taken) AS hold, (SELECT i FROM blocked) AS i, (SELECT blocking FROM blocked) AS blocking`,
};

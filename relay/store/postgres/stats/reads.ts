import type { Client } from 'pg';
import { idsFrom } from '../../../base/ids.ts';
import type { Row } from '../../rows.ts';
import { type CountedRefund, PAGE, type StatsReads } from '../../stats/search.ts';

/** How long the server may work on one page. */
const PAGE_MS = 5000;

/** An id is made a moment before or after its attempt begins. */
const TOLERANCE_MS = 60_000;

/** A page of attempts in the order of their ids, which have the moment of their making in them. */
export const attemptPage = `SELECT id, data FROM turnpike.attempts WHERE id > $1 AND id < $2 AND account = $3
  AND started_at >= $4 AND started_at < $5 ORDER BY id LIMIT ${PAGE}`;

/** A page of operations, each with its refunds that count; one that has none is there, too. */
export const refundPage = `SELECT o.id, o.created_at, r.currency, r.amount::text FROM (
    SELECT id, created_at FROM turnpike.operations WHERE (created_at, id) > ($1, $2) AND created_at < $3 AND account = $4
    ORDER BY created_at, id LIMIT ${PAGE}) AS o
  LEFT JOIN turnpike.refunds AS r ON r.operation_id = o.id AND r.counts ORDER BY o.created_at, o.id`;

/** Reads a PostgreSQL database for figures, each page in a transaction of its own. */
export function postgresStatsReads(client: Client): StatsReads {
  const read = async (text: string, values: readonly string[]): Promise<Row[]> => {
    await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL statement_timeout = ${PAGE_MS}`);
    const { rows } = await client.query<Row>(text, [...values]);
    await client.query('COMMIT');
    return rows;
  };
  return {
    async *attempts({ account, from, to }) {
      const end = idsFrom('at', new Date(Date.parse(to) + TOLERANCE_MS));
      let after = idsFrom('at', new Date(Date.parse(from) - TOLERANCE_MS));
      for (;;) {
        const rows = await read(attemptPage, [after, end, account, from, to]);
        yield rows.map(({ data }) => String(data));
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        after = String(last.id);
      }
    },
    async *refunds({ account, from, to }) {
      for (let after: [at: string, id: string] = [from, '']; ; ) {
        const rows = await read(refundPage, [...after, to, account]);
        yield rows.flatMap(({ created_at, currency, amount }): CountedRefund[] =>
          typeof amount === 'string'
            ? [{ created_at: String(created_at), currency: String(currency), amount: BigInt(amount) }]
            : [],
        );
        const last = rows.at(-1);
        if (!last) return;
        after = [String(last.created_at), String(last.id)];
      }
    },
  };
}

import { idsFrom } from '../../../base/ids.ts';
import type { Row } from '../../rows.ts';
import { keptFrom, spanFrom } from '../../stats/rows.ts';
import { type CountedRefund, PAGE, type StatsChange, type StatsReads } from '../../stats/search.ts';

/** An id is made a moment before or after its attempt begins. */
const TOLERANCE_MS = 60_000;

/** A page of attempts, of one account or of all, in the order of their ids, which have the moment of their making in them. */
const attemptPage = `SELECT id, account, data FROM turnpike.attempts WHERE id > $1 AND id < $2
  AND ($3::text IS NULL OR account = $3) AND started_at >= $4 AND started_at < $5 ORDER BY id LIMIT ${PAGE}`;

/** A page of operations likewise, each with its refunds that count; one that has none is there, too. */
const refundPage = `SELECT o.id, o.account, o.created_at, r.currency, r.amount::text FROM (
    SELECT id, account, created_at FROM turnpike.operations WHERE (created_at, id) > ($1, $2) AND created_at < $3
    AND ($4::text IS NULL OR account = $4) ORDER BY created_at, id LIMIT ${PAGE}) AS o
  LEFT JOIN turnpike.refunds AS r ON r.operation_id = o.id AND r.counts ORDER BY o.created_at, o.id`;

const span = 'SELECT since, until, claimed, version FROM turnpike.stats_span WHERE id = 1';

/** Changes in an account, or in all, from an hour to before another. */
const changesBetween = `SELECT seq, account, hour FROM turnpike.stats_changes
  WHERE hour >= $1 AND hour < $2 AND ($3::text IS NULL OR account = $3) ORDER BY hour LIMIT $4`;

const talliesOf = `SELECT s.version, t.account, t.period, t.tally FROM turnpike.stats_span AS s
  LEFT JOIN turnpike.stats_tallies AS t ON t.period = ANY ($1::text[]) AND ($2::text IS NULL OR t.account = $2)
  WHERE s.id = 1`;

const oldest = `SELECT (SELECT started_at FROM turnpike.attempts ORDER BY id LIMIT 1) AS attempt,
  (SELECT created_at FROM turnpike.operations ORDER BY created_at LIMIT 1) AS operation`;

/** Reads a PostgreSQL database for figures: `read` runs each statement in a transaction of its own. */
export function postgresStatsReads(
  read: (text: string, values: readonly (string | number | null | readonly string[])[]) => Promise<Row[]>,
): StatsReads {
  return {
    async *attempts({ account, from, to }) {
      const end = idsFrom('at', new Date(Date.parse(to) + TOLERANCE_MS));
      let after = idsFrom('at', new Date(Date.parse(from) - TOLERANCE_MS));
      for (;;) {
        const rows = await read(attemptPage, [after, end, account ?? null, from, to]);
        yield rows.map((row) => ({ account: String(row.account), data: String(row.data) }));
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        after = String(last.id);
      }
    },
    async *refunds({ account, from, to }) {
      for (let after: [at: string, id: string] = [from, '']; ; ) {
        const rows = await read(refundPage, [...after, to, account ?? null]);
        yield rows.flatMap((row): CountedRefund[] =>
          typeof row.amount === 'string'
            ? [
                {
                  ...{ account: String(row.account), created_at: String(row.created_at) },
                  ...{ currency: String(row.currency), amount: BigInt(row.amount) },
                },
              ]
            : [],
        );
        const last = rows.at(-1);
        if (!last) return;
        after = [String(last.created_at), String(last.id)];
      }
    },
    span: async () => spanFrom((await read(span, []))[0]),
    changes: async ({ account, from, to }, limit) =>
      (await read(changesBetween, [from.slice(0, 13), to.slice(0, 13), account ?? null, limit])).map(
        (row): StatsChange => ({ seq: Number(row.seq), account: String(row.account), hour: String(row.hour) }),
      ),
    tallies: async (periods, account) => keptFrom(await read(talliesOf, [periods, account ?? null])),
    oldest: async () => {
      const [row] = await read(oldest, []);
      const moments = [
        ...(typeof row?.attempt === 'string' ? [Date.parse(row.attempt) - TOLERANCE_MS] : []),
        ...(typeof row?.operation === 'string' ? [Date.parse(row.operation)] : []),
      ];
      return moments.length === 0 ? undefined : new Date(Math.min(...moments)).toISOString();
    },
  };
}

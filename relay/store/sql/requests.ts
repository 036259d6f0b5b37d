import { LOOKED_AT, type RequestStore, type StoredRequest } from '../facets/logs/requests.ts';
import { parsed, type Row } from '../row.ts';
import { run, type Sql, type Statement, statementsOf } from './plan.ts';

/** Sorts after the id of every request. */
const END = '~';

/** The statuses of all requests; a request without an answer counts as 0. */
const ALL = [0, 999] as const;

/**
 * The request log of the API. Only refused requests have an index: each further index would cost a write for every
 * request.
 */
export function requests(db: Sql): RequestStore {
  const sql = statements(db);
  return {
    add: (added) => db.writeLossy(() => run([sql.addRequests, { records: added.map(rowOf) }])),
    list: async (search) => {
      const { account, before = END, from, status = ALL, method = '', key = '', path = '', limit } = search;
      const [list, last] = status[0] >= 400 ? [sql.listRefused, sql.lastRefused] : [sql.listRequests, sql.lastRequest];
      const place = [account, before, from] as const;
      const [rows = [], looked = []] = await db.readAll([
        // One more than the page shows proves a next page.
        [list, ...place, ...status, method, key, path, limit + 1],
        [last, ...place],
      ]);
      const found = rows.slice(0, limit).map((row) => requestFrom(row, account));
      const next = rows.length > limit ? found.at(-1)?.id : looked[0]?.id;
      return { requests: found, ...(typeof next === 'string' ? { next } : {}) };
    },
  };
}

type Statements = Record<'addRequests' | 'listRequests' | 'lastRequest' | 'listRefused' | 'lastRefused', Statement>;

function statements({ dialect, statement }: Sql): Statements {
  const { insertMissing, records, table } = dialect;
  const columns = 'account, id, at, key_name, method, path, status, data';
  /** The requests before a place. */
  const looked = (from: string, isRefused: boolean): string =>
    `FROM ${from} WHERE account = $1 AND id < $2 AND id >= $3 ${isRefused ? 'AND status >= 400' : ''} ORDER BY id DESC`;
  const list = (from: string, isRefused: boolean): string =>
    `SELECT id, at, key_name, method, path, status, data
      FROM (SELECT id, at, key_name, method, path, status, data ${looked(from, isRefused)} LIMIT ${LOOKED_AT}) AS known
      WHERE coalesce(status, 0) BETWEEN $4 AND $5 AND ($6 = '' OR method = $6) AND ($7 = '' OR key_name = $7)
        AND substr(path, 1, length($8)) = $8
      ORDER BY id DESC LIMIT $9`;
  /** The last request that a page inspects, if there are that many. */
  const last = (from: string, isRefused: boolean): string =>
    `SELECT id ${looked(from, isRefused)} LIMIT 1 OFFSET ${LOOKED_AT - 1}`;
  const [all, refused] = [table('requests'), table('requests', 'requests_refused')];
  return statementsOf(statement, {
    addRequests: insertMissing(
      all,
      columns,
      `SELECT account, id, at, key_name, method, path, CAST(status AS INTEGER), data
        FROM ${records('$1', 'added', ...columns.split(', '))}`,
    ),
    listRequests: list(all, false),
    lastRequest: last(all, false),
    listRefused: list(refused, true),
    lastRefused: last(refused, true),
  });
}

/** The values without a filter are one column. */
type Data = Pick<StoredRequest, 'problem' | 'idempotency' | 'ms' | 'request_id'>;

function rowOf({ account, id, at, key, method, path, status, ...data }: StoredRequest) {
  return {
    ...{ account, id, at, key_name: key, method, path, status: status ?? null },
    data: JSON.stringify(data satisfies Data),
  };
}

function requestFrom({ id, at, key_name, method, path, status, data }: Row, account: string): StoredRequest {
  return {
    ...{ account, id: String(id), at: String(at), key: String(key_name), method: String(method), path: String(path) },
    ...(status === null ? {} : { status: Number(status) }),
    ...parsed<Data>(data),
  };
}

import type { Attempt } from '../../../payments/attempt.ts';
import { emptyOrder, type StoredOrder } from '../../../payments/order.ts';
import type { OrderKey, OrderStore, OrderWritten } from '../../facets/orders.ts';
import { formToCheck, transactionsOf } from '../../order-changes.ts';
import { parsed, type Row } from '../../row.ts';
import { sessionColumns, sessionFrom, withRow } from '../../rows.ts';
import type { Step } from '../../sql/plan.ts';
import { statementsOf } from '../../sql/plan.ts';
import { statement } from '../driver.ts';
import { createBatches, createWriteBatches } from '../server/batches.ts';
import type { PostgresDatabase } from '../server/database.ts';
import { newPlanAt, type TimedWrite, writeOrders } from './order-writes.ts';

type OrderMethods = Pick<OrderStore, 'get' | 'getMany' | 'ofSession' | 'write'>;

/** The reads and writes of orders with their sessions and attempts. */
export function postgresOrders(db: PostgresDatabase): OrderMethods {
  const writeOrder = createWriteBatches<TimedWrite, OrderWritten>({
    keysOf: ({ before, after }) => [
      `${before.account} ${before.order_no}`,
      ...transactionsOf(before, after).flatMap((payment) => {
        const form = formToCheck(before, payment);
        return form === undefined ? [] : [`form ${before.account} ${form}`];
      }),
    ],
    run: (writes, start, lockMs) => writeOrders(db, writes, { start, lockMs }),
  });
  const readOrder = createBatches<string, { order: StoredOrder | undefined }>({
    run: (ids, start) => ordersOf(db, ids, start),
  });
  return {
    get: async (account, orderNo) => wholeOrder(account, orderNo, await db.read(sql.order, account, orderNo)),

    ofSession: async (id) => (await readOrder(id)).order,

    getMany: async (account, orderNos) => {
      const keys = orderNos.map((order_no) => ({ account, order_no }));
      const accounts = orderNos.map(() => account);
      return ordersIn(keys, keys.length === 0 ? [] : await db.read(sql.ordersOfKeys, accounts, orderNos));
    },

    write: async (write) => {
      const now = write.release ?? newPlanAt(write);
      return writeOrder({ ...write, ahead: now === undefined ? 0 : await db.ahead(now) });
    },
  };
}

/** The orders of some sessions, by one statement. */
async function ordersOf(
  db: PostgresDatabase,
  ids: readonly string[],
  start: number,
): Promise<{ order: StoredOrder | undefined }[]> {
  const [id = ''] = ids;
  const step: Step = ids.length === 1 ? [sql.orderOfSession, id] : [sql.ordersOfSessions, ids];
  const [read = []] = await db.readAll([step], start);
  const found = Map.groupBy(read, ({ asked }) => Number(asked));
  return ids.map((_, i) => {
    const rows = found.get(i + 1);
    const [row] = rows ?? [];
    return { order: rows && row && wholeOrder(String(row.key_account), String(row.key_order_no), rows) };
  });
}

/** The orders of these keys in the rows that `ordersOfKeys` finds. */
export function ordersIn(keys: readonly OrderKey[], rows: readonly Row[]): StoredOrder[] {
  const found = Map.groupBy(rows, ({ asked }) => Number(asked));
  return keys.map(({ account, order_no }, at) => wholeOrder(account, order_no, found.get(at + 1) ?? []));
}

/** The order in the rows of the statement `order`: one row for each session, with all attempts. */
function wholeOrder(account: string, orderNo: string, rows: readonly Row[]): StoredOrder {
  const [row = {}] = rows;
  const attempts: Attempt[] = typeof row.attempts === 'string' ? parsed(row.attempts) : [];
  const sessions = rows.filter(({ id }) => typeof id === 'string').map(sessionFrom);
  return withRow({ ...emptyOrder(account, orderNo), sessions, attempts }, { ...row, version: row.order_version });
}

/**
 * Selects the orders of some keys: for each a row for every session, the oldest first, or one row without a session.
 * One statement reads everything, so that the result belongs to one moment. `OFFSET 0` makes the server find each by
 * its key, whatever its statistics say.
 * @param keys a table of `account` and `order_no`, whose `asked` is the number of the key
 */
const order = (keys: string): string => `SELECT key.asked, key.account AS key_account, key.order_no AS key_order_no,
    o.version AS order_version, o.hold, o.notices, o.next_query_at, o.planned_at, o.data, s.*, a.attempts
  FROM ${keys} AS key
  LEFT JOIN LATERAL (SELECT version, hold, notices, next_query_at, planned_at, data FROM turnpike.orders
    WHERE account = key.account AND order_no = key.order_no OFFSET 0) AS o ON true
  LEFT JOIN LATERAL (SELECT '[' || string_agg(data, ',' ORDER BY started_at, id) || ']' AS attempts FROM turnpike.attempts
    WHERE account = key.account AND order_no = key.order_no OFFSET 0) AS a ON true
  LEFT JOIN LATERAL (SELECT ${sessionColumns} FROM turnpike.sessions
    WHERE account = key.account AND order_no = key.order_no OFFSET 0) AS s ON true
  ORDER BY s.created_at, s.id`;

/** The statements that read orders with their sessions and attempts. */
export const sql = statementsOf(statement, {
  order: order('(SELECT 1 AS asked, $1::text AS account, $2::text AS order_no)'),
  orderOfSession: order('(SELECT 1 AS asked, account, order_no FROM turnpike.sessions WHERE id = $1)'),
  ordersOfSessions:
    order(`(SELECT asked, account, order_no FROM unnest($1::text[]) WITH ORDINALITY AS given (session_id, asked),
      LATERAL (SELECT account, order_no FROM turnpike.sessions WHERE id = session_id OFFSET 0) AS of_session)`),
  ordersOfKeys: order(`(SELECT asked, account, order_no FROM unnest($1::text[], $2::text[]) WITH ORDINALITY
      AS given (account, order_no, asked))`),
});

import type { Attempt } from '../../../payments/attempt.ts';
import { emptyOrder, type StoredOrder } from '../../../payments/order.ts';
import type { OrderKey, OrderStore, OrderWritten } from '../../facets/orders.ts';
import { formToCheck, transactionsOf } from '../../order-changes.ts';
import { parsed, type Row, sessionFrom, withRow } from '../../rows.ts';
import type { Step } from '../../sql/plan.ts';
import { createBatches, createWriteBatches } from '../server/batches.ts';
import type { PostgresDatabase } from '../server/database.ts';
import { mayDoLess } from '../server/errors.ts';
import { sql } from './order-statements.ts';
import { newPlanAt, type TimedWrite, writeOrders } from './order-writes.ts';

type OrderMethods = Pick<OrderStore, 'get' | 'getMany' | 'ofSession' | 'write'>;

/** Orders: who holds each, what paid it, when it is asked about, and every change of its sessions and attempts. */
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
    mayRepeat: mayDoLess,
  });
  const readOrder = createBatches<string, { order: StoredOrder | undefined }>({
    // One order may be read often in one batch.
    keysOf: () => [],
    run: (ids, start) => ordersOf(db, ids, start),
    mayRepeat: mayDoLess,
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
  const found = Map.groupBy(await db.readSince(start, ...step), ({ asked }) => Number(asked));
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

/** The order in rows that hold one of its sessions each, and all of its attempts. */
function wholeOrder(account: string, orderNo: string, rows: readonly Row[]): StoredOrder {
  const [row = {}] = rows;
  const attempts: Attempt[] = typeof row.attempts === 'string' ? parsed(row.attempts) : [];
  const sessions = rows.filter(({ id }) => typeof id === 'string').map(sessionFrom);
  return withRow({ ...emptyOrder(account, orderNo), sessions, attempts }, { ...row, version: row.order_version });
}

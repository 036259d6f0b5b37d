import type { Attempt } from '../../payments/attempt.ts';
import { emptyOrder, type Order } from '../../payments/order.ts';
import { parsed, type Row, withRow } from '../rows.ts';
import type { OrderLeased, OrderWrite, OrderWritten, Store } from '../store.ts';
import { sql } from './order-statements.ts';
import { WritesSplit, writeOrders } from './order-writes.ts';
import { peekedIn, peekStep } from './quotas.ts';
import { createBatches } from './server/batches.ts';
import type { Database } from './server/database.ts';
import { wasRefused } from './server/errors.ts';
import { sessionIn } from './session-rows.ts';

type OrderMethods = Pick<
  Store,
  | 'order'
  | 'orderOfSession'
  | 'writeOrder'
  | 'limitedBy'
  | 'leaseDueOrders'
  | 'leaseOrder'
  | 'keepOrders'
  | 'releaseOrder'
>;

/** Batches of writes: while one is on its way to the disk the next one gathers. */
const writeLanes = { lanes: 2, limit: 50 };

/** Orders: who holds each, what paid it, when it is asked about, and every change of its sessions and attempts. */
export function postgresOrders(db: Database): OrderMethods {
  const writeOrder = createBatches<OrderWrite, OrderWritten>({
    ...writeLanes,
    keyOf: ({ before }) => `${before.account} ${before.order_no}`,
    run: (writes, start) => writeOrders(db, writes, start),
    mayRepeat: (error) => error instanceof WritesSplit || wasRefused(error),
  });
  return {
    order: async (account, orderNo) => {
      const [row = {}] = await db.read(sql.order, account, orderNo);
      return wholeOrderFrom(account, orderNo, row);
    },

    orderOfSession: async (id) => {
      const [row] = await db.read(sql.orderOfSession, id);
      return row && wholeOrderFrom(String(row.account), String(row.order_no), row);
    },

    writeOrder: (write) => writeOrder(write),

    limitedBy: async (limits, at) => {
      if (limits.length === 0) return undefined;
      const [row] = await db.read(...peekStep(limits, at));
      return peekedIn(limits, row);
    },

    leaseDueOrders: async ({ now, until, limit }, accounts, quietSince) =>
      (await db.write([sql.leaseDue, now, until, limit, accounts, quietSince])).map((row) => ({
        account: String(row.account),
        order_no: String(row.order_no),
      })),

    leaseOrder: async ({ account, order_no }, { now, until }, quietSince): Promise<OrderLeased> => {
      const [leased] = await db.write([sql.lease, account, order_no, now, until, quietSince]);
      if (leased) return { kind: 'leased' };
      const [row] = await db.read(sql.leaseOf, account, order_no);
      const held = typeof row?.leased_until === 'string' && row.leased_until > now ? row.leased_until : row?.queried_at;
      return typeof held === 'string' ? { kind: 'wait', until: held } : { kind: 'leased' };
    },

    keepOrders: async (orders, until) => {
      const [accounts, numbers] = [orders.map(({ account }) => account), orders.map(({ order_no }) => order_no)];
      await db.write([sql.keep, accounts, numbers, until]);
    },

    releaseOrder: async ({ account, order_no }, askedAt) =>
      void (await db.write([sql.release, account, order_no, askedAt])),
  };
}

/** The order in a row that holds its sessions and attempts as lists of JSON. */
function wholeOrderFrom(account: string, orderNo: string, row: Row): Order {
  const sessions = list(row.sessions).map((one) => sessionIn(parsed<Row>(one)));
  const attempts = list(row.attempts).map((one) => parsed<Attempt>(one));
  return withRow({ ...emptyOrder(account, orderNo), sessions, attempts }, row);
}

function list(column: unknown): unknown[] {
  return Array.isArray(column) ? column : [];
}

import type { OrderLeased, OrderStore } from '../facets/orders.ts';
import { askedAhead, type Lease, leasedAhead, plannedAhead } from '../leases.ts';
import { ask, dueBy, type Plan, run, type Sql, statementsOf } from './plan.ts';

type OrderLeases = Pick<OrderStore, 'lease' | 'leaseDue' | 'renewLeases' | 'release'>;

/** The relay that queries the gateway about an order, and until when. */
export function orderLeases(db: Sql): OrderLeases {
  const sql = statements(db);

  const isDue = `account ${db.dialect.anyOf('$5')} AND ${isFree('$2', '$6', '$4', '$7')}`;
  const lease = db.lease({
    name: 'lease-due-orders',
    table: 'orders',
    key: ['account', 'order_no'],
    columns: 'account, order_no',
    due: dueBy('orders', 'next_query_at', { now: '$2', ahead: '$8', where: isDue }),
    set: 'leased_until = $3, queried_at = $2',
  });

  /**
   * The stored values of a lease: now, its end, the moment since when no query may have begun, and the latest end of a
   * lease and begin of a query.
   */
  const timesOf = async (work: Lease, quietSince: string) => {
    const times = await db.times(work.now);
    const [now, until, quiet] = [times.kept(work.now), times.kept(work.until), times.kept(quietSince)];
    return { ...times, now, until, quiet, latest: leasedAhead({ until }), asked: askedAhead(now) };
  };

  return {
    leaseDue: async (work, accounts, quietSince) => {
      const { now, until, quiet, latest, asked } = await timesOf(work, quietSince);
      const rows = await lease(work.limit, now, until, quiet, accounts, latest, asked, plannedAhead(now));
      return rows.map((row) => ({ account: String(row.account), order_no: String(row.order_no) }));
    },

    lease: async ({ account, order_no }, work, quietSince) => {
      const { now, until, quiet, latest, asked, given } = await timesOf(work, quietSince);
      return db.write(function* (): Plan<OrderLeased> {
        const leased = yield* ask(sql.leaseOrder, account, order_no, now, until, quiet, latest, asked);
        if (leased.length > 0) return { kind: 'leased' };
        const [{ leased_until, queried_at } = {}] = yield* ask(sql.leaseOfOrder, account, order_no);
        const isLeased = typeof leased_until === 'string' && leased_until > now && leased_until <= latest;
        const held = isLeased ? leased_until : queried_at;
        return typeof held === 'string' ? { kind: 'wait', until: given(held) } : { kind: 'leased' };
      });
    },

    renewLeases: async (orders, { now, until }) => {
      const { kept } = await db.times(now);
      const named = orders.map(({ account, order_no }) => ({ account, order_no }));
      await db.write(() => run([sql.keepOrders, { records: named }, kept(until)]));
    },

    release: async ({ account, order_no }, askedAt) => {
      const { kept } = await db.times(askedAt);
      await db.write(() => run([sql.releaseOrder, account, order_no, kept(askedAt)]));
    },
  };
}

/**
 * The condition that no query about the order is running, and none began since `quiet`. `latest` is the latest end of a
 * lease, `asked` the latest begin of a query.
 */
const isFree = (now: string, latest: string, quiet: string, asked: string): string =>
  `(leased_until IS NULL OR leased_until <= ${now} OR leased_until > ${latest})
    AND (queried_at IS NULL OR queried_at <= ${quiet} OR queried_at > ${asked})`;

function statements(db: Sql) {
  const { table, isAmong } = db.dialect;
  const orders = table('orders');
  const named = 'account = $1 AND order_no = $2';
  return statementsOf(db.statement, {
    leaseOrder: `UPDATE ${orders} SET leased_until = $4, queried_at = $3 WHERE ${named}
      AND ${isFree('$3', '$6', '$5', '$7')} RETURNING account`,
    leaseOfOrder: `SELECT leased_until, queried_at FROM ${orders} WHERE ${named}`,
    keepOrders: `UPDATE ${orders} SET leased_until = $2 WHERE leased_until IS NOT NULL
      AND ${isAmong('$1', 'account', 'order_no')}`,
    releaseOrder: `UPDATE ${orders} SET leased_until = NULL, queried_at = CASE WHEN queried_at > $3 THEN queried_at ELSE $3 END
      WHERE ${named}`,
  });
}

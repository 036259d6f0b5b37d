import { type OperationSearch, operationWalks } from '../facets/listing.ts';
import type { OperationStore } from '../facets/operations.ts';
import { type Lease, leasedAhead, plannedAhead } from '../leases.ts';
import type { Row } from '../row.ts';
import { operationFrom, paymentOperationFrom } from '../rows.ts';
import { paymentHistory, sumFrom } from './payments/history.ts';
import { dueBy, run, type Sql, statementsOf } from './plan.ts';

/** A page of operations that do not wait: rows of one moment, each with its `data`. */
export type OperationWalk = { walk(search: OperationSearch): Promise<readonly Row[]> };

/** The reads and leases of operations, and the refunded sums of payments. */
export function operations(db: Sql, { walk }: OperationWalk): Omit<OperationStore, 'begin' | 'finish'> {
  const sql = { ...statements(db), ...paymentHistory(db) };
  const { anyOf } = db.dialect;

  const isFree = '(leased_until IS NULL OR leased_until <= $2 OR leased_until > $4)';
  const own = { table: 'operations', key: ['id'], columns: 'id, data', set: 'leased_until = $3' };
  const begun = `status = 'in_flight' AND ${isFree}`;
  const leaseOrphaned = db.lease({
    ...own,
    name: 'lease-orphaned-operations',
    due: [
      { where: `created_at > $5 AND ${begun}`, order: ['created_at'] },
      { where: `created_at <= $6 AND ${begun}`, order: ['created_at'] },
    ],
  });
  const isOf = `account ${anyOf('$6')} AND ${isFree}`;
  const leaseDue = db.lease({
    ...own,
    name: 'lease-due-operations',
    due: dueBy('operations', 'next_look_at', { now: '$2', ahead: '$5', where: isOf }),
  });
  /** The stored values of a lease: now, its end, and the latest end of a lease. */
  const timesOf = async (work: Lease) => {
    const { kept } = await db.times(work.now);
    const [now, until] = [kept(work.now), kept(work.until)];
    return [now, until, leasedAhead({ until })] as const;
  };

  return {
    get: async (id) => (await db.read(sql.operation, id)).map(operationFrom)[0],

    getMany: async (ids) => (ids.length === 0 ? [] : (await db.read(sql.operations, ids)).map(operationFrom)),

    list: async (search) => {
      const { account, limit, waiting } = search;
      if (!waiting) return (await walk(search)).map(operationFrom);
      const { names, statuses, created_at, id } = operationWalks(search);
      const rows = await db.read(sql.waitingOperations, account, names, statuses, created_at, id, limit);
      return rows.map(operationFrom);
    },

    listOpen: async ({ account, waitsFor, limit, max }) => {
      const [count, operations] =
        waitsFor === 'person'
          ? [sql.countForPerson, sql.operationsForPerson]
          : [sql.countForGateway, sql.operationsForGateway];
      const [all = [], rows = []] = await db.readAll([
        [count, account, max],
        [operations, account, limit],
      ]);
      return { count: all.length, operations: rows.map(operationFrom) };
    },

    leaseOrphaned: async (work, before) => {
      const times = await timesOf(work);
      // The begin of an operation is stored by its relay's clock. Only the later of both clocks shows that this one was
      // ahead, because the other one may be behind.
      const latest = times[0] > work.now ? times[0] : work.now;
      return (await leaseOrphaned(work.limit, ...times, plannedAhead(latest), before)).map(operationFrom);
    },

    leaseDue: async (work, accounts) => {
      const times = await timesOf(work);
      return (await leaseDue(work.limit, ...times, plannedAhead(times[0]), accounts)).map(operationFrom);
    },

    renewLeases: async (ids, { now, until }) => {
      const { kept } = await db.times(now);
      await db.write(() => run([sql.keepOperations, ids, kept(until)]));
    },

    refundsOf: async (account, transactionIds) =>
      (await db.read(sql.refundsOf, account, transactionIds)).map(operationFrom),

    ordersPaidBy: async (account, transactionIds) =>
      (await db.read(sql.ordersPaidBy, account, transactionIds)).map(({ order_no }) => String(order_no)),

    onPayments: async (account, transactionIds) =>
      (await db.read(sql.onPayments, account, transactionIds)).map(paymentOperationFrom),

    refunded: async (account, transactionIds) => {
      const rows = await db.read(sql.refunded, account, transactionIds);
      const sums = new Map(rows.map(sumFrom));
      return transactionIds.flatMap((transaction_id) => {
        const sum = sums.get(transaction_id);
        return sum === undefined ? [] : [{ transaction_id, sum }];
      });
    },
  };
}

function statements(db: Sql) {
  const { table, is, anyOf } = db.dialect;
  const own = table('operations');
  // By both columns, because PostgreSQL would otherwise read the operations of all accounts in order of their time.
  const open = (look: 'IS NULL' | 'IS NOT NULL') => `FROM ${own}
    WHERE account = $1 AND ${is('needs_person')} AND next_look_at ${look} ORDER BY account, created_at LIMIT $2`;
  return statementsOf(db.statement, {
    operation: `SELECT data FROM ${own} WHERE id = $1`,
    operations: `SELECT data FROM ${own} WHERE id ${anyOf('$1')}`,
    waitingOperations: `SELECT data FROM ${own} WHERE account = $1 AND ${is('needs_person')} AND next_look_at IS NULL
        AND name ${anyOf('$2')} AND status ${anyOf('$3')} AND (created_at, id) < ($4, $5)
      ORDER BY account DESC, created_at DESC, id DESC LIMIT $6`,
    countForPerson: `SELECT 1 AS found ${open('IS NULL')}`,
    operationsForPerson: `SELECT data ${open('IS NULL')}`,
    countForGateway: `SELECT 1 AS found ${open('IS NOT NULL')}`,
    operationsForGateway: `SELECT data ${open('IS NOT NULL')}`,
    keepOperations: `UPDATE ${own} SET leased_until = $2 WHERE leased_until IS NOT NULL AND id ${anyOf('$1')}`,
    ordersPaidBy: `SELECT order_no FROM ${table('transactions')}
      WHERE account = $1 AND transaction_id ${anyOf('$2')}`,
  });
}

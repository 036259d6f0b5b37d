import { transactionForm } from '../../payments/operations/transaction-form.ts';
import { leasedAhead, plannedAhead } from '../ahead.ts';
import { knownOfForms, mayHaveHappened } from '../forms/transaction-forms.ts';
import { operationFrom } from '../rows.ts';
import type { Lease, Store } from '../store.ts';
import { run, type Sql } from './plan.ts';

type OperationMethods = Pick<
  Store,
  | 'operation'
  | 'leaseOrphanedOperations'
  | 'leaseDueOperations'
  | 'keepOperations'
  | 'refundsOf'
  | 'spellingsOf'
  | 'refunded'
>;

/** Operations that are read and leased, and what refunds took of payments. */
export function operations(db: Sql): OperationMethods {
  const sql = statements(db);
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
    due: [
      {
        where: `next_look_at > $2 AND planned_at > $5 AND ${isOf}`,
        order: ['planned_at'],
        index: 'operations_planned',
      },
      { where: `next_look_at <= $2 AND ${isOf}`, order: ['next_look_at'], index: 'operations_due' },
    ],
  });
  /** A lease as it is kept: now, its end, and the latest end of a lease. */
  const timesOf = async (work: Lease) => {
    const { kept } = await db.times(work.now);
    const [now, until] = [kept(work.now), kept(work.until)];
    return [now, until, leasedAhead({ until })] as const;
  };

  return {
    operation: async (id) => (await db.read(sql.find, id)).map(operationFrom)[0],

    leaseOrphanedOperations: async (work, before) => {
      const times = await timesOf(work);
      // When an operation began is kept in its relay's time. Only the later of both clocks tells that it was ahead: this one may be behind.
      const latest = times[0] > work.now ? times[0] : work.now;
      return (await leaseOrphaned(work.limit, ...times, plannedAhead(latest), before)).map(operationFrom);
    },

    leaseDueOperations: async (work, accounts) => {
      const times = await timesOf(work);
      return (await leaseDue(work.limit, ...times, plannedAhead(times[0]), accounts)).map(operationFrom);
    },

    keepOperations: async (ids, { now, until }) => {
      const { kept } = await db.times(now);
      await db.write(() => run([sql.keep, ids, kept(until)]));
    },

    spellingsOf: async (account, ids) => {
      const found = await db.read(sql.known, account, ids);
      const all = new Set(found.map(({ transaction_id }) => String(transaction_id)));
      const known = ids.filter((id) => all.has(id));
      // Nearly always all are known, and no search is made. The form of a known one in SQL may keep what `transactionForm` removes:
      // then the id itself finds it.
      const forms = ids.flatMap((id) => (all.has(id) ? [] : [transactionForm(id), id]));
      const others = forms.length === 0 ? [] : await db.read(sql.ofForms, account, forms);
      return [...new Set([...known, ...others.map(({ transaction_id }) => String(transaction_id))])];
    },

    refundsOf: async (account, transactionIds) =>
      (await db.read(sql.refundsOf, account, transactionIds)).map(operationFrom),

    refunded: async (account, transactionIds) => {
      const rows = await db.read(sql.sums, account, transactionIds);
      const sums = new Map(rows.map(({ transaction_id, sum }) => [String(transaction_id), BigInt(String(sum))]));
      return transactionIds.flatMap((transaction_id) => {
        const sum = sums.get(transaction_id);
        return sum === undefined ? [] : [{ transaction_id, sum }];
      });
    },
  };
}

function statements(db: Sql) {
  const { table, is, anyOf, form } = db.dialect;
  const [own, refunds] = [table('operations'), table('refunds')];
  const isOne = `account = $1 AND transaction_id ${anyOf('$2')}`;
  return {
    find: db.statement('operation', `SELECT data FROM ${own} WHERE id = $1`),
    keep: db.statement(
      'keep-operations',
      `UPDATE ${own} SET leased_until = $2 WHERE leased_until IS NOT NULL AND id ${anyOf('$1')}`,
    ),
    refundsOf: db.statement(
      'refunds-of',
      `SELECT data FROM ${own} WHERE id IN (SELECT operation_id FROM ${refunds} WHERE ${isOne}) ORDER BY created_at`,
    ),
    // What of payments is known: that they paid, what refunds take of them, and what refunds took that are no longer kept.
    known: db.statement(
      'known-transactions',
      `SELECT transaction_id FROM ${table('transactions')} WHERE ${isOne}
      UNION SELECT transaction_id FROM ${refunds} WHERE ${isOne} AND ${is('counts')}
      UNION SELECT transaction_id FROM ${table('refunded_payments')} WHERE ${isOne}`,
    ),
    // In one statement: a purge moves a sum from one table to the other.
    sums: db.statement(
      'refunded',
      `SELECT transaction_id, CAST(sum(amount) AS text) AS sum FROM (
        SELECT transaction_id, amount FROM ${refunds} WHERE ${isOne} AND ${is('counts')}
        UNION ALL SELECT transaction_id, sum FROM ${table('refunded_payments')} WHERE ${isOne}) AS taken
      GROUP BY transaction_id`,
    ),
    ofForms: db.statement(
      'spellings-of',
      knownOfForms('$1', (text) => `${text} ${anyOf('$2')}`, form, mayHaveHappened(is('counts'), table), table),
    ),
  };
}

import type { KeptHistory } from '../../facets/listing.ts';
import type { Row } from '../../row.ts';
import { operationFrom, paymentOperationColumns, paymentOperationFrom } from '../../rows.ts';
import { ask, askAll, type Plan, type Sql, statementsOf } from '../plan.ts';

/** The operations on some payments of an account: `$1` is the account, `$2` the list of transaction_ids. */
export function paymentHistory(db: Sql) {
  const { table, is, anyOf } = db.dialect;
  const refunds = table('refunds');
  const isOne = `account = $1 AND transaction_id ${anyOf('$2')}`;
  return statementsOf(db.statement, {
    refundsOf: `SELECT data FROM ${table('operations')} WHERE id IN (SELECT operation_id FROM ${refunds} WHERE ${isOne})
      ORDER BY created_at`,
    onPayments: `SELECT ${paymentOperationColumns.join(', ')} FROM ${table('payment_operations')} WHERE ${isOne}
      ORDER BY operation_id, item`,
    // One statement, because a purge moves a sum from one table to the other.
    refunded: `SELECT transaction_id, CAST(sum(amount) AS text) AS sum FROM (
        SELECT transaction_id, amount FROM ${refunds} WHERE ${isOne} AND ${is('counts')}
        UNION ALL SELECT transaction_id, sum FROM ${table('refunded_payments')} WHERE ${isOne}) AS taken
      GROUP BY transaction_id`,
  });
}

/** Reads the operations on some payments of an account, within a transaction. */
export function* readHistory(
  sql: ReturnType<typeof paymentHistory>,
  account: string,
  transactionIds: readonly string[],
): Plan<KeptHistory> {
  const [operations = [], sums = []] = yield* askAll(
    [sql.onPayments, account, transactionIds],
    [sql.refunded, account, transactionIds],
  );
  const refunds = sums.length > 0 ? yield* ask(sql.refundsOf, account, transactionIds) : [];
  return {
    operations: operations.map(paymentOperationFrom),
    refunds: refunds.map(operationFrom),
    taken: new Map(sums.map(sumFrom)),
  };
}

/** A transaction_id and the refunded sum of its payment. */
export function sumFrom({ transaction_id, sum }: Row): [transactionId: string, sum: bigint] {
  return [String(transaction_id), BigInt(String(sum))];
}

import type { CountedPayment } from '../../facets/listing.ts';
import type { OrderKey } from '../../facets/orders.ts';
import type { Row } from '../../row.ts';
import { ask, type Plan, run, type Sql, statementsOf } from '../plan.ts';

/** A payment as stored for statistics: number `n` of its order. */
type Kept = OrderKey & {
  n: number;
  paid_at: string;
  currency: string;
  amount: string;
  kept: string;
  renewal: number;
  reversed: number;
};

/** Stores the values of listed orders' payments that statistics count. */
export function listedPayments(
  db: Sql,
): (listed: readonly OrderKey[], payments: readonly ListedPayments[]) => Plan<void> {
  const sql = statements(db);
  /** Replaces the stored payments of these orders. If nothing changed, nothing is written. */
  return function* (listed, payments) {
    const before = listed.length > 0 ? (yield* ask(sql.listedPayments, { records: listed })).map(keptFrom) : [];
    const now = payments.flatMap(({ key, counted }) => counted.map((one, n) => keptOf(key, one, n)));
    const [had, has] = [new Set(before.map(textOf)), new Set(now.map(textOf))];
    const dropped = before.filter((one) => !has.has(textOf(one)));
    const added = now.filter((one) => !had.has(textOf(one)));
    yield* run(
      ...(dropped.length > 0 ? [[sql.dropPayments, { records: dropped }] as const] : []),
      ...(added.length > 0 ? [[sql.addPayments, { records: added }] as const] : []),
    );
  };
}

/** The values of an order that statistics count. */
export type ListedPayments = { key: OrderKey; counted: readonly CountedPayment[] };

function keptOf(key: OrderKey, payment: CountedPayment, n: number): Kept {
  const { paid_at, currency, amount, kept, isRenewal, isReversed } = payment;
  return {
    ...{ ...key, n, paid_at, currency, amount: String(amount), kept: String(kept) },
    ...{ renewal: Number(isRenewal), reversed: Number(isReversed) },
  };
}

function keptFrom(row: Row): Kept {
  const { account, order_no, n, paid_at, currency, amount, kept, renewal, reversed } = row;
  return {
    ...{ account: String(account), order_no: String(order_no), n: Number(n), paid_at: String(paid_at) },
    ...{ currency: String(currency), amount: String(amount), kept: String(kept), renewal: Number(renewal) },
    reversed: Number(reversed),
  };
}

function textOf({ account, order_no, n, paid_at, currency, amount, kept, renewal, reversed }: Kept): string {
  return JSON.stringify([account, order_no, n, paid_at, currency, amount, kept, renewal, reversed]);
}

function statements(db: Sql) {
  const { table, each, records, isAmong } = db.dialect;
  const payments = table('listed_payments');
  const columns = ['account', 'order_no', 'n', 'paid_at', 'currency', 'amount', 'kept', 'renewal', 'reversed'] as const;
  return statementsOf(db.statement, {
    listedPayments: `SELECT p.account, p.order_no, p.n, p.paid_at, p.currency, CAST(p.amount AS text) AS amount,
        CAST(p.kept AS text) AS kept, p.renewal, p.reversed FROM ${records('$1', 'given', 'account', 'order_no')}
      ${each('listed_payments', 'p', 'p.account = given.account AND p.order_no = given.order_no')}`,
    dropPayments: `DELETE FROM ${payments} WHERE ${isAmong('$1', 'account', 'order_no', 'n integer')}`,
    addPayments: `INSERT INTO ${payments} (${columns.join(', ')})
      SELECT account, order_no, CAST(n AS integer), paid_at, currency, CAST(amount AS bigint), CAST(kept AS bigint),
        CAST(renewal AS integer), CAST(reversed AS integer) FROM ${records('$1', 'given', ...columns)}`,
  });
}

import type { DatabaseSync } from 'node:sqlite';
import type { ListedOrder } from '../../relay/store/listing.ts';

/** What stands in the list beside the order that all others are copies of. */
export type ListedFrom = { account: string; order_no: string; created_at: string };

/** What may differ between SQLite and PostgreSQL in the texts below. `n` is the number of a copy. */
type Dialect = {
  /** `n` as text with so many digits. */
  digits(expression: string, count: number): string;
};

const sqliteDialect: Dialect = { digits: (expression, count) => `printf('%0${count}d', ${expression})` };
const postgresDialect: Dialect = { digits: (expression, count) => `lpad((${expression})::text, ${count}, '0')` };

/** How many orders of a list need a person, and how many shoppers there are among a million. */
const ATTENTION_EVERY = 1000;
const SHOPPERS = 300_000;

/** SQL expressions of the terms under which copy `n` is listed; one is NULL where it has no such term. */
function termsOfCopy(orderNo: string, { digits }: Dialect): string[] {
  return [
    `'all'`,
    `CASE n % 10 WHEN 0 THEN 'status open' ELSE 'status paid' END`,
    `CASE n % 7 WHEN 0 THEN 'method PIX' WHEN 1 THEN 'method BOLETO' ELSE 'method card' END`,
    `'last4 ' || ${digits('n * 7919 % 10000', 4)}`,
    `CASE n % 50 WHEN 0 THEN 'currency USD' ELSE 'currency BRL' END`,
    `'amount ' || CASE n % 50 WHEN 0 THEN 'USD ' ELSE 'BRL ' END || (n * 31 % 500 + 9) || '.90'`,
    `'email ' || ${digits(`n * 17 % ${SHOPPERS}`, 22)}`,
    `'order ' || ${orderNo}`,
    `'transaction 2027' || ${digits('n', 14)}`,
    `CASE n % ${ATTENTION_EVERY} WHEN 0 THEN 'attention' END`,
  ];
}

/** The summary of every copy: how long it is matters, not what it says. */
function summaryOfCopies({ order_no, created_at }: ListedFrom): ListedOrder {
  return {
    order_no,
    status: 'paid',
    created_at,
    amount: '129.90',
    currency: 'BRL',
    payment_method: 'card',
    card: '411111******1111',
    transaction_id: '20270331101501000042',
    session_id: 'cs_Zk3v9qP1mXw7LrT5bNc2HyGdU8sJaEf0',
    session_status: 'approved',
    needs_attention: false,
  };
}

/** Lists so many copies of an order in an SQLite store, a second apart and older than it; `orderNo` is the SQL of their numbers. */
export function fillSqliteList(db: DatabaseSync, from: ListedFrom, orderNo: string, count: number): void {
  const terms = termsOfCopy(orderNo, sqliteDialect);
  const text = terms.map((term) => `coalesce(${term} || char(10), '')`).join(' || ');
  const copies = `WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ${count})`;
  const account = quoted(from.account);
  const createdAt = `${Date.parse(from.created_at)} - (${count} - n) * 1000`;
  db.exec('DELETE FROM listed_orders; DELETE FROM order_terms;');
  db.exec(`INSERT INTO listed_orders (id, account, order_no, created_at, terms, summary)
    ${copies} SELECT n, ${account}, ${orderNo}, ${createdAt}, char(10) || ${text}, ${quoted(JSON.stringify(summaryOfCopies(from)))}
    FROM copies`);
  for (const term of terms) {
    db.exec(`INSERT INTO order_terms (account, term, created_at, order_id)
      ${copies}, termed (term, n) AS (SELECT ${term}, n FROM copies)
      SELECT ${account}, term, ${createdAt}, n FROM termed WHERE term IS NOT NULL ORDER BY term, n`);
  }
  // The copies of orders and sessions need not be listed once more.
  db.exec('DELETE FROM unlisted');
}

/** The statements that do the same in a PostgreSQL store, which is empty. */
export function fillPostgresList(from: ListedFrom, orderNo: string, count: number): string[] {
  const terms = termsOfCopy(orderNo, postgresDialect);
  const text = terms.map((term) => `coalesce(${term} || chr(10), '')`).join(' || ');
  const [account, copies] = [quoted(from.account), `generate_series(1::bigint, ${count}) AS n`];
  const createdAt = `${Date.parse(from.created_at)} - (${count} - n) * 1000`;
  return [
    `INSERT INTO turnpike.listed_orders (account, order_no, created_at, terms, summary)
      SELECT ${account}, ${orderNo}, ${createdAt}, chr(10) || ${text}, ${quoted(JSON.stringify(summaryOfCopies(from)))}
      FROM ${copies}`,
    ...terms.map(
      (term) => `INSERT INTO turnpike.order_terms (account, term, created_at, order_id)
      SELECT ${account}, ${term}, ${createdAt}, n FROM ${copies} WHERE ${term} IS NOT NULL ORDER BY 2, n`,
    ),
    'VACUUM ANALYZE',
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

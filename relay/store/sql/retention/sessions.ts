import type { PurgeStep } from '../../facets/retention.ts';
import type { Row } from '../../row.ts';
import type { ListParts } from '../listing.ts';
import { ask, askAll, type Plan, type Sql, type Step, statementsOf } from '../plan.ts';
import { agedKinds } from './aged.ts';
import { type Walked, walk, walkText } from './walk.ts';

const aged = agedKinds.sessions;

/**
 * An order that is still queried or held keeps all of its sessions, because their attempts are needed. A query that was
 * due this long ago is never made: its account is no longer configured. Scalar subqueries read only the one order,
 * whatever PostgreSQL's statistics say about the table.
 */
export function isSessionOver({ dialect }: Sql): string {
  return `s.created_at < $1 AND s.status IN ('approved', 'failed', 'expired') AND NOT s.needs_attention
    AND NOT coalesce((SELECT o.hold = 'held' OR o.next_query_at >= $1 FROM ${dialect.table('orders')} AS o
      WHERE o.account = s.account AND o.order_no = s.order_no), false)`;
}

/** Deletes sessions with their attempts, and orders without a session with their entries in the list. */
export function forgetSessions(db: Sql, lockList: ListParts['lockList']): (step: PurgeStep) => Plan<Walked> {
  const sql = statements(db);

  /**
   * Removes orders without a session from the list. The relay that updates the list would do the same, one order after
   * another. It waits meanwhile, because otherwise it could list orders again that it read before.
   */
  function* unlist(orders: readonly Row[]): Plan<void> {
    const listed = yield* ask(sql.forgottenListings, { records: orders.map(keyOf) });
    const terms = listed.map(({ id, account, created_at, terms }) => ({
      ...{ account: String(account), created_at: String(created_at), order_id: String(id) },
      terms: JSON.stringify(
        String(terms)
          .split('\n')
          .filter((term) => term !== ''),
      ),
    }));
    const keys = { records: listed.map(keyOf) };
    if (listed.length === 0) return;
    yield* askAll([sql.forgetTerms, { records: terms }], [sql.forgetPayments, keys], [sql.forgetListings, keys]);
  }

  return function* (step) {
    const walked = yield* walk(sql.oldSessions, aged, step);
    if (walked.rows.length === 0) return walked;
    yield* lockList('wait');
    const over = yield* ask(
      sql.purgeSessions,
      step.before,
      walked.rows.map(({ id }) => String(id)),
    );
    if (over.length === 0) return walked;
    const left = leftOf(over);
    if (left.listed.length > 0) yield* unlist(left.listed);
    const [named, ids] = [{ records: over.map(attemptsOf) }, over.map(({ id }) => String(id))];
    const orders: Step[] = left.none.length > 0 ? [[sql.purgeOrders, { records: left.none.map(keyOf) }]] : [];
    yield* askAll([sql.purgeAttempts, named], [sql.purgeTerms, ids], [sql.dropSessions, ids], ...orders);
    for (const session of over) yield* db.forgetOrder(keyOf(session));
    return walked;
  };
}

const keyOf = ({ account, order_no }: Row) => ({ account: String(account), order_no: String(order_no) });
const attemptsOf = (row: Row) => ({ ...keyOf(row), session_id: String(row.id) });

/** The orders that have no other session (`none`), and those of them that leave the list (`listed`). */
function leftOf(over: readonly Row[]): { none: Row[]; listed: Row[] } {
  const none = [...Map.groupBy(over, ({ account, order_no }) => `${account} ${order_no}`).values()].flatMap((own) =>
    own[0] && own.length >= Number(own[0].sessions) ? [own[0]] : [],
  );
  return { none, listed: none.filter(({ has_contract }) => !has_contract) };
}

function statements(db: Sql) {
  const { table, terms, anyOf, each, records, elements, isAmong, skipLocked } = db.dialect;
  const [sessions, orders] = [table('sessions'), table('orders')];
  const ofOrder = (alias: string): string => `${alias}.account = s.account AND ${alias}.order_no = s.order_no`;
  return statementsOf(db.statement, {
    oldSessions: walkText(db, aged),
    // An order without a session stays listed by a payment of a contract.
    purgeSessions: `SELECT s.id, s.account, s.order_no,
        (SELECT count(*) FROM ${sessions} AS own WHERE ${ofOrder('own')}) AS sessions,
        (SELECT o.data LIKE '%"recurring_id"%' FROM ${orders} AS o WHERE ${ofOrder('o')}) AS has_contract
      FROM ${sessions} AS s WHERE s.id ${anyOf('$2')} AND ${isSessionOver(db)} ${skipLocked}`,
    purgeAttempts: `DELETE FROM ${table('attempts')} WHERE ${isAmong('$1', 'account', 'order_no', 'session_id')}`,
    purgeTerms: `DELETE FROM ${terms.table} WHERE ${terms.key} ${anyOf('$1')}`,
    dropSessions: `DELETE FROM ${sessions} WHERE id ${anyOf('$1')}`,
    // A free order without a session has no further data.
    purgeOrders: `DELETE FROM ${orders} WHERE ${isAmong('$1', 'account', 'order_no')} AND hold = 'free'
      AND NOT EXISTS (SELECT 1 FROM ${sessions} AS s WHERE s.account = orders.account AND s.order_no = orders.order_no)`,
    forgottenListings: `SELECT l.id, l.account, l.order_no, l.created_at, l.terms
      FROM ${records('$1', 'given', 'account', 'order_no')}
      ${each('listed_orders', 'l', 'l.account = given.account AND l.order_no = given.order_no')}`,
    forgetTerms: `DELETE FROM ${table('order_terms')} WHERE (account, term, created_at, order_id) IN
      (SELECT given.account, term.value, CAST(given.created_at AS bigint), CAST(given.order_id AS bigint)
        FROM ${records('$1', 'given', 'account', 'created_at', 'order_id', 'terms')}
        CROSS JOIN ${elements('given.terms', 'term')})`,
    forgetPayments: `DELETE FROM ${table('listed_payments')} WHERE ${isAmong('$1', 'account', 'order_no')}`,
    forgetListings: `DELETE FROM ${table('listed_orders')} WHERE ${isAmong('$1', 'account', 'order_no')}`,
  });
}

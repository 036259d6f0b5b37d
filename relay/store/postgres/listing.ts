import type { StoredOperation } from '../../payments/operations/operation.ts';
import { type OperationSearch, operationWalks } from '../facets/listing.ts';
import { operationFrom } from '../rows.ts';
import type { ListParts } from '../sql/listing.ts';
import { ask, run, type Sql, statementsOf } from '../sql/plan.ts';
import { statement } from './driver.ts';
import { sql as orderSql, ordersIn } from './orders/orders.ts';
import { CALL_MS } from './server/database.ts';

/** The parts of the list: one relay updates it at a time. */
export function listParts(): ListParts {
  return {
    *lock(whenBusy) {
      yield* run([sql.listCutOff]);
      const [row] = yield* ask(whenBusy === 'wait' ? sql.listLock : sql.listTryLock);
      return row?.locked !== false;
    },
    *orders(keys) {
      const names = [keys.map(({ account }) => account), keys.map(({ order_no }) => order_no)] as const;
      return ordersIn(keys, yield* ask(orderSql.ordersOfKeys, ...names));
    },
  };
}

/** Finds a page of an account's operations, by one statement. */
export function operationWalk(db: Pick<Sql, 'read'>): (search: OperationSearch) => Promise<StoredOperation[]> {
  return async (search) => {
    const { names, statuses, created_at, id } = operationWalks(search);
    const rows = await db.read(sql.walkOperations, search.account, names, statuses, created_at + id, search.limit);
    return rows.map(operationFrom);
  };
}

/** The lock for updating the list; its number is arbitrary. */
export const LIST_LOCK = 7305811290468;

const sql = statementsOf(statement, {
  // A relay that hangs as orders are sent to it would keep the lock for as long: the server's other timeouts end no sending.
  listCutOff: `SET LOCAL tcp_user_timeout = ${CALL_MS}`,
  listLock: `SELECT pg_advisory_xact_lock(${LIST_LOCK})`,
  listTryLock: `SELECT pg_try_advisory_xact_lock(${LIST_LOCK}) AS locked`,
  // A walk reads as many of each name and status as the page holds. OFFSET 0 has the server find each by its key, whatever it
  // believes of its tables.
  walkOperations: `SELECT o.data FROM (SELECT w.place, w.id FROM unnest($2::text[]) AS n (name), unnest($3::text[]) AS s (status),
        LATERAL (SELECT place, id FROM turnpike.operations AS known WHERE account = $1 AND known.name = n.name
          AND known.status = s.status AND place < $4
          ORDER BY account DESC, known.name DESC, known.status DESC, place DESC LIMIT $5) AS w
        ORDER BY w.place DESC LIMIT $5) AS page,
      LATERAL (SELECT data FROM turnpike.operations WHERE id = page.id OFFSET 0) AS o
      ORDER BY page.place DESC`,
});

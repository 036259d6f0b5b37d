import type { ListParts } from '../sql/listing.ts';
import { ask, run, statementsOf } from '../sql/plan.ts';
import { statement } from './driver.ts';
import { sql as orderSql, ordersIn } from './orders/orders.ts';
import { CALL_MS } from './server/connections.ts';

/** The parts of the list: one relay updates it at a time. */
export function listParts(): ListParts {
  return {
    *lockList(whenBusy) {
      yield* run([sql.listCutOff]);
      const [row] = yield* ask(whenBusy === 'wait' ? sql.listLock : sql.listTryLock);
      return row?.locked !== false;
    },
    *readOrders(keys) {
      const names = [keys.map(({ account }) => account), keys.map(({ order_no }) => order_no)] as const;
      return ordersIn(keys, yield* ask(orderSql.ordersOfKeys, ...names));
    },
  };
}

/** The lock for updating the list; its number is arbitrary. */
export const LIST_LOCK = 7305811290468;

const sql = statementsOf(statement, {
  // A relay that hangs while orders are sent to it would keep the lock for that long: no other timeout of the server
  // ends a sending.
  listCutOff: `SET LOCAL tcp_user_timeout = ${CALL_MS}`,
  listLock: `SELECT pg_advisory_xact_lock(${LIST_LOCK})`,
  listTryLock: `SELECT pg_try_advisory_xact_lock(${LIST_LOCK}) AS locked`,
});

import type { StoredOperation } from '../../payments/operations/operation.ts';
import { type OperationSearch, operationWalks } from '../facets/listing.ts';
import { operationFrom, type Row } from '../rows.ts';
import type { ListParts } from '../sql/listing.ts';
import { statementsOf } from '../sql/plan.ts';
import type { SqliteSql } from './driver.ts';
import type { OrderReads } from './order-reads.ts';

/** The parts of the list: orders that are at hand are not read, and nobody else updates it. */
export function listParts(db: SqliteSql, orders: OrderReads): ListParts {
  return {
    lock: () => db.part(() => true),
    orders: (keys) => db.part(() => keys.map(({ account, order_no }) => orders.peek(account, order_no))),
  };
}

/** Finds a page of an account's operations: it reads as many of each name and status as the page holds. */
export function operationWalk(db: SqliteSql): (search: OperationSearch) => Promise<StoredOperation[]> {
  const sql = statementsOf(db.statement, {
    walkOperations: `SELECT created_at, id FROM operations WHERE account = $1 AND name = $2 AND status = $3
      AND (created_at, id) < ($4, $5) ORDER BY created_at DESC, id DESC LIMIT $6`,
    operationsOfPage: `SELECT data FROM operations WHERE id ${db.dialect.anyOf('$1')} ORDER BY created_at DESC, id DESC`,
  });
  return async (search) => {
    const { account, limit } = search;
    const { names, statuses, created_at, id } = operationWalks(search);
    const walks = await db.readAll(
      names.flatMap((name) =>
        statuses.map((status) => [sql.walkOperations, account, name, status, created_at, id, limit] as const),
      ),
    );
    const page = walks.flat().toSorted(newestFirst).slice(0, limit);
    return (
      await db.read(
        sql.operationsOfPage,
        page.map((row) => String(row.id)),
      )
    ).map(operationFrom);
  };
}

const placeOf = ({ created_at, id }: Row): string => `${created_at} ${id}`;
const newestFirst = (one: Row, other: Row): number => (placeOf(one) < placeOf(other) ? 1 : -1);

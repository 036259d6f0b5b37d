import { operationWalks } from '../facets/listing.ts';
import type { Row } from '../row.ts';
import type { OperationWalk } from '../sql/operations.ts';
import { type Sql, statementsOf } from '../sql/plan.ts';

/** Finds a page of operations: it reads as many of each name and status as the page contains. */
export function operationWalk(db: Sql): OperationWalk {
  const sql = statementsOf(db.statement, {
    walkOperations: `SELECT created_at, id FROM operations WHERE account = $1 AND name = $2 AND status = $3
      AND (created_at, id) < ($4, $5) ORDER BY created_at DESC, id DESC LIMIT $6`,
    operationsOfPage: `SELECT data FROM operations WHERE id ${db.dialect.anyOf('$1')} ORDER BY created_at DESC, id DESC`,
  });
  return {
    walk: async (search) => {
      const { account, limit } = search;
      const { names, statuses, created_at, id } = operationWalks(search);
      const walks = await db.readAll(
        names.flatMap((name) =>
          statuses.map((status) => [sql.walkOperations, account, name, status, created_at, id, limit] as const),
        ),
      );
      const page = walks.flat().toSorted(newestFirst).slice(0, limit);
      const ids = page.map((row) => String(row.id));
      return db.read(sql.operationsOfPage, ids);
    },
  };
}

const placeOf = ({ created_at, id }: Row): string => `${created_at} ${id}`;
const newestFirst = (one: Row, other: Row): number => (placeOf(one) < placeOf(other) ? 1 : -1);

import { operationWalks } from '../../facets/listing.ts';
import type { OperationWalk } from '../../sql/operations.ts';
import { type Sql, statementsOf } from '../../sql/plan.ts';

/** Finds a page of operations by one statement, so that an operation whose status changes meanwhile appears once. */
export function operationWalk(db: Pick<Sql, 'read' | 'statement'>): OperationWalk {
  const sql = statementsOf(db.statement, { walkOperations });
  return {
    walk: (search) => {
      const { names, statuses, created_at, id } = operationWalks(search);
      return db.read(sql.walkOperations, search.account, names, statuses, created_at + id, search.limit);
    },
  };
}

/**
 * A walk reads as many operations of each name and status as the page contains. OFFSET 0 makes the server find each by
 * its key, whatever its statistics say about the tables.
 */
const walkOperations = `SELECT o.data FROM (SELECT w.place, w.id FROM unnest($2::text[]) AS n (name), unnest($3::text[]) AS s (status),
    LATERAL (SELECT place, id FROM turnpike.operations AS known WHERE account = $1 AND known.name = n.name
      AND known.status = s.status AND place < $4
      ORDER BY account DESC, known.name DESC, known.status DESC, place DESC LIMIT $5) AS w
    ORDER BY w.place DESC LIMIT $5) AS page,
  LATERAL (SELECT data FROM turnpike.operations WHERE id = page.id OFFSET 0) AS o
  ORDER BY page.place DESC`;

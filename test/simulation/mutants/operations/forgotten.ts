import { run } from '../../../../relay/store/sql/plan.ts';
import * as right from '../../../../relay/store/sql/retention/purge.ts';

const gone = 'operation_id NOT IN (SELECT id FROM operations)';

/** What the relay forgets, by the query of this file's address. */
const forgetting: Readonly<Record<string, string>> = {
  payouts: `DELETE FROM payout_requests WHERE ${gone}`,
  references: `DELETE FROM operation_references WHERE ${gone}`,
  refunds: 'DELETE FROM refunded_payments',
};

/** Wrong: the deletion of old data includes the payouts that were made, the used references, or the refunded sums. */
export const purge: typeof right.purge = (db, ...rest) => {
  const purge = right.purge(db, ...rest);
  const forget = db.statement('forget', forgetting[new URL(import.meta.url).search.slice(1)] ?? '');
  return async (step) => {
    const purged = await purge(step);
    await db.write(() => run([forget]));
    return purged;
  };
};

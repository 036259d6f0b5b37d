import * as right from '../../../relay/store/sqlite/purge.ts';

/** Wrong: with what is old the relay forgets which payouts were made. */
export const sqlitePurge: typeof right.sqlitePurge = (db, ...rest) => {
  const { purge } = right.sqlitePurge(db, ...rest);
  const payouts = db.prepare('DELETE FROM payout_requests WHERE operation_id NOT IN (SELECT id FROM operations)');
  return {
    async purge(how) {
      const isMore = await purge(how);
      await db.write(() => payouts.run());
      return isMore;
    },
  };
};

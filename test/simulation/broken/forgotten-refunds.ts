import * as right from '../../../relay/store/sqlite/purge.ts';

/** Wrong: with what is old the relay forgets what was refunded of each payment. */
export const sqlitePurge: typeof right.sqlitePurge = (db, ...rest) => {
  const { purge } = right.sqlitePurge(db, ...rest);
  const refunded = db.prepare('DELETE FROM refunded_payments');
  return {
    async purge(how) {
      const isMore = await purge(how);
      await db.write(() => refunded.run());
      return isMore;
    },
  };
};

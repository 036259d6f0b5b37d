import * as right from '../../../../relay/store/sqlite/file/group.ts';

export * from '../../../../relay/store/sqlite/file/group.ts';

/** Wrong: what was remembered of a transaction stays when it is rolled back. */
export const createGroup: typeof right.createGroup = (...args) => ({
  ...right.createGroup(...args),
  undoBy: () => undefined,
});

import type * as right from '../../../../relay/reconciliation/late-writes.ts';

export * from '../../../../relay/reconciliation/late-writes.ts';

/** Wrong: a key that could not be given back is not given back later either. */
export const releaseKeys: typeof right.releaseKeys = async ({ keysToRelease }) => keysToRelease.clear();

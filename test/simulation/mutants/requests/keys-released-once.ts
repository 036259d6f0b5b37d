import type * as right from '../../../../relay/reconciliation/late-writes.ts';

export * from '../../../../relay/reconciliation/late-writes.ts';

/** Wrong: the relay does not try again to release a key after a failure of the store. */
export const releaseKeys: typeof right.releaseKeys = async ({ keysToRelease }) => keysToRelease.clear();

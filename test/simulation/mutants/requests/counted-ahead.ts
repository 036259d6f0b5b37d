import type * as right from '../../../../relay/store/leases.ts';

export * from '../../../../relay/store/leases.ts';

/** Wrong: attempts that were counted at a time in the future count against the limits until that time has passed. */
export const countedAhead: typeof right.countedAhead = () => '9999-12-31T23:59:59.999Z';

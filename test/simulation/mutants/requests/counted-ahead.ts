import type * as right from '../../../../relay/store/leases.ts';

export * from '../../../../relay/store/leases.ts';

/** Wrong: attempts that a clock counted that was ahead use limits up until the clocks of others have caught up with it. */
export const countedAhead: typeof right.countedAhead = () => '9999-12-31T23:59:59.999Z';

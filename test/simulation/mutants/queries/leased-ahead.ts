import type * as right from '../../../../relay/store/leases.ts';

export * from '../../../../relay/store/leases.ts';

/** Wrong: a lease that a clock took that was ahead lasts until the clocks of others have caught up with it. */
export const leasedAhead: typeof right.leasedAhead = () => '9999-12-31T23:59:59.999Z';

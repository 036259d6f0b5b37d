import type * as right from '../../../../relay/store/leases.ts';

export * from '../../../../relay/store/leases.ts';

/** Wrong: a lease with a start in the future lasts until its end by that clock. */
export const leasedAhead: typeof right.leasedAhead = () => '9999-12-31T23:59:59.999Z';

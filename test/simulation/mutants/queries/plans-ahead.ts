import type * as right from '../../../../relay/store/leases.ts';

export * from '../../../../relay/store/leases.ts';

/** Wrong: a query that was planned by a clock that was ahead is due only at its planned time. */
export const plannedAhead: typeof right.plannedAhead = () => '9999';

import type * as right from '../../../../relay/store/leases.ts';

export * from '../../../../relay/store/leases.ts';

/** Wrong: after a query with a time in the future, an order is not queried until that time has passed. */
export const askedAhead: typeof right.askedAhead = () => '9999-12-31T23:59:59.999Z';

export * from '../../../../relay/checkout/pay.ts';

/** Wrong: a shop's server pays without a query that began after the answer to a payment that began meanwhile. */
export const hasOther = (): boolean => false;

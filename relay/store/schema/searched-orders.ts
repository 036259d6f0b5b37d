import type { SchemaStep } from './schema.ts';

/**
 * Lists all orders again, unless they already wait to be listed: those of the previous version lack the terms of
 * numbers in any letter case and from their end.
 */
export const searchedOrders: SchemaStep = ({ schema }) => `
  INSERT INTO ${schema}unlisted (account, order_no)
    SELECT account, order_no FROM ${schema}listed_orders EXCEPT SELECT account, order_no FROM ${schema}unlisted;`;

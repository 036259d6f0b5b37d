import type { SchemaStep } from './schema.ts';

/** Lists all orders again, unless they wait for it: those of the version before lack the terms of a number in any case and from its end. */
export const searchedOrders: SchemaStep = ({ schema }) => `
  INSERT INTO ${schema}unlisted (account, order_no)
    SELECT account, order_no FROM ${schema}listed_orders EXCEPT SELECT account, order_no FROM ${schema}unlisted;`;

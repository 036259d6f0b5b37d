import * as right from '../../../../relay/store/order-cache.ts';

export * from '../../../../relay/store/order-cache.ts';

/** Wrong: cached orders are distinguished by their order_no alone. */
export const createOrderCache: typeof right.createOrderCache = (limit) => {
  const cache = right.createOrderCache(limit);
  const accounts = new Map<string, string>();
  return {
    ...cache,
    put(order, commit) {
      accounts.set(order.order_no, order.account);
      cache.put(order, commit);
    },
    get: ({ account, order_no }) => cache.get({ account: accounts.get(order_no) ?? account, order_no }),
  };
};

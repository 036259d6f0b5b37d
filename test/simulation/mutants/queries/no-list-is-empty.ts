import * as right from '../../../../relay/gateway/call.ts';

export * from '../../../../relay/gateway/call.ts';

/** Wrong: a query's answer that has no list has an empty one. */
export const createGateway: typeof right.createGateway = (parts) => {
  const gateway = right.createGateway(parts);
  return {
    ...gateway,
    async call(name, ...rest) {
      const called = await gateway.call(name, ...rest);
      if (name !== 'query' || called.kind !== 'answer') return called;
      return { ...called, message: { orders_list: [], ...called.message } };
    },
  };
};

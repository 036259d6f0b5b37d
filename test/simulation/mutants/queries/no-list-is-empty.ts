import * as right from '../../../../relay/gateway/call.ts';

export * from '../../../../relay/gateway/call.ts';

/** Wrong: an answer without a list counts as one with an empty list. */
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

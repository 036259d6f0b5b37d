import * as right from '../../../../relay/operating/upkeep.ts';
import type { Store } from '../../../../relay/store/store.ts';

export * from '../../../../relay/operating/upkeep.ts';

/** Wrong: idempotency keys are forgotten after an hour. */
export const startRetention: typeof right.startRetention = (context) => {
  const forgetKeys: Store['forgetKeys'] = (_before, limit) =>
    context.store.forgetKeys(new Date(context.now().getTime() - 3_600_000).toISOString(), limit);
  const store: Store = Object.assign(Object.create(context.store), { forgetKeys });
  return right.startRetention({ ...context, store });
};

import * as right from '../../../../relay/operating/upkeep.ts';
import type { Store } from '../../../../relay/store/store.ts';

export * from '../../../../relay/operating/upkeep.ts';

/** Wrong: idempotency keys are forgotten after an hour. */
export const startRetention: typeof right.startRetention = (context) => {
  const forget: Store['keys']['forget'] = (_before, limit) =>
    context.store.keys.forget(new Date(context.now().getTime() - 3_600_000).toISOString(), limit);
  const store: Store = { ...context.store, keys: { ...context.store.keys, forget } };
  return right.startRetention({ ...context, store });
};

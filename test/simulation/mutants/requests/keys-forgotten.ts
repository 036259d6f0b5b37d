import * as right from '../../../../relay/operating/retention.ts';
import type { Store } from '../../../../relay/store/store.ts';

export * from '../../../../relay/operating/retention.ts';

/** Wrong: idempotency keys are forgotten after an hour. */
export const startRetention: typeof right.startRetention = (context) => {
  const purge: Store['retention']['purge'] = (step) => {
    const before = new Date(context.now().getTime() - 3_600_000).toISOString();
    return context.store.retention.purge(step.kind === 'keys' ? { ...step, before } : step);
  };
  const store: Store = { ...context.store, retention: { ...context.store.retention, purge } };
  return right.startRetention({ ...context, store });
};

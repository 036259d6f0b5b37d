import * as right from '../../../../relay/reconciliation/orphaned.ts';
import type { Context } from '../../../../relay/store/context.ts';
import type { Store } from '../../../../relay/store/store.ts';

export * from '../../../../relay/reconciliation/orphaned.ts';

/** Wrong: a refund whose relay crashed is not searched for. */
export async function takeOverOperations(context: Context): Promise<void> {
  const finishOperation: Store['finishOperation'] = ({ operation: { lookup, ...operation }, ...more }) => {
    if (!lookup) return context.store.finishOperation({ operation, ...more });
    const { next_look_at: _, ...unasked } = lookup;
    return context.store.finishOperation({ ...more, operation: { ...operation, lookup: unasked } });
  };
  const store: Store = Object.assign(Object.create(context.store), { finishOperation });
  await right.takeOverOperations({ ...context, store });
}

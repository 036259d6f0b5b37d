import type { Context } from '../../../../relay/context/context.ts';
import * as right from '../../../../relay/reconciliation/orphaned.ts';
import type { Store } from '../../../../relay/store/store.ts';

export * from '../../../../relay/reconciliation/orphaned.ts';

/** Wrong: a refund whose relay crashed is not searched for. */
export async function takeOverOperations(context: Context): Promise<void> {
  const finish: Store['operations']['finish'] = ({ operation: { lookup, ...operation }, ...more }) => {
    if (!lookup) return context.store.operations.finish({ operation, ...more });
    const { next_look_at: _, ...unasked } = lookup;
    return context.store.operations.finish({ ...more, operation: { ...operation, lookup: unasked } });
  };
  const store: Store = { ...context.store, operations: { ...context.store.operations, finish } };
  await right.takeOverOperations({ ...context, store });
}

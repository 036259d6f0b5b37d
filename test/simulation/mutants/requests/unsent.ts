import type { UnsentWork } from '../../../../relay/context/context.ts';
import * as right from '../../../../relay/reconciliation/unsent.ts';

export * from '../../../../relay/reconciliation/unsent.ts';

const kind = new URL(import.meta.url).search.slice(1);

const isForgotten = (unsent: UnsentWork): boolean => ('order_no' in unsent ? 'attempts' : 'operations') === kind;

/** Wrong: the relay does not search the store for unsent attempts (`attempts`) or operations (`operations`), or searches once (`once`). */
export const beginBeforeSending: typeof right.beginBeforeSending = async (context, unsent, begin) => {
  if (isForgotten(unsent)) return begin();
  try {
    return await right.beginBeforeSending(context, unsent, begin);
  } finally {
    for (const one of context.unsent) if (kind === 'once') Object.assign(one, { since: Number.NEGATIVE_INFINITY });
  }
};

/** Or wrong: the relay never searches for them (`never`). */
export const startUnsentPoller: typeof right.startUnsentPoller = (context) =>
  kind === 'never' ? { stop: async () => undefined } : right.startUnsentPoller(context);

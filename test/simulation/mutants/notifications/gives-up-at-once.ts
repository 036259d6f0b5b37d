import type { Polling } from '../../../../relay/base/polling.ts';
import type { Context } from '../../../../relay/context/context.ts';
import * as right from '../../../../relay/operating/retention.ts';
import type { Store } from '../../../../relay/store/store.ts';

export * from '../../../../relay/operating/retention.ts';

const THREE_DAYS_MS = 3 * 86_400_000;

/** Wrong: webhooks that are three days old are given up as soon as their account is missing. */
export function startRetention(context: Context): Polling {
  const { store } = context;
  const failOrphaned: Store['outbox']['failOrphaned'] = (accounts, _before, at, limit) => {
    const before = new Date(Date.parse(at) - THREE_DAYS_MS).toISOString();
    return store.outbox.failOrphaned(accounts, before, at, limit);
  };
  return right.startRetention({ ...context, store: { ...store, outbox: { ...store.outbox, failOrphaned } } });
}

import { isWatched, nextSearchAt, type StoredOperation } from '../../../../relay/payments/operations/operation.ts';
import { namesOf } from '../../../../relay/payments/operations/refund-names.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';
import type { Execution } from '../../world/gateway/effects.ts';
import { isSuccess } from '../../world/gateway/queries.ts';
import type { Scene } from '../../world/scene.ts';

/** The search before a refund: when it was sent, whether it succeeded, and the refunds that could come late then. */
type Search = { at: number; isSuccess: boolean; suspects: Promise<Suspects> };
type Suspects = { asked: Set<number>; operations: readonly StoredOperation[]; named: Set<string> };

/**
 * No refund is sent if a search shows an earlier refund of its payment that counted as not made or that the gateway
 * refused, nor if there is such a refund and no search counted.
 */
export function watchEarlierRefunds({ world, gateway, store, onBegun }: Scene): void {
  /** The requests by the ids of their operations. */
  const askedFor = new Map<string, number>();
  const searches = new Map<number, Search>();
  onBegun.push(({ id }) => {
    const asked = world.clock.owner()?.request?.began;
    if (asked !== undefined) askedFor.set(id, asked);
  });

  const suspectsOf = async (account: string, names: readonly string[]): Promise<Suspects> => {
    const all = await store.operations.refundsOf(account, names);
    const operations = all.filter(mayComeLate);
    const asked = new Set(operations.flatMap(({ id }) => askedFor.get(id) ?? []));
    return { asked, operations, named: new Set(all.flatMap(namesOf)) };
  };

  const wrong = async ({ at, isSuccess: isTold, suspects }: Search, payments: ReadonlySet<unknown>) => {
    const { asked, operations, named } = await suspects;
    const [one] = operations;
    if (one && !isTold) return `${one.id} may have been made, and the gateway does not report it`;
    const isThere = (made: Execution): boolean =>
      made.asked !== undefined && asked.has(made.asked) && made.visibleAt <= at && payments.has(made.transaction_id);
    const there = gateway.executions.find((made) => isThere(made) && !named.has(made.reference));
    return there && `${there.reference} is there`;
  };

  gateway.watch({
    received({ name, message, at, owner: { request, life }, received }) {
      if (name !== 'refund_search' || !request?.intent) return;
      const account = life.config.accounts.find(({ account_id }) => account_id === message.account_id)?.id ?? '';
      const suspects = suspectsOf(account, String(message.refund_orders).split(','));
      searches.set(request.began, { at, isSuccess: isSuccess(received?.answer), suspects });
    },
    async sent({ name, message, owner: { request } }) {
      const search = request && searches.get(request.began);
      if (name !== 'refund' || !search) return;
      const found = await wrong(search, new Set(itemsOf(message).map(({ transaction_id }) => transaction_id)));
      if (found) world.breach('no refund beside a late one', `${request.name} is sent, and ${found}`);
    },
  });
}

function mayComeLate(operation: StoredOperation): boolean {
  const { state } = operation;
  if (state.status === 'refused' && state.reserved) return true;
  return isWatched(operation) && nextSearchAt(operation) !== undefined;
}

function itemsOf({ refund_orders }: Message): Message[] {
  return Array.isArray(refund_orders) ? refund_orders : [];
}

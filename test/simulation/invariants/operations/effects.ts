import { type ItemOutcome, knownItems, type StoredOperation } from '../../../../relay/payments/operations/operation.ts';
import { namesOf } from '../../../../relay/payments/operations/refund-names.ts';
import { toMinor } from '../../../../shared/gateway/amounts.ts';
import { ABSENT_MS } from '../../world/config.ts';
import type { Execution } from '../../world/gateway/effects.ts';
import { TIMEOUT_MS } from '../../world/gateway/gateway.ts';
import { accountOf } from '../../world/orders.ts';
import type { Relays } from '../../world/relays.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';
import { byPerson } from './items.ts';

/**
 * No refund, capture or payout is done twice. Refunds never exceed the payment. The relay knows the refunds that a
 * search shows. The shop gets one webhook with the outcome of each operation.
 */
export function watchEffects({ world, gateway, relays, store, shop, approvedByPerson }: Scene): {
  check(): void;
  finalBreaches(): Promise<Breach[]>;
} {
  let seen = 0;
  const intents = new Set<string>();
  const refunded = new Map<string, Execution[]>();
  const completed = new Map<unknown, string>();
  /** Unknown again, in a webhook that was given up and arrives late: before or after the completion. */
  const unknownLate = new Set<unknown>();
  shop.onReceived(({ id, type, data }) => {
    // A refund that counted as not made may exist, and is completed again once that is known.
    if (type === 'operation.unknown' && shop.late.has(id)) unknownLate.add(data.id);
    else if (type === 'operation.unknown') completed.delete(data.id);
    if (type !== 'operation.completed') return;
    // A later record may correct the assumed outcome of a refund.
    const told = JSON.stringify(data.items);
    if (completed.get(data.id) === told && !unknownLate.has(data.id))
      world.breach('operations are reported once', `${data.id} is completed again`);
    completed.set(data.id, told);
  });
  return {
    check() {
      for (; seen < gateway.executions.length; seen++) {
        const one = gateway.executions[seen];
        if (!one?.moves) continue;
        const { name, intent, item, reference, transaction_id, isLate } = one;
        const done = `${intent} ${item}`;
        // A refund that counts as not made may be requested again, and be made late nevertheless.
        if (intents.has(done) && !isLate)
          world.breach('effects once', `${name} ${reference} is done again for ${intent}`);
        intents.add(done);
        if (name !== 'refund') continue;
        const before = refunded.get(transaction_id) ?? [];
        refunded.set(transaction_id, [...before, one]);
        const known = before.filter((other) => mayBeKnown(relays, other, one));
        const sum = [...known, one].reduce(
          (total, { refund_amount, currency }) => total + toMinor(refund_amount, currency),
          0n,
        );
        const payment = gateway.books.transactions.find(({ id }) => id === transaction_id);
        const paid = payment ? toMinor(payment.amount, payment.currency) : 0n;
        // A person may report a transaction that does not exist, or that has another amount.
        const told = approvedByPerson.get(transaction_id) ?? 0n;
        const most = paid > told ? paid : told;
        // A refund that counts as not made may be made late, after others took its place.
        if (sum > most && !isLate) world.breach('refunds within the payment', `${sum} of ${most} of ${transaction_id}`);
      }
    },
    async finalBreaches() {
      const refunds = gateway.executions.filter(({ name }) => name === 'refund');
      const operations: StoredOperation[] = [];
      for (const account of ['demo', 'other'] as const) {
        const own = refunds.filter(({ order_no }) => accountOf(order_no) === account);
        operations.push(
          ...(await store.operations.refundsOf(account, [...new Set(own.map((one) => one.transaction_id))])),
        );
      }
      const untold = operations
        .filter((one) => knownItems(one) && one.state.status !== 'refused' && one.state.status !== 'not_sent')
        .filter(({ id }) => !completed.has(id))
        .map(({ id }): Breach => ({ invariant: 'operations are reported once', detail: `${id} is not reported` }));
      const wrong = operations.flatMap((operation): Breach[] => {
        const names = namesOf(operation);
        return refunds
          .filter(({ reference }) => names.includes(reference))
          .flatMap(({ reference, item, moves }): Breach[] => {
            const truth = moves ? 'succeeded' : 'failed';
            const known = outcomesOf(operation)?.[item];
            // A person's report that it was made stays beside a search that shows it as failed.
            if (known === truth || (truth === 'failed' && byPerson(operation))) return [];
            const detail = `${reference} ${truth}, and ${operation.id} is ${known ?? operation.state.status}`;
            return [{ invariant: 'a refund ends as a search tells', detail }];
          });
      });
      return [...untold, ...wrong];
    },
  };
}

/** False for a refund that was unknown when another one was sent: it counted as not made, and no search showed it. */
export function mayBeKnown({ clocks }: Relays, { at, visibleAt, isLate }: Execution, other: Execution): boolean {
  return visibleAt <= other.at - TIMEOUT_MS || (!isLate && other.at - at < ABSENT_MS - clocks.error(at, ABSENT_MS));
}

function outcomesOf({ state }: StoredOperation): readonly ItemOutcome[] | undefined {
  if (state.status === 'settled') return state.settlement.items;
  return state.status === 'answered' ? state.items : undefined;
}

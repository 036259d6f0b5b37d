import { countedRefunds } from '../../../../relay/payments/operations/counted-refunds.ts';
import { itemsOf, type StoredOperation } from '../../../../relay/payments/operations/operation.ts';
import { toMinor } from '../../../../shared/gateway/amounts.ts';
import { ABSENT_MS, REJECTING } from '../../world/config.ts';
import type { Execution } from '../../world/gateway/effects.ts';
import { TIMEOUT_MS } from '../../world/gateway/gateway.ts';
import { accountOf } from '../../world/orders.ts';
import type { Scene } from '../../world/scene.ts';
import { mayBeKnown } from './effects.ts';
import { byPerson } from './items.ts';

type Name = Execution['name'];

/**
 * The gateway executes every request: captures never exceed the authorised amount, and nothing follows a cancellation
 * or rejection of a payment, except refunds of earlier captures. An operation that a person reported as not done may be
 * requested again.
 */
export function watchLedger({ world, gateway, relays, store, onBegun, onFinished }: Scene): { check(): Promise<void> } {
  const breach = (detail: string): void => world.breach('operations within the payment', detail);
  /** The operation of each request. */
  const operations = new Map<number, string>();
  const begun = new Map<string, StoredOperation>();
  onFinished.push((operation) => void begun.set(operation.id, operation));
  onBegun.push((operation) => {
    const asked = world.clock.owner()?.request?.began;
    if (asked !== undefined) operations.set(asked, operation.id);
    for (const [at, item] of itemsOf(operation).entries()) {
      const why = whyNot(operation, at, String(item.transaction_id), [...begun.values()]);
      if (why !== undefined) breach(`${operation.name} ${operation.id} of ${item.transaction_id} begins ${why}`);
    }
    begun.set(operation.id, operation);
  });
  const payments = new Map<string, Execution[]>();
  let seen = 0;

  const isDenied = ({ asked, item }: Execution): boolean => {
    const operation = asked === undefined ? undefined : begun.get(operations.get(asked) ?? '');
    if (operation?.state.status !== 'settled' || !byPerson(operation)) return false;
    return operation.state.settlement.items[item] === 'failed';
  };
  /**
   * True for an operation that the gateway refused so long before the request for the other one that it no longer
   * counted.
   */
  const isFreed = ({ refusedAt }: Execution, { at }: Execution): boolean =>
    refusedAt !== undefined && (relays.clocks.wereWrong(refusedAt) || at - refusedAt >= ABSENT_MS - TIMEOUT_MS);

  /** Checks one execution on a payment beside those that were requested before it, or precede it in its batch. */
  const check = async (one: Execution, all: readonly Execution[]): Promise<void> => {
    const { transaction_id, order_no, name, asked = 0 } = one;
    const counting = all.filter((earlier) => !isFreed(earlier, one) && !isDenied(earlier));
    const before = counting.filter((earlier) => (earlier.asked ?? 0) < asked);
    const inBatch = counting.filter((earlier) => earlier.asked === one.asked && earlier.item < one.item);
    const wrong = (why: string): void => breach(`${name} ${one.reference} of ${transaction_id} ${why}`);
    const isCancelled = before.some((earlier) => earlier.name === 'cancel');
    const isRejected = before.some((earlier) => earlier.name === 'review' && earlier.flag === REJECTING);
    const captured = sum('capture', before);
    if (name !== 'review' && name !== 'cancel' && isRejected) wrong('comes after a rejection');
    if ((name === 'capture' || name === 'cancel') && isCancelled) wrong('comes after a cancellation');
    const refunds = [...before.filter((earlier) => mayBeKnown(relays, earlier, one)), ...inBatch, one];
    if (name === 'refund' && isCancelled && sum('refund', refunds) > captured)
      wrong(`is of more than the ${captured} that were captured before a cancellation`);
    if (name !== 'capture' && name !== 'cancel') return;
    const payment = gateway.books.transactions.find(({ id }) => id === transaction_id);
    const [paidFor] = await store.operations.ordersPaidBy(accountOf(order_no), [transaction_id]);
    if (payment === undefined || paidFor === undefined) return;
    const most = toMinor(payment.amount, payment.currency);
    if (sum('capture', [...before, ...inBatch, one]) > most) wrong(`is beyond the ${most} that were authorised`);
  };

  return {
    async check() {
      for (; seen < gateway.executions.length; seen++) {
        const one = gateway.executions[seen];
        if (!one?.moves || one.name === 'payout' || (one.name === 'refund' && one.isLate)) continue;
        const all = [...(payments.get(one.transaction_id) ?? []), one];
        payments.set(one.transaction_id, all);
        for (const each of all) await check(each, all);
      }
    },
  };
}

function sum(name: Name, executions: readonly Execution[]): bigint {
  return executions
    .filter((one) => one.name === name)
    .reduce((all, one) => all + toMinor(name === 'refund' ? one.refund_amount : one.amount, one.currency), 0n);
}

/** Why an item of an operation must not begin beside the other operations on its payment, as their relays know them. */
function whyNot(
  operation: StoredOperation,
  at: number,
  transactionId: string,
  others: readonly StoredOperation[],
): string | undefined {
  const own = itemsOf(operation)[at];
  const items = others
    .filter((other) => other.account === operation.account)
    .flatMap((other) =>
      itemsOf(other).flatMap((item, nth) =>
        item.transaction_id === transactionId ? [{ other, item, outcome: outcomeOf(other, nth) }] : [],
      ),
    );
  const open = items.filter(({ outcome }) => outcome === undefined);
  const beside = (isSuch: (name: string, amount: unknown) => boolean): string | undefined => {
    const found = open.find(({ other, item }) => isSuch(other.name, item.amount));
    return found && `beside the ${found.other.name} ${found.other.id}`;
  };
  switch (operation.name) {
    case 'capture':
      return beside((name, amount) => name === 'cancel' || (name === 'capture' && amount === own?.amount));
    case 'cancel':
      return beside((name) => name !== 'review');
    case 'review':
      return beside((name) => name === 'review');
    case 'refund': {
      const captures = items.filter(({ other, outcome }) => other.name === 'capture' && outcome === 'succeeded');
      const taken = captures.reduce((all, { item }) => all + minor(item.amount, item.currency), 0n);
      const refunds = [
        ...items
          .filter(({ other, outcome }) => other.name === 'refund' && outcome !== 'failed')
          .map(({ item }) => item),
        ...itemsOf(operation)
          .slice(0, at + 1)
          .filter(({ transaction_id }) => transaction_id === transactionId),
      ];
      const refunded = refunds.reduce((all, item) => all + minor(item.refund_amount, item.currency), 0n);
      if (captures.length > 0 && refunded > taken) return `though only ${taken} were captured`;
      return beside((name) => name === 'cancel');
    }
    default:
      return undefined;
  }
}

/** The known outcome of an item; undefined while it is undecided. */
function outcomeOf(operation: StoredOperation, at: number): 'succeeded' | 'failed' | undefined {
  const { name, state } = operation;
  if (name === 'refund' && countedRefunds(operation)[at] === false) return 'failed';
  const items = state.status === 'answered' ? state.items : state.status === 'settled' ? state.settlement.items : [];
  const outcome = state.status === 'not_sent' || state.status === 'refused' ? 'failed' : items[at];
  return outcome === 'unknown' ? undefined : outcome;
}

function minor(amount: unknown, currency: unknown): bigint {
  return toMinor(String(amount), String(currency));
}

import { countedRefunds } from '../../../../relay/payments/operations/counted-refunds.ts';
import {
  type ItemOutcome,
  itemsOf,
  knownItems,
  needsPerson,
  type StoredOperation,
} from '../../../../relay/payments/operations/operation.ts';
import { toMinor } from '../../../../shared/gateway/amounts.ts';
import { defaultOperationPlan } from '../../plans.ts';
import { ABSENT_MS } from '../../world/config.ts';
import type { Execution } from '../../world/gateway/effects.ts';
import { isSuccess } from '../../world/gateway/queries.ts';
import type { Owner } from '../../world/owner.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';

/** An operation that began, and its request. */
type Begun = { id: string; account: string; asked: number; at: number; owner: Owner };

const asksFor = { refund: 1, capture: 1, cancel: 1, review: 1 };

/**
 * The number of searches that must not have shown a refund that counts as not made, and their minimum time: clocks
 * differ.
 */
const MIN_SEARCHES = 3;
const LOOKED_FOR_MS = ABSENT_MS - 1000;

/**
 * The known outcome of an item is the gateway's. A refund that the gateway may have made is reserved, unless a person
 * or enough searches reported that it was not made.
 */
export function watchItems({ world, gateway, relays, store, onBegun }: Scene): {
  check(): Promise<void>;
  finalBreaches(): Promise<Breach[]>;
} {
  const begun: Begun[] = [];
  const searches: { at: number; names: string }[] = [];
  const freed = new Set<string>();
  /** The payments of an operation, kept for the time after its deletion. */
  const payments = new Map<string, string[]>();
  onBegun.push(({ id, account }) => {
    const owner = world.clock.owner();
    const asked = owner?.request?.began;
    if (owner && asked !== undefined) begun.push({ id, account, asked, at: world.clock.now(), owner });
  });
  /** The requests whose operations the gateway answered. */
  const answered = new Set<number>();
  gateway.watch({
    sent({ name, owner }) {
      const { began, intent } = owner.request ?? {};
      const { booked, slow = 0 } = intent?.fate ?? {};
      // As soon as it is booked, and before a search may show it.
      if (name === 'refund' && began !== undefined && booked !== undefined)
        world.clock.at(world.clock.now() + slow + booked + 1, () => void checkAsked(began));
    },
    received({ name, message, owner, received }) {
      if (name in asksFor && received?.answer.kind === 'answer' && owner.request) answered.add(owner.request.began);
      if (name === 'refund_search' && received && isSuccess(received.answer))
        searches.push({ at: world.clock.now(), names: `,${message.refund_orders ?? message.refund_references},` });
    },
  });
  const executionsOf = ({ asked }: Begun): Execution[] => gateway.executions.filter((one) => one.asked === asked);
  const refundsOf = (one: Begun): Execution[] =>
    executionsOf(one).filter(({ name, moves }) => name === 'refund' && moves);

  /** True if enough searches for the payment, since the request for the refund, did not show it. */
  const isLookedFor = ({ transaction_id }: Execution, begunAt: number): boolean => {
    const since = searches.filter(({ at, names }) => at > begunAt && names.includes(`,${transaction_id},`));
    const [first, last] = [since[0], since.at(-1)];
    const least = LOOKED_FOR_MS - relays.clocks.error(begunAt, ABSENT_MS);
    return since.length >= MIN_SEARCHES && first !== undefined && last !== undefined && last.at - first.at >= least;
  };

  const checkReserved = ({ id, at }: Begun, operation: StoredOperation, done: readonly Execution[]): void => {
    const counts = countedRefunds(operation);
    for (const execution of done) {
      const about = `${id} ${execution.item}`;
      if (counts[execution.item] !== false || freed.has(about)) continue;
      freed.add(about);
      if (byPerson(operation) || isLookedFor(execution, at)) continue;
      world.breach('what may be refunded is reserved', `${execution.reference} of ${id} is not`);
    }
  };

  /** Checks the operation of a request. */
  const checkAsked = async (asked: number): Promise<void> => {
    const one = begun.find((known) => known.asked === asked);
    const operation = one && (await store.operations.get(one.id));
    if (one && operation) checkReserved(one, operation, refundsOf(one));
  };

  /**
   * The gateway's answer for each item takes precedence over a person's decision, once the relay that received it can
   * write it.
   */
  const isToldBesides = ({ asked, owner }: Begun): boolean => {
    const { does, more = [] } = owner.request?.intent?.fate ?? defaultOperationPlan;
    const isUnlisted = [does, ...more.map((one) => one.does)].some((one) => one.startsWith('unlisted'));
    return answered.has(asked) && !owner.life.dead && !isUnlisted;
  };

  /** True if a person must still state which of several refunds of a payment the gateway made. */
  const isContested = async (operation: StoredOperation): Promise<boolean> => {
    const payments = itemsOf(operation).map(({ transaction_id }) => String(transaction_id));
    const others = await store.operations.refundsOf(operation.account, payments);
    return others.some((other) => other.id !== operation.id && needsPerson(other));
  };

  return {
    async check() {
      const sums = new Map<string, bigint>();
      const forgotten = new Set<string>();
      for (const one of begun) {
        const operation = await store.operations.get(one.id);
        const done = refundsOf(one);
        if (!operation) {
          for (const about of payments.get(one.id) ?? []) forgotten.add(about);
          for (const { transaction_id } of done) forgotten.add(`${one.account} ${transaction_id}`);
        }
        if (operation?.name !== 'refund') continue;
        payments.set(
          one.id,
          itemsOf(operation).map(({ transaction_id }) => `${one.account} ${transaction_id}`),
        );
        const counts = countedRefunds(operation);
        for (const [at, item] of itemsOf(operation).entries()) {
          if (counts[at] === false) continue;
          const about = `${one.account} ${item.transaction_id}`;
          const amount = toMinor(String(item.refund_amount), String(item.currency));
          sums.set(about, (sums.get(about) ?? 0n) + amount);
        }
        checkReserved(one, operation, done);
      }
      for (const [about, sum] of sums) {
        const [account = '', id = ''] = about.split(' ');
        const [{ sum: reserved } = { sum: 0n }] = await store.operations.refunded(account, [id]);
        if (reserved !== sum && !forgotten.has(about))
          world.breach('what may be refunded is reserved', `${reserved} of ${id}, not ${sum}`);
      }
    },
    async finalBreaches() {
      const found: Wrong[] = [];
      for (const one of begun) {
        const operation = await store.operations.get(one.id);
        const isByOthers = operation && (!byPerson(operation) || isToldBesides(one));
        const known = isByOthers ? knownItems(operation) : undefined;
        if (!operation || !known || operation.name === 'payout') continue;
        // A refusal is a final answer, except for a refund.
        const done = executionsOf(one).filter(({ name, isLate }) => name === 'refund' || !isLate);
        const items = itemsOf(operation);
        for (const [at, outcome] of known.entries()) {
          const truth: ItemOutcome = done.some(({ item, moves }) => item === at && moves) ? 'succeeded' : 'failed';
          if (outcome === truth || (truth === 'succeeded' && (await isContested(operation)))) continue;
          const { transaction_id, refund_amount } = items[at] ?? {};
          const about = `${one.account} ${operation.name} ${transaction_id} ${refund_amount}`;
          found.push({ about, truth, detail: `item ${at} of ${one.id} ${truth}, and is known as ${outcome}` });
        }
      }
      return withoutSwapped(found).map(({ detail }) => ({ invariant: 'outcomes belong to their items', detail }));
    },
  };
}

/** An item whose known outcome is not the gateway's. */
type Wrong = { about: string; truth: ItemOutcome; detail: string };

/** Equal refunds of one payment cannot be distinguished: the outcomes of two of them may be swapped. */
function withoutSwapped(found: readonly Wrong[]): Wrong[] {
  return [...Map.groupBy(found, ({ about }) => about).values()].flatMap((wrong) => {
    const made = wrong.filter(({ truth }) => truth === 'succeeded');
    const others = wrong.filter(({ truth }) => truth !== 'succeeded');
    return [...made.slice(others.length), ...others.slice(made.length)];
  });
}

export function byPerson({ state }: StoredOperation): boolean {
  return state.status === 'settled' && state.settlement.by === 'person';
}

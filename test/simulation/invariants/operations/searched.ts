import { canBeSettled, itemsOf, type StoredOperation } from '../../../../relay/payments/operations/operation.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';

/** A refund that began, and its request. */
type Begun = { id: string; account: string; asked: number; at: number };

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * How soon the gateway shows everything about a refund, and how long it must answer searches: relays' timers may be
 * late.
 */
const TOLD_MS = HOUR_MS;
const ANSWERS_MS = 3 * HOUR_MS;

/**
 * A refund without an answer needs no person if searches show its effect: if the gateway answers them before it is sent
 * and long enough after that, and an answer names every other refund of its payments.
 */
export function watchSearched({ world, gateway, settings, store, onBegun }: Scene): {
  check(): void;
  finalBreaches(): Promise<Breach[]>;
} {
  const begun: Begun[] = [];
  /** When searches are not answered, or no account searches. */
  const silent: { from: number; to: number }[] = [];
  onBegun.push(({ id, account, name }) => {
    const asked = world.clock.owner()?.request?.began;
    if (name === 'refund' && asked !== undefined) begun.push({ id, account, asked, at: world.clock.now() });
  });

  const isTold = async ({ asked, at }: Begun, operation: StoredOperation): Promise<boolean> => {
    if (silent.some(({ from, to }) => from < at + ANSWERS_MS && to > at - MINUTE_MS)) return false;
    const made = gateway.executions.filter((one) => one.asked === asked);
    if (made.some(({ reportedFrom }) => reportedFrom > at + TOLD_MS)) return false;
    const payments = itemsOf(operation).map(({ transaction_id }) => String(transaction_id));
    const others = (await store.operations.refundsOf(operation.account, payments)).filter(
      ({ id }) => id !== operation.id,
    );
    return others.every(isNamed);
  };

  return {
    check() {
      const now = world.clock.now();
      const { what, how, until } = gateway.outage;
      if (until > now && what !== 'payments' && how !== 'slow') silent.push({ from: now, to: until });
      if (settings.isOneGone()) silent.push({ from: now, to: now + HOUR_MS });
    },
    async finalBreaches() {
      const found: Breach[] = [];
      for (const one of begun) {
        const operation = await store.operations.get(one.id);
        const status = operation?.state.status;
        if (!operation || (status !== 'unknown' && status !== 'in_flight') || !(await isTold(one, operation))) continue;
        found.push({ invariant: 'what searches tell needs no person', detail: `${one.id} is ${status}` });
      }
      return found;
    },
  };
}

/** A refund whose records cannot belong to another one: its answer names them, or there are none. */
function isNamed(operation: StoredOperation): boolean {
  const { status } = operation.state;
  return status === 'not_sent' || (status === 'answered' && !canBeSettled(operation));
}

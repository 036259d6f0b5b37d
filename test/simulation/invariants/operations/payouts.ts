import { knownItems } from '../../../../relay/payments/operations/operation.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';
import type { PayoutNotice } from '../../plans.ts';
import type { Sending } from '../../world/gateway/gateway.ts';
import { notifyOfPayouts } from '../../world/gateway/payout-notifications.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';

/**
 * A payout ends with the status of the signed final notification with the latest time, for any order of their arrival.
 * Later notifications with other statuses do not change it. If no final notification has a time and they report two
 * ends, a person must decide.
 */
export function watchPayouts(scene: Scene): { finalBreaches(): Promise<Breach[]> } {
  const invariant = 'a payout ends by the last word';
  watchRequestIds(scene);
  const acknowledged = notifyOfPayouts(scene);
  watchTurns(scene);
  return {
    async finalBreaches() {
      const found: Breach[] = [];
      const signed = acknowledged.filter(({ unsigned }) => !unsigned);
      for (const [path, notices] of Map.groupBy(signed, ({ notifyUrl }) => notifyUrl)) {
        const id = path.split('/')[3] ?? '';
        const operation = await scene.store.operations.get(id);
        const told = notices.filter(({ status }) => status === 'COMPLETED' || status === 'FAILED');
        const [last] = told.toSorted((one, other) => other.at - one.at);
        if (!operation || !last) continue;
        const ends = new Set(told.map(({ status }) => status));
        if (last.untimed && ends.size > 1) {
          const isDisputed = operation.state.status === 'answered' && operation.state.disputed !== undefined;
          if (!isDisputed) found.push({ invariant, detail: `${id} is ${[...ends].join(' and ')}, and not disputed` });
          continue;
        }
        const truth = last.status === 'COMPLETED' ? 'succeeded' : 'failed';
        const known = knownItems(operation)?.join() ?? operation.state.status;
        if (known !== truth) found.push({ invariant, detail: `${id} ${truth}, and is ${known}` });
      }
      return found;
    },
  };
}

/**
 * Webhooks never reverse the end of a payout, with two exceptions: the other end, if the gateway notifies of it with a
 * later time, and an open payout, if the two ends have no times.
 */
function watchTurns({ world, gateway, shop }: Scene): void {
  const invariant = 'a payout ends by the last word';
  const told = new Map<string, string>();
  /** All notifications of each payout, also the future ones. */
  const signed = new Map<string, PayoutNotice[]>();
  /** Payouts that the gateway refused and may still make. They have not ended. */
  const refused = new Set<string>();
  gateway.watch({
    sent({ name, message, owner: { request } }) {
      if (name !== 'payout') return;
      const notices = request?.intent?.fate.notices?.filter(({ unsigned }) => !unsigned);
      signed.set(operationOf(message), notices ?? []);
    },
    received({ name, message, received }) {
      if (name === 'payout' && received?.answer.kind === 'refused') refused.add(operationOf(message));
    },
  });
  shop.onReceived(({ id, type, subject, data }) => {
    const notices = signed.get(subject);
    if (!notices || (type !== 'payout.updated' && type !== 'operation.completed') || shop.late.has(id)) return;
    const before = told.get(subject);
    const now = outcomeIn(data);
    if (before === undefined && type === 'operation.completed' && refused.has(subject)) return;
    if (now !== undefined && now !== 'unknown') told.set(subject, now);
    if (before === undefined || now === undefined || now === before) return;
    const isTimed = notices.every(({ untimed }) => !untimed);
    const isLater = now !== 'unknown' && latest(notices, now) > latest(notices, before);
    if (isTimed ? !isLater : now !== 'unknown')
      world.breach(invariant, `${type} of ${subject} is ${now} after ${before}`);
  });
}

/** The operation of a payout's notify_url. */
function operationOf({ notify_url }: Message): string {
  return String(notify_url).split('/')[5] ?? '';
}

/** The outcome of a payout in a webhook: `payout.updated` has outcomes, `operation.completed` items. */
function outcomeIn({ items }: Record<string, unknown>): string | undefined {
  const [item]: unknown[] = Array.isArray(items) ? items : [];
  if (typeof item === 'object' && item !== null && 'status' in item) return String(item.status);
  return typeof item === 'string' ? item : undefined;
}

/** The latest time of the notifications of an end. */
function latest(notices: readonly PayoutNotice[], end: string): number {
  const status = end === 'succeeded' ? 'COMPLETED' : 'FAILED';
  return Math.max(...notices.filter((one) => one.status === status).map(({ at }) => at));
}

/**
 * A payout is sent once, under any key: again only if nothing was sent before. The gateway may have made a payout that
 * it refused.
 */
function watchRequestIds({ world, gateway }: Scene): void {
  const sent = new Map<string, Sending[]>();
  gateway.watch({
    sent(sending) {
      const { name, message } = sending;
      if (name !== 'payout') return;
      const of = `${message.account_id} ${message.request_id}`;
      const before = sent.get(of) ?? [];
      sent.set(of, [...before, sending]);
      const made = before.find(({ received }) => received?.answer.kind !== 'not_sent');
      if (made)
        world.breach(
          'a payout is made once',
          `${of} is sent again, and before that it was ${made.received?.answer.kind}`,
        );
    },
  });
}

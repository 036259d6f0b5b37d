import type { Sending } from '../../world/gateway/gateway.ts';
import { isPayment } from '../../world/gateway/payments.ts';
import type { Request } from '../../world/owner.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from '../queries/query-log.ts';

/** How long after it was stored a payment or operation may still be sent. */
const SEND_WITHIN_MS = 4000;

/** The clocks of relays run a little fast or slow. */
const SKEW_MS = 1000;

/** How long a request may have waited for a slow store before it read the order. */
const SLOW_MS = 30_000;

/**
 * A message is sent soon after it was stored, because otherwise another relay may have taken it over. A request to pay
 * sends nothing if another payment of its order was sent after the request began. A shop's server may pay after a
 * counted query that began after the other payment's answer.
 */
export function watchPrompt({ world, gateway, relays, onBegun, onWritten }: Scene, log: QueryLog): void {
  /** The request and the time at which each attempt and operation was stored. */
  const stored = new Map<number, number>();
  const sent = new Map<string, number>();
  /** The time of the answer to the last payment of each order. */
  const answered = new Map<string, number>();
  const byServers = new WeakSet<Request>();
  relays.watch(({ path }, { request }) => {
    if (path === '/v1/payments') byServers.add(request);
    return undefined;
  });
  const wasAskedSince = (order: string, last: number): boolean => {
    const since = answered.get(order) ?? 0;
    return since > last && log.of(order).some(({ began, counts }) => counts && began > since);
  };
  /** The last payment of an order before one that was not sent. */
  const before = new Map<Sending, number>();
  const store = (): void => {
    const began = world.clock.owner()?.request?.began;
    if (began !== undefined) stored.set(began, world.clock.now());
  };
  onBegun.push(store);
  onWritten.push((before, after) => {
    if (after.attempts.length > before.attempts.length) store();
  });
  gateway.watch({
    sent(sending) {
      const { name, message, owner } = sending;
      const began = owner.request?.began;
      const at = began === undefined ? undefined : stored.get(began);
      if (began === undefined || at === undefined || name === 'query' || name === 'refund_search') return;
      const waited = world.clock.now() - at;
      if (waited > SEND_WITHIN_MS + SKEW_MS)
        world.breach('nothing is sent too late', `${owner.request?.name} is sent after ${waited} ms`);
      if (!isPayment(name)) return;
      const order = String(message.order_no);
      const last = sent.get(order) ?? 0;
      sent.set(order, world.next());
      before.set(sending, last);
      const isSlow = relays.trouble.calls > 0 || world.clock.now() - relays.trouble.over < SLOW_MS;
      const mayFollow = owner.request && byServers.has(owner.request) && wasAskedSince(order, last);
      if (last > began && !isSlow && !mayFollow)
        world.breach(
          'who pays knows of other payments',
          `${owner.request?.name} pays ${order} after another request did`,
        );
    },
    received(sending) {
      const last = before.get(sending);
      if (last === undefined || !sending.received) return;
      const order = String(sending.message.order_no);
      if (sending.received.answer.kind === 'not_sent') sent.set(order, last);
      else answered.set(order, sending.received.moment);
      before.delete(sending);
    },
  });
}

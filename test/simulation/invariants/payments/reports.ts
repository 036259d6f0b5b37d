import { paymentStatus } from '../../world/gateway/books.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from '../queries/query-log.ts';

const NOT_PAID = ['open', 'failed', 'expired', 'declined'];

/**
 * No answer says "not paid" after its query showed a payment, no webhook reports a payment that does not exist, and a
 * shop that refunds each second payment keeps one. A person's decision is reported at once.
 */
export function watchReports(scene: Scene, log: QueryLog): void {
  const { world, gateway, relays, shop, decided, approvedByPerson } = scene;
  /**
   * The session to which each payment is credited: that of the oldest unsettled attempt, if no attempt has its
   * transaction_id.
   */
  const credited = new Map<string, string>();
  scene.onWritten.push((_before, { payments, attempts }) => {
    for (const { transaction_id, attempt_id } of payments) {
      const attempt = attempts.find(({ id }) => id === attempt_id);
      if (attempt) credited.set(transaction_id, attempt.session_id);
    }
  });
  scene.onShown.push(({ order_no, session, status, reason, began, by }) => {
    // The answer to a shopper's payment is the gateway's answer to its message, never the result of a query.
    if ((by !== 'view' && by !== 'return') || !NOT_PAID.includes(status) || reason === 'order_already_paid') return;
    const queries = log.of(order_no).filter((one) => one.began > began && one.ended !== undefined && one.counts);
    for (const { records, endedAt = 0 } of queries) {
      // The shopper gets the stored state. A slow store delays it at most as long as a slow gateway would.
      const isSlow = relays.trouble.slowAt >= endedAt;
      // The result of another relay's query may be stored only when the store is back.
      const isAway = relays.count > 1 && relays.trouble.over >= endedAt;
      const mayBeLate = status === 'open' && (isSlow || isAway);
      const paid = records.find(
        ({ payment_status, transaction_id }) =>
          payment_status === paymentStatus.approved &&
          (!mayBeLate || credited.has(String(transaction_id))) &&
          gateway.books.transactions.some(({ id, session: own }) => id === transaction_id && own === session) &&
          (credited.get(String(transaction_id)) ?? session) === session &&
          !decided
            .get(order_no)
            ?.some((one) => one.transaction_id === transaction_id && one.payment_status === payment_status),
      );
      if (!paid) continue;
      world.breach('no false decline', `${by} of ${session} got ${status}, but ${paid.transaction_id} is paid`);
      return;
    }
  });

  scene.onWritten.push((before, after, events) => {
    for (const { id, state, settled } of after.sessions) {
      const known = before.sessions.find((one) => one.id === id)?.settled?.at;
      if (settled?.outcome !== 'not_paid' || settled.at === known || state.status === 'approved') continue;
      if (!events.some(({ subject }) => subject === id))
        world.breach('every change is reported', `${id} is settled as not paid, and no webhook tells it`);
    }
  });

  /** The transactions in unsigned answers: they are reported as paid until the gateway proves another transaction. */
  const unproved = new Set<unknown>();
  gateway.watch({
    received({ received }) {
      const answer = received?.answer;
      if (answer?.kind === 'answer' && answer.unsigned) unproved.add(answer.message.transaction_id);
    },
  });
  /** The payments of each order in `session.paid_twice`, and those of them that the shop was asked to refund. */
  const pairs = new Map<string, Record<'named' | 'second', Set<string>>>();
  shop.onReceived(({ type, data }) => {
    if (type !== 'session.paid_twice' || !Array.isArray(data.transaction_ids)) return;
    const order = String(data.order_no);
    const { named, second } = pairs.get(order) ?? { named: new Set(), second: new Set() };
    pairs.set(order, { named, second });
    const ids = data.transaction_ids.map(String);
    for (const id of ids) named.add(id);
    for (const id of ids.slice(1)) second.add(id);
    if (second.size === named.size)
      world.breach('one payment stays', `${order}: the shop refunds each of ${[...named]}`);
  });
  shop.onReceived(({ type, data }) => {
    if (type !== 'session.approved' && type !== 'session.paid_twice') return;
    const order = String(data.order_no);
    const named = type === 'session.approved' ? [data.transaction_id] : data.transaction_ids;
    for (const id of Array.isArray(named) ? named : []) {
      const one = gateway.books.transactions.find((transaction) => transaction.id === id);
      if (approvedByPerson.has(String(id))) continue;
      if (!one && type === 'session.approved' && unproved.has(id)) continue;
      if (one?.order_no !== order || one.status !== 'approved')
        world.breach('only facts are reported', `${type} of ${data.id} names ${id}, which is ${one?.status}`);
      else if (type === 'session.approved' && (one.amount !== data.amount || one.currency !== data.currency))
        world.breach('only facts are reported', `${data.id} is reported as paid with ${data.amount} ${data.currency}`);
    }
  });
}

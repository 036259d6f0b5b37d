import { itemsOf } from '../../../../relay/payments/operations/operation.ts';
import { defaultPaymentPlan, type PaymentPlan } from '../../plans.ts';
import type { Sending } from '../../world/gateway/gateway.ts';
import { isPayment } from '../../world/gateway/payments.ts';
import { isAboutOrders, ordersOf } from '../../world/gateway/queries.ts';
import type { Scene } from '../../world/scene.ts';

const HOUR_MS = 3_600_000;
const MONTH_MS = 30 * 24 * HOUR_MS;

/** The maximum number of queries about an ordinary payment in its first hour, and in thirty days. */
const BUDGET = [
  { within: HOUR_MS, queries: 2 },
  { within: MONTH_MS, queries: 5 },
] as const;

/** The only payment of an order, and the queries about it that no request caused. */
type Ordinary = { at: number; disturbed: number; notices: number; asked: number[] };

/**
 * Queries have a budget. An order is ordinary if its first attempt pays it by an answer that arrives, with at most one
 * notification, while nothing fails. A query that a shop or a shopper caused does not count.
 */
export function watchBudget({ world, gateway, relays, notifications, onBegun }: Scene): void {
  /** The payments with operations. */
  const operated = new Set<unknown>();
  onBegun.push((operation) => {
    for (const { transaction_id } of itemsOf(operation)) operated.add(transaction_id);
  });
  const ordinary = new Map<string, Ordinary>();
  const others = new Set<string>();

  const noteSent = (order: string, { at, owner }: Sending): void => {
    const isOrdinary = owner.request?.fate !== undefined && isUsual(owner.request.fate);
    if (isOrdinary && !others.has(order) && !ordinary.has(order))
      ordinary.set(order, { at, disturbed: relays.disturbances(), notices: 0, asked: [] });
    else others.add(order);
  };
  const noteAsked = (order: string, at: number): void => {
    const one = ordinary.get(order);
    // An order with an earlier notification than its payment: queries follow that notification for an hour.
    if (!one) others.add(order);
    const booked = gateway.books.transactions.filter(({ order_no }) => order_no === order);
    // After an operation its record may be queried.
    if (booked.some(({ id }) => operated.has(id))) return;
    if (!one || others.has(order) || one.notices > 1 || booked.length !== 1) return;
    if (one.disturbed !== relays.disturbances() || relays.clocks.wereWrong(one.at)) return;
    one.asked.push(at);
    for (const { within, queries } of BUDGET) {
      const count = one.asked.filter((moment) => moment - one.at <= within).length;
      if (count > queries)
        world.breach('queries have a budget', `${order}: ${count} in ${within} ms, and nothing failed`);
    }
  };

  gateway.watch({
    sent(sending) {
      const { name, message } = sending;
      if (isPayment(name)) noteSent(String(message.order_no), sending);
    },
    received({ name, message, owner, at, received }) {
      if (message.order_no !== undefined && received?.answer.kind !== 'answer') others.add(String(message.order_no));
      if (!isAboutOrders({ name, message })) return;
      const orders = ordersOf(gateway.books, message);
      // A failed query is repeated, and one with unreadable records is repeated for each of its orders.
      const isSpoiled = orders.some((order) => gateway.spoiled.has(order));
      if (isSpoiled || received?.answer.kind !== 'answer' || received.answer.message.return_status !== '1')
        for (const order of orders) others.add(order);
      else if (owner.request === undefined || owner.request.name.startsWith('notification'))
        for (const order of orders) noteAsked(order, at);
    },
  });
  notifications.onTaken.push((order) => {
    const one = ordinary.get(order);
    if (one) one.notices += 1;
  });
}

/** Whether the plan has no trouble and the payment is approved at once. */
function isUsual(fate: PaymentPlan): boolean {
  const { says, book, life, notices, contract, nameless = false, unstored = 0 } = fate;
  const { way, answer, hidden, twice, dated } = fate;
  const isQuiet = { ...defaultPaymentPlan, way, answer, hidden, twice, dated };
  const isPlain =
    says === 'approved' && book.length === 1 && notices.length <= 1 && contract === undefined && life === undefined;
  return isPlain && !nameless && unstored === 0 && JSON.stringify(isQuiet) === JSON.stringify(defaultPaymentPlan);
}

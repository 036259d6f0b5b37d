import { repeatsOrder } from '../../world/gateway/answers.ts';
import { paymentStatus } from '../../world/gateway/books.ts';
import type { Sending } from '../../world/gateway/gateway.ts';
import { isPayment } from '../../world/gateway/payments.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from '../queries/query-log.ts';

/**
 * A shopper gets "declined" only after the gateway's own answer to that payment, or after a counted query that showed a
 * declined record of the order since.
 */
export function watchDeclines({ world, gateway, onShown: onTold }: Scene, log: QueryLog): void {
  const sent = new Map<string, Sending[]>();
  gateway.watch({
    sent(sending) {
      const { name, owner } = sending;
      if (!owner.request || !isPayment(name)) return;
      const { name: by } = owner.request;
      sent.set(by, [...(sent.get(by) ?? []), sending]);
    },
  });
  onTold.push(({ order_no, status, by }) => {
    if (status !== 'declined') return;
    const payments = (sent.get(by) ?? []).filter(({ message }) => message.order_no === order_no);
    const [first] = payments;
    if (first === undefined || payments.some(isUnpaid)) return;
    const queries = log.of(order_no).filter(({ began, counts }) => began > first.began && counts);
    if (queries.some(({ records }) => records.some((one) => one.payment_status === paymentStatus.declined))) return;
    world.breach('no false decline', `${by} says that ${order_no} is declined, and nothing proves it`);
  });
}

function isUnpaid({ received, message }: Sending): boolean {
  const answer = received?.answer;
  if (answer?.kind === 'refused') return true;
  return answer?.kind === 'answer' && answer.message.order_status === '0' && repeatsOrder(answer.message, message);
}

import type { PaymentNews } from '../../../../shared/api/webhook.ts';
import type { OrderState } from '../../relay.ts';
import { REJECTING } from '../../world/config.ts';
import type { Transaction } from '../../world/gateway/books.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';

const DAY_MS = 86_400_000;

/**
 * An order, and each later charge of a contract, gets one `payment.ready`, and one more after each `payment.reversed`;
 * none while its payment is held, as far as a query showed that.
 */
export function watchReady({ world, gateway, onWritten }: Scene): void {
  /** The orders and later charges that were reported as ready, and those of them that were reversed since. */
  const told = new Map<string, { reversed: boolean }>();
  onWritten.push((_before, { order_no }, events) => {
    for (const { type, body } of events) {
      if (type !== 'payment.ready' && type !== 'payment.reversed') continue;
      const { payment, confirmed, restored } = newsIn(body);
      const id = payment.transaction_id;
      // A later charge of a contract has its own webhook.
      const key = payment.origin === 'renewal' ? id : order_no;
      const known = told.get(key);
      if (type === 'payment.reversed') {
        // An order that was never ready is not restored.
        if (known) told.set(key, { reversed: true });
        continue;
      }
      if (known && !known.reversed) world.breach('ready is reported once', `${order_no} is ready again by ${id}`);
      if ((restored === true) !== (known !== undefined))
        world.breach('ready is reported once', `${order_no} is ready by ${id}, restored: ${restored}`);
      told.set(key, { reversed: false });
      const transaction = gateway.books.transactions.find((one) => one.id === id);
      const isHeld = transaction?.standing === 'held' && !operated(gateway, transaction);
      if (confirmed && isHeld) world.breach('ready is reported once', `${id} of ${order_no} is ready, and held`);
    }
  });
}

function newsIn(body: string): PaymentNews & { confirmed?: boolean; restored?: true } {
  return JSON.parse(body).data;
}

/** True for a payment with a review, a cancellation or a refund. */
function operated({ executions }: Scene['gateway'], { id }: Transaction): boolean {
  return executions.some(
    ({ transaction_id, name, flag }) => transaction_id === id && (name !== 'capture' || flag === REJECTING),
  );
}

/**
 * The final status of each payment in the gateway's records was reported: ready, held, reversed, or not in the records.
 */
export async function standingsOf(scene: Scene, orderNo: string, { order }: OrderState): Promise<Breach[]> {
  const { gateway, world, settings, store, started } = scene;
  const [payment] = order.payments;
  // Old data is deleted.
  if (!payment || payment.ready === undefined || world.clock.now() - started > 35 * DAY_MS + DAY_MS) return [];
  const { transaction_id: id, ready, awaited, unconfirmed, told } = payment;
  const transaction = gateway.books.transactions.find((one) => one.id === id);
  // A person may report a payment by a transaction that did not pay.
  if (transaction?.status !== 'approved' || operated(gateway, transaction) || gateway.spoiled.has(orderNo)) return [];
  // The possible effect of an operation with an unknown outcome waits for a person, whose decision counts.
  const operations = await store.operations.onPayments(order.account, [id]);
  if (operations.some(({ name, outcome }) => name !== 'capture' && outcome !== 'failed')) return [];
  // A refund that a person confirmed counts, also after its operation is deleted.
  const [refunded] = await store.operations.refunded(order.account, [id]);
  if (refunded && refunded.sum > 0n) return [];
  const detail = `${id} of ${orderNo} is ${transaction.standing}, and told as ${told ?? ready}`;
  const invariant = 'the gateway’s changes are reported';
  if (awaited) return [{ invariant, detail: `${id} of ${orderNo} still waits for its record` }];
  if (unconfirmed) return [];
  const isAskedAbout = settings.current().resolve.paid_days.length > 0;
  // Its approved record has no transaction_id: the relay cannot know that it is this payment, which was declined
  // before.
  if (transaction.nameless && told === 'reversed') return [];
  // Only a notification reports it.
  if (transaction.standing === 'reversed' && told === undefined && !isAskedAbout) return [];
  const expected = transaction.standing === 'approved' ? undefined : transaction.standing;
  const isTold = payment.record === undefined ? ready === 'sent' : told === expected;
  const isReady = expected !== undefined || ready === 'sent';
  return isTold && isReady ? [] : [{ invariant, detail }];
}

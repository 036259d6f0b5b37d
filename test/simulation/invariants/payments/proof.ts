import { wasSent } from '../../../../relay/payments/attempt.ts';
import { isPaid, provedPayments, type StoredOrder } from '../../../../relay/payments/order.ts';
import { CLOCK_TOLERANCE_MS } from '../../../../relay/payments/settlement/records.ts';
import { sameAmount } from '../../../../shared/gateway/amounts.ts';
import { repeatsOrder } from '../../world/gateway/answers.ts';
import { paymentStatus, type Transaction } from '../../world/gateway/books.ts';
import { isPayment } from '../../world/gateway/payments.ts';
import { isAboutOrders, isBesideForeign } from '../../world/gateway/queries.ts';
import { storedOrder } from '../../world/orders.ts';
import type { Life } from '../../world/owner.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';
import type { QueryLog } from '../queries/query-log.ts';

/** The time within which a shown record must be written. */
const WRITTEN_MS = 10_000;

/** How long an order stays leased to a query whose result the store did not accept. */
const LEASE_MS = 60_000;

/** The time within which a payment's own answer must be written, too. */
const ANSWERED_MS = 60_000;

const DAY_MS = 86_400_000;

/**
 * The gateway's proofs are kept: an approved record that a query showed, also one that proves no absence, makes its
 * order paid; a signed approval is the proof of its payment however late it is written; an old record declines nothing;
 * and a pending payment is not unknown.
 */
export function watchProof(scene: Scene, log: QueryLog): { finalBreaches(): Promise<Breach[]> } {
  const { world, gateway, store, relays, started } = scene;
  const { clock } = world;
  const kept = new Set<string>();
  const signed = new Map<string, Life>();

  let trouble = { count: 0, at: Number.NEGATIVE_INFINITY };
  const watchTrouble = (): void => {
    const count = relays.disturbances();
    if (count !== trouble.count) trouble = { count, at: clock.now() };
  };
  /** Whether an order may still be leased to a query whose result was lost. */
  const isTroubled = (): boolean => {
    watchTrouble();
    return clock.now() - trouble.at < LEASE_MS;
  };

  const check = async (one: Transaction, before: StoredOrder, disturbed: number): Promise<void> => {
    if (isTroubled()) return;
    const after = await storedOrder(store, one.order_no);
    const { attempts, sessions } = after;
    if (sessions.length === 0) return;
    if (one.status === 'approved' && mustPay(one, before, after)) {
      kept.add(one.id);
      if (!provedPayments(after).some(({ transaction_id }) => transaction_id === one.id))
        world.breach('proof is kept', `a query showed that ${one.id} of ${one.order_no} is paid, and it is not`);
    }
    const attempt = attempts.find(({ id }) => id === one.attempt);
    const isOnlyOne = gateway.books.transactions.filter(({ order_no }) => order_no === one.order_no).length === 1;
    if (one.status !== 'pending' || !isOnlyOne || disturbed > 0 || attempt?.state.status !== 'unknown') return;
    const { reason } = attempt.state;
    if (reason === 'codes_not_listed' && one.read >= Date.parse(attempt.started_at))
      world.breach('pending raises no alarm', `${one.id} is pending, and ${attempt.id} is unknown`);
  };

  gateway.watch({
    received({ name, message, owner, received }) {
      watchTrouble();
      if (received?.answer.kind !== 'answer') return;
      const told = received.answer.message;
      if (
        isPayment(name) &&
        !received.answer.unsigned &&
        told.order_status === '1' &&
        repeatsOrder(told, message) &&
        told.transaction_id
      ) {
        signed.set(String(told.transaction_id), owner.life);
      }
      // A query by transaction settles no order.
      if (!isAboutOrders({ name, message }) || !Array.isArray(told.orders_list)) return;
      // If a query of several orders also shows records of other orders, its orders are queried again one by one.
      if (String(message.orders).includes(',') && isBesideForeign(received.answer)) return;
      const shown = new Set(
        told.orders_list.map(
          (record: { transaction_id: unknown; payment_status: unknown }) =>
            `${record.transaction_id} ${record.payment_status}`,
        ),
      );
      for (const one of gateway.books.transactions) {
        // Its status may have changed since the gateway answered.
        if (one.status !== 'approved' && one.status !== 'pending') continue;
        if (!shown.has(`${one.id} ${paymentStatus[one.status]}`) || kept.has(one.id)) continue;
        const asked = log.of(one.order_no).at(-1);
        if (!(one.status === 'approved' ? asked?.isRead : asked?.counts)) continue;
        if (one.status === 'pending' && clock.now() - one.dated <= ANSWERED_MS) continue;
        const [status, disturbed] = [one.status, relays.disturbances()];
        // Read at once, to get the order before this query.
        const reading = storedOrder(store, one.order_no);
        clock.at(clock.now() + WRITTEN_MS, () => {
          if (one.status === status) void reading.then((before) => check(one, before, disturbed));
        });
      }
    },
  });

  return {
    async finalBreaches() {
      const found: Breach[] = [];
      for (const orderNo of scene.orders) {
        const { payments, attempts } = await storedOrder(store, orderNo);
        for (const { transaction_id, proof } of payments) {
          const life = signed.get(transaction_id);
          if (!life || life.dead || proof === 'answer' || clock.now() - started > 35 * DAY_MS) continue;
          found.push({ invariant: 'proof is kept', detail: `the signed approval of ${transaction_id} is not` });
        }
        for (const { id, state, transaction_id, started_at } of attempts) {
          if (state.status !== 'declined' || state.proof !== 'record') continue;
          const record = gateway.books.transactions.find((one) => one.id === transaction_id);
          if (!record || record.session !== undefined) continue;
          if (record.read < Date.parse(started_at) - CLOCK_TOLERANCE_MS - 1000)
            found.push({ invariant: 'a decline is its own', detail: `${record.id} of long ago declines ${id}` });
        }
      }
      return found;
    },
  };
}

/**
 * True for an approved record that is a payment of its order, whatever was reported before; `before` is the order at
 * the time of the query that showed the record. A record of another amount, or one that a person has decided about,
 * pays only if another record does; old records and later charges of a contract never do.
 */
function mustPay(
  { id, amount, currency, read, laterOf }: Transaction,
  before: StoredOrder,
  after: StoredOrder,
): boolean {
  const sent = after.attempts.filter((one) => wasSent(one) && before.attempts.some((known) => known.id === one.id));
  const [first] = sent;
  if (!first || laterOf !== undefined) return false;
  // A person named it, or it is known.
  if (before.payments.some(({ transaction_id }) => transaction_id === id)) return true;
  if (read < Date.parse(first.started_at) - DAY_MS + 1000) return false;
  const isDecided = after.decided.some(
    (one) =>
      one.transaction_id === id && one.payment_status === paymentStatus.approved && sameAmount(one.amount, amount),
  );
  if (isDecided) return provedPayments(before).length > 0;
  return isPaid(before) || sent.some((one) => one.amount === amount && one.currency === currency);
}

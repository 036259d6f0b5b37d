import { type Attempt, isAbandoned } from '../../../../relay/payments/attempt.ts';
import type { StoredOrder } from '../../../../relay/payments/order.ts';
import { sameAmount } from '../../../../shared/gateway/amounts.ts';
import { repeatsOrder } from '../../world/gateway/answers.ts';
import { type BookRecord, paymentStatus, transactionOf } from '../../world/gateway/books.ts';
import { isPayment } from '../../world/gateway/payments.ts';
import { storedOrder } from '../../world/orders.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from '../queries/query-log.ts';

const DAY_MS = 86_400_000;

/** A little less than the time for which an attempt is watched. */
const WATCHED_MS = 29 * DAY_MS;

/** The maximum time between the start of a payment and its sending. */
const SEND_WITHIN_MS = 4500;

/** A more recent change may not have been read. */
const UNSEEN_MS = 250;

const UNSETTLED = ['in_flight', 'redirected', 'pending', 'unknown'];

/**
 * A payment begins only on a free order. It is not sent while another attempt of the order is unsettled or approved, or
 * after a query left the order undecided. Beside a watched attempt it needs a counted query that began after the press
 * and showed nothing approved, unlisted or pending, except a pending payment that the request `abandon` abandoned.
 */
export function watchSending(scene: Scene, log: QueryLog): void {
  const { world, gateway, store, relays } = scene;
  const declinedByAnswer = new Set<string>();
  /** The last notification about each order: the number of that event, and the time. */
  const notified = new Map<string, { moment: number; at: number }>();
  scene.notifications.onTaken.push(
    (order) => void notified.set(order, { moment: world.next(), at: world.clock.now() }),
  );

  const checkQuery = (order: string, others: readonly Attempt[], press: number): void => {
    const counted = log.of(order).filter(({ began, ended, counts }) => began > press && ended !== undefined && counts);
    const notice = notified.get(order);
    const watched = others.filter(
      (attempt) =>
        isWatched(attempt, declinedByAnswer, world.clock.now()) ||
        // By a wrong clock, a later decline seems to be an earlier one.
        (notice &&
          notice.moment < press &&
          !relays.clocks.wereWrong(notice.at) &&
          wasDeclinedBefore(attempt, notice.at)),
    );
    const [first] = watched;
    if (!first) return;
    const last = counted.at(-1);
    if (!last) {
      world.breach('query before payment', `${order} is paid beside ${first.id} (${first.state.status}) unasked`);
      return;
    }
    const blocking = last.records.find((record) => isBlocking(scene, order, record, others));
    if (blocking)
      world.breach('query before payment', `${order} is paid though a query showed ${JSON.stringify(blocking)}`);
  };

  /** The time since when each order is undecided. */
  const undecided = new Map<string, number>();
  scene.onWritten.push((before, after) => {
    const key = keyOf(after);
    if (!after.undecided) undecided.delete(key);
    else if (!undecided.has(key)) undecided.set(key, world.clock.now());
    if (before.hold !== 'free' && after.attempts.length > before.attempts.length)
      world.breach('no payment beside another', `${before.order_no} is ${before.hold} when a payment of it begins`);
  });

  gateway.watch({
    async sent(sending) {
      const { name, message, owner } = sending;
      if (!isPayment(name)) return;
      const order = String(message.order_no);
      const session = /notify\/payment\/([^/]+)/.exec(String(message.notify_url))?.[1];
      const stored = await storedOrder(store, order);
      const { attempts } = stored;
      // If clocks disagree, another relay takes the attempt over early. It is sent nevertheless once its own relay gets
      // the confirmation of the store.
      const isOwn = ({ started_at, state }: Attempt): boolean =>
        state.status === 'in_flight' ||
        (state.status === 'unknown' &&
          state.reason === 'relay_stopped' &&
          relays.clocks.wereWrong(Date.parse(started_at)) &&
          sending.at + owner.life.skew - Date.parse(started_at) < SEND_WITHIN_MS);
      const own = attempts.findLast((one) => one.session_id === session && isOwn(one));
      if (own) sending.attempt = own.id;
      else world.breach('no payment beside another', `${order} is paid by an attempt that the store does not hold`);
      const others = attempts.filter((attempt) => attempt !== own);
      const busy = others.find(({ state }) => UNSETTLED.includes(state.status) || state.status === 'approved');
      if (busy)
        world.breach('no payment beside another', `${order} is paid beside ${busy.id}, which is ${busy.state.status}`);
      const since = undecided.get(keyOf(stored)) ?? sending.at;
      if (sending.at - since > UNSEEN_MS)
        world.breach('no payment beside another', `${order} is paid ${sending.at - since} ms after it was undecided`);
      checkQuery(order, others, owner.request?.began ?? sending.began);
      if (sending.at > (owner.request?.hangsUpAt ?? Number.POSITIVE_INFINITY))
        world.breach('a shopper who hung up pays nothing', `${order} is paid for ${owner.request?.name}`);
    },
    received(sending) {
      const { attempt } = sending;
      const answer = sending.received?.answer;
      if (attempt === undefined || answer?.kind !== 'answer') return;
      if (answer.unsigned || answer.message.order_status !== '0' || !repeatsOrder(answer.message, sending.message))
        return;
      declinedByAnswer.add(attempt);
      for (const one of gateway.books.transactions) one.declined ||= one.attempt === attempt;
    },
  });
}

/** Both accounts may have an order with the same number. */
function keyOf({ account, order_no }: StoredOrder): string {
  return `${account} ${order_no}`;
}

function isWatched({ id, state, started_at }: Attempt, declinedByAnswer: ReadonlySet<string>, now: number): boolean {
  if (now - Date.parse(started_at) > WATCHED_MS) return false;
  if (state.status === 'not_paid' || state.status === 'refused') return true;
  return state.status === 'declined' && !declinedByAnswer.has(id);
}

/** The maximum difference between the clocks of several relays. */
const SKEW_MS = 2000;

/** A notification names no attempt: any attempt that was declined before may be charged. */
function wasDeclinedBefore({ state, settled_at }: Attempt, at: number): boolean {
  return state.status === 'declined' && settled_at !== undefined && Date.parse(settled_at) < at - SKEW_MS;
}

/** How far the date of a record may precede its attempt. */
const TOLERANCE_MS = 15 * 60_000;

const earliest = ({ started_at }: Attempt): number => Date.parse(started_at) - TOLERANCE_MS;

/**
 * True for a record that forbids another payment: every record except a declined one and one that no longer holds its
 * order.
 */
export function isBlocking(scene: Scene, order: string, record: BookRecord, attempts: readonly Attempt[]): boolean {
  const { payment_status: status, transaction_id, amount, currency } = record;
  const isGivenUp = (one: Attempt): boolean => isAbandoned(one) && scene.givenUp.has(one.id);
  const isSum = (one: Attempt): boolean => one.amount === amount && one.currency === currency;
  if (status === paymentStatus.declined) return false;
  const transaction = transactionOf(scene.gateway.books, record);
  const isDecided = scene.decided
    .get(order)
    ?.some(
      (one) =>
        one.transaction_id === transaction_id &&
        (transaction_id !== '' || Date.parse(one.date ?? '') === secondOf(transaction?.read)) &&
        one.payment_status === status &&
        sameAmount(one.amount, amount),
    );
  if (isDecided) return false;
  const dated = transaction && secondOf(transaction.read);
  const sent = attempts.filter(({ state }) => state.status !== 'not_sent');
  const isOld = dated !== undefined && sent.every((attempt) => dated < earliest(attempt));
  const isProof = status === paymentStatus.approved && transaction_id !== '';
  if (!isProof && isOld && !sent.some(isSum)) return false;
  if (status !== paymentStatus.pending) return true;
  if (!transaction) return true;
  const own = attempts.find(({ id }) => id === transaction.attempt);
  // Without a transaction_id it may have counted as the record of an abandoned attempt.
  const named = attempts.find((attempt) => attempt.transaction_id === transaction.id);
  if (own) return !isGivenUp(named ?? own);
  // A record of another channel looks like that of an abandoned attempt.
  return !attempts.some(
    (attempt) => isGivenUp(attempt) && isSum(attempt) && secondOf(transaction.read) >= earliest(attempt),
  );
}

/** The moment of a date that has no smaller unit than seconds. */
function secondOf(time = 0): number {
  return time - (time % 1000);
}

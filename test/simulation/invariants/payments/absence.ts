import type { Attempt } from '../../../../relay/payments/attempt.ts';
import type { StoredOrder } from '../../../../relay/payments/order.ts';
import { ABSENT_MS } from '../../world/config.ts';
import { repeatsOrder } from '../../world/gateway/answers.ts';
import { paymentStatus } from '../../world/gateway/books.ts';
import type { Sending } from '../../world/gateway/gateway.ts';
import type { Life } from '../../world/owner.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from '../queries/query-log.ts';
import { isBlocking } from './sending.ts';

const QUERIES = 3;

/** A query may begin a little before its attempt is recorded here. */
const SLACK_MS = 2000;

/**
 * An attempt is absent only after its time, and after three counted queries that are spread over it and show nothing
 * that holds its order: no pending or unlisted record, and no approved one without a transaction_id.
 */
export function watchAbsence(scene: Scene, log: QueryLog): void {
  const { world, relays, onWritten } = scene;
  /** The start of each attempt. A relay's clock may show another time. */
  const began = new Map<string, number>();
  /**
   * The surplus in the count of each attempt's queries: if clocks disagree, two relays query an order at the same time,
   * and the query that began first and is written last counts from the begin of the other one.
   */
  const outOfTurn = new Map<string, number>();
  const noteTurn = ({ clear: was }: Attempt, { id, clear: is }: Attempt): void => {
    if (!was || !is || is.queries < was.queries) return void outOfTurn.delete(id);
    const [last, next] = [was.seen.at(-1), is.seen.at(-1)];
    const early = last && next ? last.monotonic_ms - next.monotonic_ms : 0;
    if (early > 0) outOfTurn.set(id, (outOfTurn.get(id) ?? 0) + early);
  };
  const check = ({ order_no: orderNo, attempts }: StoredOrder, { id }: Attempt): void => {
    const since = began.get(id) ?? Number.NEGATIVE_INFINITY;
    const counted = log.of(orderNo).filter(({ at, endedAt, counts }) => counts && endedAt && at >= since - SLACK_MS);
    const shows = counted.findLastIndex(({ records }) =>
      records.some((record) => isBlocking(scene, orderNo, record, attempts)),
    );
    const clear = counted.slice(shows + 1);
    const [first, last] = [clear[0], clear.at(-1)];
    const spread = first && last ? (last.endedAt ?? 0) - first.at : 0;
    const waited = world.clock.now() - since;
    const overlap = relays.clocks.wereWrong(since) ? (outOfTurn.get(id) ?? 0) : 0;
    const least = ABSENT_MS - SLACK_MS - relays.clocks.error(since, ABSENT_MS) - overlap;
    if (clear.length >= QUERIES && Math.min(spread, waited) >= least) return;
    world.breach(
      'absence is proved',
      `${id} of ${orderNo} is absent ${waited} ms after it was sent, and ${clear.length} queries within ${spread} ms`,
    );
  };
  onWritten.push((before, after) => {
    for (const { id } of after.attempts) if (!began.has(id)) began.set(id, world.clock.now());
    for (const attempt of after.attempts) {
      const was = before.attempts.find(({ id }) => id === attempt.id);
      if (!was) continue;
      noteTurn(was, attempt);
      // Records of a paid order that are not approved prove nothing.
      if (after.payments.length === 0 && isAbsent(attempt) && !isAbsent(was)) check(after, attempt);
    }
  });
}

/**
 * An attempt whose own signed answer had the codes of an approval, with any other content, or reported a pending
 * payment, is never absent once its relay has written the answer. A record declines it only if every attempt without a
 * transaction has its own declined record. A pending one is not unknown at first.
 */
export function watchSignedApprovals({ world, gateway, onWritten }: Scene, log: QueryLog): void {
  /** The relays that received such an answer, by attempts, and the attempts with which it was written. */
  const answeredBy = new Map<string, Life>();
  const known = new Set<string>();
  const pending = new Set<string>();
  gateway.watch({
    received(sending) {
      if (sending.attempt === undefined) return;
      if (isPending(sending)) pending.add(sending.attempt);
      if (isPending(sending) || isSignedApproval(sending)) answeredBy.set(sending.attempt, sending.owner.life);
    },
  });
  const isDeclinedAlone = ({ order_no, attempts }: StoredOrder, { id, state }: Attempt): boolean => {
    if (state.status !== 'declined' || state.proof !== 'record') return false;
    const nameless = attempts.filter((one) => one.transaction_id === undefined && one.state.status !== 'not_sent');
    const named = attempts.map(({ transaction_id }) => transaction_id);
    const free = log.of(order_no).map(({ records }) => {
      const declined = records.filter(({ payment_status }) => payment_status === paymentStatus.declined);
      const ids = declined.map(({ transaction_id }) => String(transaction_id));
      return new Set(ids.filter((one) => !named.includes(one))).size;
    });
    return nameless.some((one) => one.id === id) && Math.max(0, ...free) < nameless.length;
  };
  onWritten.push((before, after) => {
    for (const attempt of after.attempts) {
      const { id, state } = attempt;
      const was = before.attempts.find((one) => one.id === id);
      if (was && known.has(id) && was.state.status !== state.status) {
        if (isAbsent(attempt)) world.breach('a signed approval is never absent', `${id} of ${after.order_no} is`);
        if (isDeclinedAlone(before, attempt))
          world.breach('a signed approval is never absent', `another's record declines ${id} of ${after.order_no}`);
      }
      const isOrphaned = state.status === 'unknown' && state.reason === 'relay_stopped';
      if (was?.state.status !== 'in_flight' || state.status === 'in_flight' || isOrphaned) continue;
      const life = answeredBy.get(id);
      if (life === undefined || life !== world.clock.owner()?.life) continue;
      known.add(id);
      if (pending.has(id) && state.status === 'unknown')
        world.breach('a pending answer is not unknown', `${id} of ${after.order_no} is unknown: ${state.reason}`);
    }
  });
}

function isPending({ received, message }: Sending): boolean {
  const answer = received?.answer;
  return (
    answer?.kind === 'answer' &&
    !answer.unsigned &&
    answer.message.order_status === '2' &&
    repeatsOrder(answer.message, message)
  );
}

/** An answer about another order_no has the codes nevertheless. */
function isSignedApproval({ received }: Sending): boolean {
  if (!received) return false;
  const { answer } = received;
  const isSigned =
    (answer.kind === 'answer' && !answer.unsigned) || (answer.kind === 'unusable' && answer.fault === 'number_differs');
  return isSigned && answer.message.order_status === '1';
}

function isAbsent({ state }: Attempt): boolean {
  return state.status === 'not_paid' && state.reason === 'absent';
}

import type { Attempt } from '../../../relay/payments/session.ts';
import { type BookRecord, paymentStatus } from '../world/gateway/books.ts';
import type { Sending } from '../world/gateway/gateway.ts';
import type { Scene } from '../world/scene.ts';
import type { QueryLog } from './query-log.ts';

const DAY_MS = 86_400_000;

/** A little less than an attempt is watched. */
const WATCHED_MS = 29 * DAY_MS;

/** How far a record's date may lie before its attempt. */
const TOLERANCE_MS = 15 * 60_000;

const UNSETTLED = ['in_flight', 'redirected', 'pending', 'unknown'];

/**
 * No payment is sent while another of its order is unsettled or approved; and none beside a watched attempt without a
 * counted query, begun after the press, that showed nothing approved, pending (but abandoned) or unlisted.
 */
export function watchSending(scene: Scene, log: QueryLog): void {
  const { world, gateway, store } = scene;
  const attemptOf = new Map<Sending, string>();
  const declinedByAnswer = new Set<string>();

  const checkQuery = (order: string, own: Attempt | undefined, others: readonly Attempt[], press: number): void => {
    const counted = log.of(order).filter(({ began, ended, counts }) => began > press && ended !== undefined && counts);
    const watched = others.filter((attempt) => isWatched(attempt, declinedByAnswer, world.clock.now()));
    const last = counted.at(-1);
    if (!last) {
      const [first] = watched;
      if (first)
        world.breach('query before payment', `${order} is paid beside ${first.id} (${first.state.status}) unasked`);
      return;
    }
    const started = Math.min(...[...others, ...(own ? [own] : [])].map(({ started_at }) => Date.parse(started_at)));
    const blocking = last.records.find((record) => isBlocking(scene, order, record, started));
    if (blocking)
      world.breach('query before payment', `${order} is paid though a query showed ${JSON.stringify(blocking)}`);
  };

  gateway.watch({
    async sent(sending) {
      const { name, message, owner } = sending;
      if (name !== 'direct_payment' && name !== 'apm_payment') return;
      const order = String(message.order_no);
      const session = /notify\/payment\/([^/]+)/.exec(String(message.notify_url))?.[1];
      const attempts = await store.attemptsOfOrder('demo', order);
      const own = attempts.findLast(({ session_id, state }) => session_id === session && state.status === 'in_flight');
      if (own) attemptOf.set(sending, own.id);
      else world.breach('no payment beside another', `${order} is paid by an attempt that the store does not hold`);
      const others = attempts.filter((attempt) => attempt !== own);
      const busy = others.find(({ state }) => UNSETTLED.includes(state.status) || state.status === 'approved');
      if (busy)
        world.breach('no payment beside another', `${order} is paid beside ${busy.id}, which is ${busy.state.status}`);
      checkQuery(order, own, others, owner.request?.began ?? sending.began);
    },
    heard(sending) {
      const id = attemptOf.get(sending);
      const called = sending.heard?.called;
      if (id === undefined || called?.kind !== 'answer') return;
      if (called.message.order_status === '0' && called.message.amount === sending.message.amount)
        declinedByAnswer.add(id);
    },
  });
}

function isWatched({ id, state, started_at }: Attempt, declinedByAnswer: ReadonlySet<string>, now: number): boolean {
  if (now - Date.parse(started_at) > WATCHED_MS) return false;
  if (state.status === 'not_paid' || state.status === 'refused') return true;
  return state.status === 'declined' && !declinedByAnswer.has(id);
}

function isBlocking({ settled, abandoned }: Scene, order: string, record: BookRecord, firstAttempt: number): boolean {
  const { payment_status: status, transaction_date: date } = record;
  if (settled.has(order) || status === paymentStatus.declined) return false;
  if (status === paymentStatus.approved) return true;
  if (status === paymentStatus.pending && abandoned.has(order)) return false;
  // What was never approved and is older than the order's first attempt is another channel's business.
  const dated = Date.parse(date.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z'));
  return !(dated < firstAttempt - TOLERANCE_MS);
}

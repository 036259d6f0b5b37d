import type { Attempt } from '../../../../relay/payments/attempt.ts';
import type { StoredOrder } from '../../../../relay/payments/order.ts';
import type { NewEvent } from '../../../../relay/store/facets/outbox.ts';
import { repeatsOrder } from '../../world/gateway/answers.ts';
import { paymentStatus } from '../../world/gateway/books.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from '../queries/query-log.ts';

const UNPAID = ['session.declined', 'session.failed', 'session.expired'];

/**
 * A webhook that reports a session as unpaid has a true reason: `declined` by the gateway's answer to the attempt that
 * the session waited for, or by its own record; `absent`, `abandoned` and `settled` by the end of that attempt. A later
 * payment is reported as late.
 */
export function watchUnpaid(scene: Scene, log: QueryLog): void {
  const { world, gateway, givenUp, onWritten } = scene;
  /** The attempts that the gateway's own answers declined or refused. */
  const answered = new Set<string>();
  /** The attempts that the request `settle` decided. */
  const settled = new Set<string>();
  /** The sessions that were reported as failed or expired. */
  const over = new Set<string>();
  gateway.watch({
    received({ attempt, received, message }) {
      const answer = received?.answer;
      if (attempt === undefined || !answer) return;
      const isDeclined =
        answer.kind === 'answer' && answer.message.order_status === '0' && repeatsOrder(answer.message, message);
      if (isDeclined || answer.kind === 'refused') answered.add(attempt);
    },
  });

  const isSettling = (): boolean => world.clock.owner()?.request?.name.includes('settle') ?? false;

  const isDeclined = ({ id, transaction_id }: Attempt, orderNo: string): boolean =>
    answered.has(id) ||
    (transaction_id !== undefined &&
      log
        .of(orderNo)
        .some(({ records }) =>
          records.some((one) => one.payment_status === paymentStatus.declined && one.transaction_id === transaction_id),
        ));

  const isSo = (reason: string, before: StoredOrder, after: StoredOrder, session: string): boolean => {
    if (reason === 'order_already_paid') return after.hold === 'paid';
    const attempt = awaitedBy(before, after, session);
    if (reason === 'settled') return isSettling() || (attempt !== undefined && settled.has(attempt.id));
    if (!attempt) return false;
    const { state, id } = attempt;
    switch (reason) {
      case 'declined':
        return (state.status === 'declined' || state.status === 'refused') && isDeclined(attempt, after.order_no);
      case 'absent':
        return state.status === 'not_sent' || (state.status === 'not_paid' && state.reason === 'absent');
      case 'abandoned':
        return state.status === 'not_paid' && (state.reason === 'not_found' || givenUp.has(id));
      default:
        return false;
    }
  };

  const check = (event: NewEvent, before: StoredOrder, after: StoredOrder): void => {
    const { subject, type } = event;
    const { reason, late, needs_attention } = read(event);
    // Its approval is reported once; later reports of a session that was over are not new.
    if (type === 'session.approved' && over.delete(subject) && late !== true)
      world.breach('unpaid is reported with its proof', `${subject} was over and is paid, and not told as late`);
    if (type === 'session.failed' || type === 'session.expired') over.add(subject);
    // A session that needs a person reports that it is undecided, beside the reason of its earlier end.
    if (!UNPAID.includes(type) || needs_attention === true) return;
    if (reason === undefined && type !== 'session.declined') return;
    if (isSo(String(reason), before, after, subject)) return;
    const attempt = awaitedBy(before, after, subject);
    const told = `${type} of ${subject} tells ${reason}`;
    world.breach(
      'unpaid is reported with its proof',
      `${told}, but ${attempt?.id} is ${JSON.stringify(attempt?.state)}`,
    );
  };
  onWritten.push((before, after, events) => {
    if (isSettling())
      for (const { id, state } of after.attempts)
        if (state.status === 'not_paid' && state.reason === 'settled') settled.add(id);
    for (const event of events) check(event, before, after);
  });
}

function read({ body }: NewEvent): { reason?: unknown; late?: unknown; needs_attention?: unknown } {
  return JSON.parse(body).data;
}

/** The attempt that a session waited for, otherwise its latest one. */
function awaitedBy(before: StoredOrder, after: StoredOrder, session: string): Attempt | undefined {
  const state = before.sessions.find(({ id }) => id === session)?.state;
  const awaited = state && 'attempt_id' in state ? state.attempt_id : undefined;
  const own = after.attempts.findLast(({ session_id }) => session_id === session);
  return after.attempts.find(({ id }) => id === awaited) ?? own;
}

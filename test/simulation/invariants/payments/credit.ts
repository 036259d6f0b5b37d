import { type Attempt, isUnsettled, wasSent } from '../../../../relay/payments/attempt.ts';
import { CLOCK_TOLERANCE_MS } from '../../../../relay/payments/settlement/records.ts';
import { repeatsOrder } from '../../world/gateway/answers.ts';
import type { Transaction } from '../../world/gateway/books.ts';
import type { Life } from '../../world/owner.ts';
import type { Scene } from '../../world/scene.ts';

/**
 * A payment is credited to the attempt that the gateway charged. If a relay cannot know which of several attempts a
 * record belongs to, it is credited to one of them.
 */
export function watchCredit({ world, gateway, relays, started, onWritten, approvedByPerson }: Scene): void {
  /** The transaction in the signed answer to each attempt, and the relay that received the answer. */
  const answered = new Map<string, { id: string; life: Life }>();
  /** The same, once that relay wrote it: before that no other relay knows it. */
  const named = new Map<string, string>();
  gateway.watch({
    received({ attempt, message, owner: { life }, received }) {
      if (attempt === undefined || received?.answer.kind !== 'answer' || received.answer.unsigned) return;
      const { transaction_id: id } = received.answer.message;
      if (repeatsOrder(received.answer.message, message) && typeof id === 'string') answered.set(attempt, { id, life });
    },
  });
  onWritten.push((_before, after) => {
    const writer = world.clock.owner()?.life;
    for (const { id, transaction_id } of after.attempts) {
      const answer = answered.get(id);
      if (answer && answer.id === transaction_id && answer.life === writer) named.set(id, answer.id);
    }
  });
  const isOwn = ({ id, transaction_id }: Attempt): boolean =>
    gateway.books.transactions.some((one) => one.id === transaction_id && one.attempt === id);
  /** True for an attempt whose own transaction is known by its signed answer. */
  const isNamed = (attempt: Attempt): boolean => isOwn(attempt) && named.get(attempt.id) === attempt.transaction_id;
  /** The same, or by its approval. */
  const hasAnother = (attempt: Attempt): boolean =>
    isNamed(attempt) || (isOwn(attempt) && attempt.state.status === 'approved');
  onWritten.push((before, after) => {
    if (after.payments === before.payments) return;
    const now = world.clock.now();
    for (const { transaction_id: id, attempt_id } of after.payments) {
      const one = gateway.books.transactions.find((transaction) => transaction.id === id);
      const isKnown = before.payments.some(({ transaction_id }) => transaction_id === id);
      const charged = before.attempts.find((attempt) => attempt.id === one?.attempt);
      if (!one || !charged || isKnown || approvedByPerson.has(id) || attempt_id === charged.id) continue;
      // A person reported this one as paid, and it is the first proof of that.
      if (before.payments.some((said) => said.attempt_id === attempt_id && said.proof === 'person')) continue;
      // Its record is dated before its attempt, or a clock that wrote the start of attempts was wrong.
      const isDated = isInTime(charged, one, now) && !relays.clocks.wereWrong(started);
      // According to its record, or because another record paid its attempt.
      const isPaid = after.payments.some((two) => two.attempt_id === charged.id && two.transaction_id !== id);
      if (named.get(charged.id) !== id && (!isDated || isPaid)) continue;
      // An approved attempt that is known to have another transaction may have several, too.
      const hasIts = charged.transaction_id === undefined || charged.transaction_id === id ? hasAnother : isNamed;
      const others = before.attempts.filter((other) => other !== charged && mayBe(other, one, now, hasIts));
      const isOnly = isUnsettled(charged) && !isPaid && !others.some(isUnsettled);
      const isCertain = charged.transaction_id === id || isOnly;
      if (!isCertain && others.some((other) => other.id === attempt_id)) continue;
      world.breach(
        'credit where it is due',
        `${id} of ${after.order_no} is credited to ${attempt_id}, not to ${one.attempt}`,
      );
    }
  });
}

/** True for an attempt that may have this transaction: nothing proves the contrary. */
function mayBe(attempt: Attempt, one: Transaction, now: number, isItsOwn: (attempt: Attempt) => boolean): boolean {
  const { amount, currency } = attempt;
  const isSum = amount === one.amount && currency === one.currency;
  return wasSent(attempt) && isSum && isInTime(attempt, one, now) && !isItsOwn(attempt);
}

/** A start in the future counts as now. */
function isInTime({ started_at }: Attempt, { read }: Transaction, now: number): boolean {
  return Math.min(Date.parse(started_at), now) <= read + CLOCK_TOLERANCE_MS;
}

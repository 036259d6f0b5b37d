import type { CardSecrets } from '../../shared/card-data/mask.ts';
import type { PayAnswer } from '../../shared/checkout/pay.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import { ProblemError, StoreError } from '../base/errors.ts';
import { traced } from '../base/log.ts';
import { type Committed, commitOrder, updateOrder } from '../commit/commit.ts';
import type { Account } from '../config/load.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { type Outcome, readOutcome } from '../gateway/outcome.ts';
import { applyAnswer, isOpenToAnswer } from '../payments/answer.ts';
import { type Attempt, isApm, type Quota } from '../payments/attempt.ts';
import { attemptOf, type StoredOrder, sessionOf } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { isConfirmedLate, isTooLateToSend, mayBeQueriedSince, noteWritten } from '../reconciliation/send-window.ts';
import { beginBeforeSending } from '../reconciliation/unsent.ts';
import type { PaymentMessage } from './message.ts';
import { payAnswer } from './pay-answer.ts';

/** The fields of a request that name the means of payment. */
export type PaymentMeans = {
  card?: string;
  token_id?: string;
  security_code?: string | undefined;
  payment_method?: string;
};

/** The stored values of an attempt before it is sent. */
type Begun = {
  /** The order as it was written with the attempt. */
  order: StoredOrder;
  attempt: Attempt;
  /** The quotas that count the attempt. They are released if nothing is sent. */
  quotas: readonly Quota[];
};

/** An attempt that is durable and ready to be sent. */
type Sending = Begun & {
  account: Account;
  body: PaymentMeans;
  /** Whether the payer has disconnected. Then nothing is sent. */
  hasHungUp: () => boolean;
} & PaymentMessage;

/** The answer to the payer, and the session and attempt as written, if they were written. */
export type SentAttempt = { answer: PayAnswer; written?: { order: StoredOrder; session: Session; attempt: Attempt } };

/** Stores an attempt by `begin`. If the store fails, the attempt is not sent. Throws StoreError. */
export function beginAttempt(
  context: Context,
  { attempt, quotas }: Begun,
  begin: () => Promise<Committed>,
): Promise<Committed> {
  const { account, order_no, started_at } = attempt;
  return beginBeforeSending(context, { ...aboutOf(attempt), account, order_no, started_at, quotas }, begin);
}

/** Sends an attempt and writes its outcome. Throws ProblemError if nothing was sent. */
export async function sendAttempt(context: Context, sending: Sending): Promise<SentAttempt> {
  const { account, attempt } = sending;
  const { outcome, ms } = await outcomeOf(context, sending);
  try {
    const order = await write(context, sending, outcome, ms);
    const written = {
      order,
      session: sessionOf(order, attempt.session_id),
      attempt: attemptOf(order, attempt.id),
    };
    return { answer: payAnswer(context, account, written), written };
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    // The gateway may have charged, so no answer reports a failure. The poller takes over if the outcome is not written
    // in time.
    const name = error instanceof Error ? error.name : 'unknown';
    const fields = { ...aboutOf(attempt), name: operationOf(attempt), ms, outcome: outcome.kind, error: name };
    context.log.error(fields, 'outcome not stored, will retry');
    if (error instanceof StoreError) writeLater(context, sending, outcome, ms);
    return { answer: { status: 'unknown' } };
  }
}

function writeLater(context: Context, { order, attempt, quotas }: Begun, outcome: Outcome, ms: number): void {
  // Only these fields, because the request also contains the card.
  const begun = { order, attempt, quotas };
  context.lateWrites.add(aboutOf(attempt), () => write(context, begun, outcome, ms));
}

/** The gateway's answer, and its duration in milliseconds. */
async function outcomeOf(context: Context, sending: Sending): Promise<{ outcome: Outcome; ms: number }> {
  const { account, attempt, operation, message, body, hasHungUp } = sending;
  const isOver = isConfirmedLate(context, attempt.id) && !(await isStillToSend(context, attempt));
  if (isOver || hasHungUp() || isTooLateToSend(context, attempt.id, attempt.started_at))
    return { outcome: { kind: 'not_sent' }, ms: 0 };
  const own = ownSecrets(body);
  const started = performance.now();
  const called = await traced(aboutOf(attempt), () => context.call(operation, account, message, own));
  const ms = Math.round(performance.now() - started);
  const { merchant_id, account_id } = account;
  const { order_no, amount, currency } = attempt;
  const expected = { merchant_id, account_id, order_no, amount, currency };
  return { outcome: readOutcome(called, expected, context.config.gateway.profile.codes, own), ms };
}

/**
 * Reads the order again. False if it was paid, a query found undecided records, the attempt was settled, or the store
 * fails. If the read takes long, the order is read once more, because it may have changed meanwhile.
 */
async function isStillToSend(context: Context, attempt: Attempt): Promise<boolean> {
  const { account, order_no, id, started_at } = attempt;
  try {
    for (;;) {
      const begun = context.monotonic();
      const order = await context.store.orders.get(account, order_no);
      if (order.hold === 'paid' || order.undecided || !isOpenToAnswer(attemptOf(order, id))) return false;
      if (!mayBeQueriedSince(context, begun)) return true;
      if (isTooLateToSend(context, id, started_at)) return false;
    }
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

/** Writes an outcome, in any state of its attempt, and returns the order. Throws StoreError. */
async function write(
  context: Context,
  { order, attempt, quotas }: Begun,
  outcome: Outcome,
  ms: number,
): Promise<StoredOrder> {
  const rules = rulesOf(context.config);
  const isUncounted = outcome.kind === 'not_sent' && quotas.length > 0;
  const more = isUncounted ? { uncounted: { quotas, at: attempt.started_at } } : {};
  // In nearly all cases the order was not written since the attempt began.
  const decision = applyAnswer(order, attempt.id, outcome, context.now(), rules);
  const written = await commitOrder(context, order, decision, more, attempt.session_id);
  const after =
    written.kind === 'written'
      ? written.order
      : await updateOrder(
          context,
          attempt,
          (current) => {
            // The write that records the attempt as not sent also gives back its quotas, once.
            const isKnown = outcome.kind === 'not_sent' && !isOpenToAnswer(attemptOf(current, attempt.id));
            return isKnown ? undefined : applyAnswer(current, attempt.id, outcome, context.now(), rules);
          },
          more,
        );
  noteWritten(context, attempt.id);
  logOutcome(context, attempt, outcome, { ms, session: sessionOf(after, attempt.session_id) });
  return after;
}

function logOutcome(
  context: Context,
  attempt: Attempt,
  outcome: Outcome,
  { ms, session }: { ms: number; session: Session },
): void {
  const name = operationOf(attempt);
  const reason = outcome.kind === 'unknown' ? outcome.reason : undefined;
  context.metrics.payment(attempt.account, name, outcome.kind, reason);
  const logged = { ...aboutOf(attempt), name, ms, outcome: outcome.kind, status: session.state.status };
  switch (outcome.kind) {
    case 'refused':
      context.log.warn({ ...logged, evidence: outcome.evidence }, 'gateway refused a payment message');
      return;
    case 'unknown':
      context.log.warn({ ...logged, reason: outcome.reason, evidence: outcome.evidence }, 'outcome unknown');
      return;
    default:
      context.log.info({ ...logged, ...transactionOf(outcome) }, 'payment answered');
  }
}

const aboutOf = ({ session_id, id }: Attempt) => ({ session: session_id, attempt: id });

function operationOf(attempt: Attempt): OperationName {
  return isApm(attempt) ? 'apm_payment' : 'direct_payment';
}

function transactionOf(outcome: Outcome): { transaction_id?: string } {
  return 'transaction_id' in outcome && outcome.transaction_id ? { transaction_id: outcome.transaction_id } : {};
}

/** The card data that the gateway may send back. */
export function ownSecrets({ card, security_code }: PaymentMeans): CardSecrets {
  return { ...(card ? { card } : {}), ...(security_code ? { security_code } : {}) };
}

import type { PayAnswer } from '../../shared/checkout/pay.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import { ProblemError, StoreError } from '../base/errors.ts';
import type { CardSecrets } from '../base/redact.ts';
import { traced } from '../base/trace.ts';
import type { Account } from '../config/load.ts';
import { type Outcome, readOutcome } from '../gateway/outcome.ts';
import { afterAnswer } from '../payments/after-answer.ts';
import { afterLook } from '../payments/after-look.ts';
import { type Attempt, type Session, wasLeft } from '../payments/session.ts';
import type { Change, Circumstances } from '../payments/transitions.ts';
import { commit } from '../reconciliation/commit.ts';
import { isTooLateToSend } from '../reconciliation/orphaned.ts';
import { writeLater } from '../reconciliation/unwritten.ts';
import type { Context } from '../store/context.ts';
import type { PaymentMessage } from './message.ts';
import { payAnswer } from './pay-answer.ts';

/** The card data of a request, and what else tells how it is paid. */
export type Cardholder = {
  card?: string;
  token_id?: string;
  security_code?: string | undefined;
  payment_method?: string;
};

/** An attempt that is durable and ready to be sent. */
export type Sending = {
  account: Account;
  /** The session as it stands in the store. */
  processing: Session;
  attempt: Attempt;
  body: Cardholder;
} & PaymentMessage;

/** What the payer hears, and the session and attempt as they are written. */
export type Sent = { answer: PayAnswer; session: Session; attempt: Attempt };

/** Sends an attempt and writes what became of it. Throws ProblemError when nothing was sent. */
export async function sendAttempt(context: Context, sending: Sending): Promise<Sent> {
  const { account, processing, attempt } = sending;
  const outcome = await outcomeOf(context, sending);
  const unknown: Sent = { answer: { status: 'unknown' }, session: processing, attempt };
  try {
    const written = await write(context, processing, attempt, outcome);
    // Where somebody else settled it meanwhile (the resolver, after a very long call), the store knows better.
    if (!written) return unknown;
    return { ...written.change, answer: payAnswer(context, account, written.change, written.attempts) };
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    // The gateway may have charged: nobody is told that it failed. The resolver takes over what is not written in time.
    const name = error instanceof Error ? error.name : 'unknown';
    const about = { session: processing.id, attempt: attempt.id };
    context.log.error({ ...about, outcome: outcome.kind, error: name }, 'outcome not stored');
    if (error instanceof StoreError) writeLater(context, about, () => write(context, processing, attempt, outcome));
    return unknown;
  }
}

async function outcomeOf(context: Context, { account, attempt, operation, message, body }: Sending): Promise<Outcome> {
  if (isTooLateToSend(context, attempt.started_at)) return { kind: 'not_sent' };
  const own = ownSecrets(body);
  const sent = { session: attempt.session_id, attempt: attempt.id };
  const called = await traced(sent, () => context.call(operation, account, message, own));
  const { merchant_id, account_id } = account;
  const { order_no, amount, currency } = attempt;
  const expected = { merchant_id, account_id, order_no, amount, currency };
  return readOutcome(called, expected, context.config.gateway.profile.codes, own);
}

type Written = { change: Change; attempts: readonly Attempt[] };

/** Writes an outcome. Undefined when somebody else was faster, and it proves nothing to them. Throws StoreError. */
async function write(
  context: Context,
  processing: Session,
  attempt: Attempt,
  outcome: Outcome,
): Promise<Written | undefined> {
  const { limits, resolve } = context.config;
  let written: Written | undefined;
  for (let before: Session | undefined = processing; before && !written; ) {
    const attempts = await context.store.attemptsOfOrder(processing.account, processing.order_no);
    const change = changeBy(before, attempt, outcome, { now: context.now(), attempts, limits, resolve });
    if (!change) break;
    if (await commit(context, before, change, attempts)) written = { change, attempts };
    else before = isProof(outcome) ? await context.store.session(processing.id) : undefined;
  }
  logOutcome(context, attempt, outcome, written !== undefined);
  return written;
}

/** What the gateway's own answer proves is as good as what a query would. */
function isProof({ kind }: Outcome): boolean {
  return kind === 'approved' || kind === 'declined' || kind === 'not_sent';
}

/** What an outcome changes, whoever took its attempt over meanwhile. Undefined where it changes nothing any more. */
function changeBy(session: Session, attempt: Attempt, outcome: Outcome, c: Circumstances): Change | undefined {
  const { state } = session;
  switch (state.status) {
    case 'processing':
    case 'unknown':
      return state.attempt_id === attempt.id ? afterAnswer(session, attempt, outcome, c) : undefined;
    case 'redirected':
      return undefined;
    default:
      return outcome.kind === 'approved' ? paidLate(session, attempt, outcome, c) : undefined;
  }
}

/** The gateway did not know the attempt for so long that it was left, and says now that it was paid. */
function paidLate(
  session: Session,
  { id }: Attempt,
  outcome: Extract<Outcome, { kind: 'approved' }>,
  c: Circumstances,
): Change | undefined {
  const left = c.attempts.find((one) => one.id === id && wasLeft(one));
  const { transaction_id } = outcome;
  // A look may have taken this transaction for another attempt's: it is no second payment then.
  const isKnown = c.attempts.some((one) => one.state.status === 'approved' && one.transaction_id === transaction_id);
  return left && !isKnown ? afterLook(session, left, outcome, 'notification', c) : undefined;
}

function logOutcome(context: Context, attempt: Attempt, outcome: Outcome, written: boolean): void {
  context.metrics.payment(operationOf(attempt), outcome.kind, outcome.kind === 'unknown' ? outcome.reason : undefined);
  const logged = { session: attempt.session_id, attempt: attempt.id, outcome: outcome.kind, written };
  switch (outcome.kind) {
    case 'refused':
      context.log.warn({ ...logged, evidence: outcome.evidence }, 'the gateway refused a payment message');
      return;
    case 'unknown':
      context.log.warn({ ...logged, reason: outcome.reason, evidence: outcome.evidence }, 'outcome unknown');
      return;
    default:
      context.log.info({ ...logged, ...transactionOf(outcome) }, 'payment answered');
  }
}

function operationOf({ method }: Attempt): OperationName {
  return method === 'card' || method === 'token' ? 'direct_payment' : 'apm_payment';
}

function transactionOf(outcome: Outcome): { transaction_id?: string } {
  return 'transaction_id' in outcome && outcome.transaction_id ? { transaction_id: outcome.transaction_id } : {};
}

function ownSecrets({ card, security_code }: Cardholder): CardSecrets {
  return { ...(card ? { card } : {}), ...(security_code ? { security_code } : {}) };
}

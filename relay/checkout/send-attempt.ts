import type { PayAnswer } from '../../shared/checkout/pay.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import type { Context } from '../context.ts';
import { ProblemError, StoreError } from '../errors.ts';
import { type Outcome, readOutcome } from '../gateway/outcome.ts';
import type { CardSecrets } from '../gateway/redact.ts';
import type { Account } from '../load-config.ts';
import { traced } from '../operating/trace.ts';
import { isTooLateToSend } from '../stranded.ts';
import { writeLater } from '../unwritten.ts';
import { afterAnswer } from './after-answer.ts';
import { commit } from './commit.ts';
import type { PaymentMessage } from './message.ts';
import { payAnswer } from './pay-answer.ts';
import type { Attempt, Session } from './session.ts';
import type { Change } from './transitions.ts';

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
    const change = afterAnswer(before, attempt, outcome, { now: context.now(), attempts, limits, resolve });
    if (await commit(context, before, change, attempts)) written = { change, attempts };
    else before = isProof(outcome) ? await takenOver(context, attempt) : undefined;
  }
  logOutcome(context, attempt, outcome, written !== undefined);
  return written;
}

/** What the gateway's own answer proves is as good as what a query would. */
function isProof({ kind }: Outcome): boolean {
  return kind === 'approved' || kind === 'declined' || kind === 'not_sent';
}

/** The session, if the resolver took it over and still looks for this attempt's outcome. */
async function takenOver(context: Context, { id, session_id }: Attempt): Promise<Session | undefined> {
  const session = await context.store.session(session_id);
  return session?.state.status === 'unknown' && session.state.attempt_id === id ? session : undefined;
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

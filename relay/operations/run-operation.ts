import { maskMessage } from '../../shared/card-data/message.ts';
import type { Metadata } from '../../shared/checkout/metadata.ts';
import { inCurrency, toMinor } from '../../shared/gateway/amounts.ts';
import type { EffectName } from '../../shared/gateway/operations.ts';
import type { RefundItem } from '../../shared/gateway/refund.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError, StoreError } from '../base/errors.ts';
import { notificationToken } from '../base/keys.ts';
import { traced } from '../base/log.ts';
import { commitOperation } from '../commit/commit.ts';
import { operationEvents } from '../commit/operation-events.ts';
import type { Account } from '../config/load.ts';
import { type Context, checkNotPaused, type Refunded } from '../context/context.ts';
import type { CallResult } from '../gateway/call.ts';
import { inProgress, type Reply, type Use } from '../http/idempotency/idempotency.ts';
import { reservationsOf } from '../payments/ledger/reservations.ts';
import { withFirstSearch } from '../payments/operations/after-refund-search.ts';
import { afterLateAnswer, readState } from '../payments/operations/answered-state.ts';
import type { StoredApproval } from '../payments/operations/approval.ts';
import { countedRefunds, refundItems } from '../payments/operations/counted-refunds.ts';
import { canBeSettled, type StoredOperation } from '../payments/operations/operation.ts';
import { lateRefund } from '../reconciliation/apply-search.ts';
import { orphanedBefore } from '../reconciliation/orphaned.ts';
import { refundsBefore } from '../reconciliation/refund-search.ts';
import { isBeingSent, isTooLateToSend, noteWritten } from '../reconciliation/send-window.ts';
import { beginBeforeSending } from '../reconciliation/unsent.ts';
import type { Answered } from '../store/facets/keys.ts';
import { checkLimits, movedBy } from './limits.ts';
import { paymentTerms } from './payment-terms.ts';
import { type FieldPath, refusalProblem } from './refusal-problem.ts';
import { DELAYED, earlierRefundFound, earlierRefundUnreported, givenReply, outcomeUnknown, replyOf } from './reply.ts';
import { orderNumbersIn } from './request.ts';

/** The inputs of an operation besides its message. */
export type OperationExtras = {
  /** The sum of earlier refunds that the client was shown, for a single refund. */
  refundedShown?: string | undefined;
  /** The shop's metadata, stored and never sent. */
  metadata?: Metadata | undefined;
  /**
   * The request of one person that another person approves, and that person's name. It is approved when the operation
   * begins.
   */
  approval?: { of: StoredApproval; by: string };
  /** Returns the path of an item's field in the request, if the request is no batch. */
  pathOf?: FieldPath;
};

/**
 * Sends an operation that changes something at the gateway, once. The operation is durable before the gateway is
 * called, and its outcome before this returns. The body's `references` are stored and not sent. Returns the answered or
 * finally refused operation. Throws ProblemError if nothing was sent, or if the outcome is unknown.
 */
export async function runOperation(
  context: Context,
  name: EffectName,
  body: Message,
  use: Use,
  extras: OperationExtras = {},
): Promise<StoredOperation> {
  checkNotPaused(context);
  const { references: _, ...asked } = body;
  const { account, audit, person } = use;
  const { approval, pathOf } = extras;
  if (person) checkLimits(person.limits, name, await movedBy(context, account.id, name, asked));
  const { operation, message, refunded } = await prepareOperation(context, name, body, use, extras);
  const { id } = operation;
  const action = approval ? 'approval.approve' : name;
  const entry = audit.entry({ action, subject: id, orders: orderNumbersIn(name, asked) });
  const terms = await paymentTerms(context, account.id, name, asked);
  const reservations = reservationsOf(name, asked, terms, refunded);
  const begun = await beginBeforeSending(context, { operation: id }, () =>
    context.store.operations.begin(operation, reservations, use.key, entry, approval && approved(approval, operation)),
  );
  if (begun.kind !== 'begun') throw refusalProblem(begun, operation, reservations, pathOf);
  audit.written();
  const called: CallResult = isTooLateToSend(context, id, operation.created_at)
    ? { kind: 'not_sent', detail: DELAYED }
    : await traced({ operation: id }, () => context.call(name, account, message));
  const state = readState({ name, message, as: account }, called, context.config.gateway.profile.codes, now(context));
  const read: StoredOperation = { ...operation, version: 2, state };
  const done = canBeSettled(read)
    ? withFirstSearch(read, context.now(), context.config.resolve)
    : { ...read, settled_at: now(context) };
  const reply = replyOf(done);
  await finish(context, operation, done, reply, use);
  if (reply instanceof ProblemError) throw reply;
  return done;
}

/** An operation that is about to begin, its message, and the sums that must still count as refunded of its payments. */
type PreparedOperation = { operation: StoredOperation; message: Message; refunded: Refunded | undefined };

/**
 * Prepares an operation, after a search for earlier refunds of its payments. Throws ProblemError if an earlier refund may be late, and
 * StoreError.
 */
async function prepareOperation(
  context: Context,
  name: EffectName,
  { references, ...asked }: Message,
  { account, by }: Pick<Use, 'account' | 'by'>,
  { refundedShown, metadata, approval }: OperationExtras,
): Promise<PreparedOperation> {
  const id = context.newId('op');
  const refunds = name === 'refund' ? refundItems(asked) : [];
  // Before the operation is durable, so that a relay that crashes during this search leaves nothing to settle.
  const searchedAt = context.now();
  const before = await refundsBefore(context, account, refunds);
  const late = before && (await lateRefund(context, account, refunds, before.shown, searchedAt));
  if (late?.kind === 'late')
    throw late.isThere ? earlierRefundFound(late.operation) : earlierRefundUnreported(late.operation);
  const message = name === 'payout' ? withNotifyUrl(context, account, id, asked) : asked;
  const operation: StoredOperation = {
    id,
    account: account.id,
    name,
    created_at: context.now().toISOString(),
    by,
    ...(approval ? { approved_by: approval.by } : {}),
    version: 1,
    ...(typeof asked.request_id === 'string' ? { request_id: asked.request_id.toLowerCase() } : {}),
    ...(Array.isArray(references) ? { references: references.map(String) } : {}),
    ...(metadata ? { metadata } : {}),
    request: maskMessage(asked),
    state: { status: 'in_flight' },
    ...(before?.lookup ? { lookup: before.lookup } : {}),
  };
  return { operation, message, refunded: shownRefunded(refunds, refundedShown) ?? late?.refunded };
}

/** The stored request, approved by the operation that begins now. */
function approved(
  { of, by }: NonNullable<OperationExtras['approval']>,
  { id, created_at }: StoredOperation,
): StoredApproval {
  return { ...of, version: of.version + 1, state: { status: 'approved', by, at: created_at, operation_id: id } };
}

/**
 * The sum of refunds that the client was shown for the payment; `-1n`, which equals no sum, if it is no amount of the
 * currency.
 */
function shownRefunded([item, ...others]: readonly RefundItem[], shown: string | undefined): Refunded | undefined {
  if (shown === undefined || !item || others.length > 0) return undefined;
  const { transaction_id, currency } = item;
  return new Map([[transaction_id, inCurrency(shown, currency) ? toMinor(shown, currency) : -1n]]);
}

/** An operation of an account. Throws ProblemError `not_found`, and StoreError. */
export async function operationOf(context: Context, account: Account, id: string): Promise<StoredOperation> {
  const operation = await context.store.operations.get(id);
  if (operation?.account === account.id) return operation;
  throw new ProblemError('not_found', 'This account has no operation with this id.');
}

/**
 * The reply to a repetition of an operation's request. Throws ProblemError.
 * @param replyTo returns the reply for an operation that is over or unknown; it throws ProblemError
 */
export async function replyAgain(
  context: Context,
  operation: StoredOperation,
  replyTo: (operation: StoredOperation) => Reply | Promise<Reply> = givenReply,
): Promise<Reply | 'again'> {
  if (operation.state.status === 'not_sent') return 'again';
  if (operation.state.status === 'in_flight' && !isOrphaned(context, operation)) throw inProgress(operation.id);
  return replyTo(operation);
}

function isOrphaned(context: Context, operation: StoredOperation): boolean {
  return operation.created_at <= orphanedBefore(context) && !isBeingSent(context, operation.id);
}

/** Writes the outcome of an operation. Throws ProblemError if a sent operation's outcome cannot be written now: it is written later. */
async function finish(
  context: Context,
  before: StoredOperation,
  operation: StoredOperation,
  reply: Reply | ProblemError,
  use: Use,
): Promise<void> {
  const { id, name, state } = operation;
  const logged = { operation: id, name, status: state.status, ...('reason' in state ? { reason: state.reason } : {}) };
  // Only the needed fields of `use`, because it also contains the request.
  const answered = reply instanceof ProblemError ? undefined : use.answered(reply);
  try {
    const written = await write(context, before, operation, answered);
    noteWritten(context, id);
    context.log.info({ ...logged, written }, 'operation answered');
  } catch (error) {
    const failure = error instanceof Error ? error.name : 'unknown';
    context.log.error({ ...logged, error: failure }, 'outcome of an operation not stored');
    if (error instanceof StoreError) {
      context.lateWrites.add({ operation: id }, () => write(context, before, operation, answered));
    }
    if (state.status !== 'not_sent') throw outcomeUnknown(id);
  }
}

/** Writes the answer. False if the outcome is already known in another way and the answer adds nothing. */
async function write(
  context: Context,
  before: StoredOperation,
  operation: StoredOperation,
  answered: Answered | undefined,
): Promise<boolean> {
  const written = await commitOperation(context, before, {
    operation,
    counted: countedRefunds(operation),
    answered,
    events: operationEvents(context, before, operation),
  });
  if (written) return true;
  const current = await context.store.operations.get(operation.id);
  const next = current && afterLateAnswer(current, operation, context.config.gateway.profile.codes, now(context));
  if (current && next) return write(context, current, next, answered);
  // A repetition of the request gets the same reply.
  if (answered) await context.store.keys.answer(answered);
  return false;
}

/** Adds the relay's own notify_url to a payout, unless the shop's request has one. */
function withNotifyUrl(context: Context, account: Account, id: string, message: Message): Message {
  if (message.notify_url !== undefined) return message;
  const notify_url = `${context.config.public_url}/notify/payout/${id}/${notificationToken(account, 'payout', id)}`;
  return { ...message, notify_url };
}

const now = (context: Context): string => context.now().toISOString();

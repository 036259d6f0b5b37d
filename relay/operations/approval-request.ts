import type { HeldAnswer } from '../../shared/api/approval.ts';
import type { AuditItem } from '../../shared/api/audit.ts';
import type { LimitedName } from '../../shared/api/console.ts';
import { maskMessage } from '../../shared/card-data/message.ts';
import { minorUnits, toMinor } from '../../shared/gateway/amounts.ts';
import type { EffectName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError } from '../base/errors.ts';
import { knownPayments } from '../commit/payment-answer.ts';
import { approvalsOf, sealedRequest } from '../context/approvals.ts';
import { type Context, checkNotPaused } from '../context/context.ts';
import { inProgress, jsonReply, type Reply, sameContent, type Use } from '../http/idempotency/idempotency.ts';
import { APPROVAL_MS, type StoredApproval } from '../payments/operations/approval.ts';
import { requestedItems } from '../payments/operations/audited.ts';
import { itemsOf } from '../payments/operations/operation.ts';
import { checkLimits, isLimited, type Moved, movedBy } from './limits.ts';
import { type FieldPath, refusalProblem } from './refusal-problem.ts';
import { orderNumbersIn } from './request.ts';
import type { OperationExtras } from './run-operation.ts';

/**
 * Stores a person's request that another person must approve, and returns its reply; undefined for an operation that is
 * sent at once. Nothing is reserved: the request is checked again at its approval. Throws ProblemError and StoreError.
 */
export async function holdForApproval(
  context: Context,
  name: EffectName,
  body: Message,
  use: Use,
  { refundedShown, metadata, pathOf }: OperationExtras = {},
): Promise<Reply | undefined> {
  const { account, by, person, key, audit } = use;
  const { approval: isOn, confirm_above = {} } = context.config.console;
  if (!isOn || !person || !isLimited(name)) return undefined;
  const { references, ...request } = body;
  const moved = await movedBy(context, account.id, name, request);
  if (!moved.some((one) => isAbove(one, confirm_above))) return undefined;
  checkNotPaused(context);
  checkLimits(person.limits, name, moved);
  if (!sameContent(maskMessage(request), request)) {
    throw new ProblemError(
      'invalid_request',
      'A request that another person must approve must not have a card number.',
    );
  }
  await checkLeft(context, account.id, name, request, pathOf);
  const now = context.now();
  // A cancellation concerns the whole payment, whatever amount the request has.
  const requested = requestedItems({ name, request });
  const isKnown = name !== 'cancel' || moved.every(({ amount }) => amount !== undefined);
  const items = isKnown ? requested : requested.map(({ amount: _, ...item }) => item);
  await checkNoOtherWaits(context, account.id, name, items);
  const approval: StoredApproval = {
    ...{ id: context.newId('ap'), account: account.id, name, by, version: 1, items },
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + APPROVAL_MS).toISOString(),
    sealed: sealedRequest(account, {
      request,
      ...(Array.isArray(references) ? { references: references.map(String) } : {}),
      ...(metadata ? { metadata } : {}),
      ...(refundedShown === undefined ? {} : { shown: refundedShown }),
    }),
    state: { status: 'waiting' },
  };
  const { id, expires_at } = approval;
  const reply = jsonReply(202, { approval: { id, expires_at } } satisfies HeldAnswer);
  const entry = audit.entry({ action: 'approval.request', subject: id, orders: orderNumbersIn(name, request), items });
  const isAdded = await context.store.approvals.add(approval, key, { answered: use.answered(reply), audit: entry });
  if (!isAdded) throw inProgress();
  audit.written();
  context.log.info({ name, by }, 'operation waits for approval');
  return reply;
}

/** Refuses a second request for the same payment: both could be approved. Throws ProblemError and StoreError. */
async function checkNoOtherWaits(
  context: Context,
  account: string,
  name: LimitedName,
  items: readonly AuditItem[],
): Promise<void> {
  const ids = new Set(items.flatMap(({ transaction_id }) => transaction_id ?? []));
  const other = (await approvalsOf(context, account)).find(
    ({ approval, standing }) =>
      standing === 'waiting' &&
      approval.name === name &&
      approval.items.some(({ transaction_id }) => transaction_id !== undefined && ids.has(transaction_id)),
  );
  if (!other) return;
  const { id, by } = other.approval;
  throw new ProblemError(
    'approval_waiting',
    `${by} asked for a ${name} of this payment already (${id}). Wait until that is decided, or withdraw it.`,
    { mayLift: true },
  );
}

/** Whether the amount is above the threshold. An unknown amount is. */
function isAbove({ currency, amount }: Moved, above: Readonly<Record<string, string>>): boolean {
  if (amount === undefined) return true;
  const threshold = above[currency];
  return threshold !== undefined && amount > toMinor(threshold, currency);
}

/** Refuses amounts above what can be refunded or captured now, of payments that the relay knows. Throws ProblemError. */
async function checkLeft(
  context: Context,
  account: string,
  name: LimitedName,
  request: Message,
  pathOf: FieldPath | undefined,
): Promise<void> {
  if (name === 'payout') return;
  const items = itemsOf({ name, request }).map((item) => {
    const [transaction_id, currency] = [String(item.transaction_id), String(item.currency)];
    const amount = minorUnits(String(name === 'refund' ? item.refund_amount : item.amount), currency);
    return { transaction_id, currency, amount };
  });
  const ids = [...new Set(items.map(({ transaction_id }) => transaction_id))];
  for (const payment of await knownPayments(context, account, ids)) {
    const { transaction_id, currency, refundable, capturable } = payment;
    if (name === 'cancel') {
      const amount = minorUnits(payment.amount, currency);
      const item = items.findIndex((one) => one.transaction_id === transaction_id && one.amount !== amount);
      const reservations = items.map((one) => ({ ...one, name: 'cancel' as const }));
      if (item >= 0) throw refusalProblem({ kind: 'amount_differs', item, amount }, { name }, reservations, pathOf);
      continue;
    }
    const left = minorUnits(name === 'refund' ? refundable : capturable, currency);
    const own = items.filter((item) => item.transaction_id === transaction_id);
    if (own.reduce((sum, { amount }) => sum + amount, 0n) <= left) continue;
    const item = items.findIndex((one) => one.transaction_id === transaction_id);
    const reservations = items.map((one) => ({ ...one, name: 'capture' as const }));
    throw refusalProblem({ kind: `${name}_exceeds_payment`, item, left }, { name }, reservations, pathOf);
  }
}

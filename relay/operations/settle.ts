import type { SettleBody } from '../../shared/api/operation.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import type { FieldError } from '../../shared/checkout/problem.ts';
import { counted } from '../../shared/messages/field-messages.ts';
import { ProblemError } from '../base/errors.ts';
import { commitOperation } from '../commit/commit.ts';
import { operationEvents } from '../commit/operation-events.ts';
import type { Context } from '../context/context.ts';
import type { Use } from '../http/idempotency/idempotency.ts';
import { settledBy } from '../payments/operations/after-refund-search.ts';
import { auditedOf } from '../payments/operations/audited.ts';
import { countedRefunds } from '../payments/operations/counted-refunds.ts';
import { canBeSettled, type ItemOutcome, itemsOf, type StoredOperation } from '../payments/operations/operation.ts';
import type { Answered } from '../store/facets/keys.ts';
import { orderNumbersIn } from './request.ts';

/**
 * Settles an operation with an unknown outcome by a person's decision. Outcomes that the gateway reported stay. Nothing
 * is sent. Throws ProblemError if the outcome is known, or if the items do not match.
 * @param use the person
 * @param answered returns the reply for the settled operation, which is stored under the request's key
 */
export async function settle(
  context: Context,
  operation: StoredOperation,
  body: SettleBody,
  use: Pick<Use, 'by' | 'audit'>,
  answered: (settled: StoredOperation) => Answered | undefined = () => undefined,
): Promise<StoredOperation> {
  const { state, request } = operation;
  const who = use.by;
  if (!canBeSettled(operation)) {
    throw new ProblemError(
      operation.state.status === 'in_flight' ? 'in_progress' : 'operation_not_unknown',
      'Only an operation whose outcome is unknown can be settled. Look at GET /v1/operations/:id.',
      { operation_id: operation.id },
    );
  }
  const known = state.status === 'answered' ? state.items : itemsOf(operation).map((): ItemOutcome => 'unknown');
  const items = settledItems(known, body);
  const settled: StoredOperation = {
    ...operation,
    version: operation.version + 1,
    settled_at: context.now().toISOString(),
    state: settledBy(state, {
      by: 'person',
      who,
      items,
      ...(body.note === undefined ? {} : { note: maskText(body.note) }),
    }),
  };
  const events = operationEvents(context, operation, settled);
  const audit = use.audit.entry({
    action: 'operation.settle',
    subject: operation.id,
    orders: orderNumbersIn(operation.name, request),
    ...auditedOf(settled),
  });
  const finish = { operation: settled, counted: countedRefunds(settled), events, audit, answered: answered(settled) };
  if (!(await commitOperation(context, operation, finish))) {
    // If only a search has changed the operation, its outcome is still unknown.
    const current = await context.store.operations.get(operation.id);
    if (current && canBeSettled(current)) return settle(context, current, body, use, answered);
    throw new ProblemError('operation_not_unknown', 'This operation became known meanwhile.', {
      operation_id: operation.id,
    });
  }
  use.audit.written();
  context.log.info({ operation: operation.id, by: who, items: items.join(' ') }, 'operation settled by a person');
  return settled;
}

/** The outcome of each item. For an item with a known outcome, the decision must be the same. */
function settledItems(known: readonly ItemOutcome[], { outcome, items }: SettleBody): ItemOutcome[] {
  const errors: FieldError[] = [];
  if (items && items.length !== known.length) {
    errors.push({
      path: 'items',
      message: `must have ${counted(known.length, 'array')}, one for each item of the operation`,
    });
  }
  for (const [at, item] of known.entries()) {
    const said = items?.[at];
    if (item !== 'unknown' && said !== undefined && said !== item) {
      errors.push({ path: `items.${at}`, message: `the gateway said that this item ${item}` });
    }
  }
  if (errors.length > 0) throw new ProblemError('invalid_request', 'Correct the items that are named.', { errors });
  return known.map((item, at) => (item === 'unknown' ? (items?.[at] ?? outcome) : item));
}

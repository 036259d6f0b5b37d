import type { z } from 'zod';
import { paymentVerdicts, settlePayment } from '../../../shared/api/order-payment.ts';
import { sessionVerdicts, settleSession } from '../../../shared/api/session.ts';
import { identifier } from '../../../shared/gateway/text.ts';
import { fieldMessage } from '../../../shared/messages/field-messages.ts';
import { type CellProblem, type Item, inOrder, item, type SettleLayout, textProblems } from '../file/layout.ts';

/** The decisions: about what an order has undecided, and about a payment. */
export const decisions: readonly string[] = [...sessionVerdicts, ...paymentVerdicts];

/** Whether a decision is about a payment. */
export function isOfPayment(decision: string | undefined): boolean {
  return paymentVerdicts.some((verdict) => verdict === decision);
}

/** The cell of an item that is looked up: the session through which an order is decided. */
export const SESSION = 'session_id';

/** The cell of an item that is looked up: what is undecided, so that nothing else is decided later. */
export const UNDECIDED = 'undecided';

const columns = ['order_no', 'decision', 'transaction_id', 'amount', 'currency', 'note'];

/** The layout of a file of decisions. */
export const settleLayout: SettleLayout = {
  name: 'settle',
  limit: 1,
  columns,
  required: ['order_no', 'decision', 'note'],
  fromOrder: [],
  read(cells, reference) {
    const problems = [...textProblems(cells, reference), ...problemsOf(cells)];
    return problems.length > 0
      ? { ok: false, problems }
      : { ok: true, item: inOrder([...columns, SESSION, UNDECIDED], item.parse(cells)) };
  },
};

function problemsOf(cells: Readonly<Record<string, string>>): CellProblem[] {
  const { decision } = cells;
  const order = identifier.safeParse(cells.order_no, { error: fieldMessage });
  const found = (order.error?.issues ?? []).map(({ message }) => ({ column: 'order_no', message }));
  if (decision === undefined || !decisions.includes(decision)) {
    return [...found, { column: 'decision', message: `must be ${decisions.join(', ')}` }];
  }
  const parsed = isOfPayment(decision)
    ? settlePayment.safeParse(bodyOf(cells), { error: fieldMessage })
    : settleSession.safeParse(bodyOf(cells), { error: fieldMessage });
  return [...found, ...(parsed.error?.issues ?? []).flatMap((issue) => cellProblems(issue, decision))];
}

function cellProblems(issue: z.core.$ZodIssue, decision: string): CellProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((column) => ({ column, message: `must be empty for ${decision}` }));
  }
  const { path, message } = issue;
  return [{ column: path.join('.'), message: message === 'is missing' ? 'must not be empty' : message }];
}

/** The body that carries the decision of an item to the relay. */
export function bodyOf(cells: Item): Record<string, string> {
  const {
    order_no: _order,
    decision: outcome = '',
    [SESSION]: _session,
    [UNDECIDED]: _undecided,
    transaction_id,
    ...rest
  } = cells;
  const isNamed = transaction_id !== undefined && !isOfPayment(outcome);
  return { outcome, ...rest, ...(isNamed ? { transaction_id } : {}) };
}

/** What a decision is about. A file may decide it once. */
export function subjectOf({ order_no = '', decision, transaction_id = '' }: Item): string {
  return JSON.stringify(isOfPayment(decision) ? [order_no, transaction_id] : [order_no]);
}

import type { z } from 'zod';
import { settleBody } from '../../../shared/api/operation.ts';
import { paymentVerdicts, settlePayment } from '../../../shared/api/order-payment.ts';
import { sessionVerdicts, settleSession } from '../../../shared/api/session.ts';
import { identifier } from '../../../shared/gateway/text.ts';
import { fieldMessage } from '../../../shared/messages/field-messages.ts';
import { list } from '../../base/options.ts';
import { type CellProblem, type Item, inOrder, item, type SettleLayout, textProblems } from '../file/layout.ts';

/** The decisions about an operation. */
export const operationDecisions: readonly string[] = settleBody.shape.outcome.options;

/** The decisions: about the undecided attempts of an order, a payment, or an operation. */
export const decisions: readonly string[] = [...sessionVerdicts, ...paymentVerdicts, ...operationDecisions];

/** Whether a decision is about a payment. */
export function isOfPayment(decision: string | undefined): boolean {
  return paymentVerdicts.some((verdict) => verdict === decision);
}

/** Whether a decision is about an operation. */
export function isOfOperation(decision: string | undefined): boolean {
  return operationDecisions.some((verdict) => verdict === decision);
}

/** A cell that is looked up, not read from the file: the session to which the decision of an order is sent. */
export const SESSION = 'session_id';

/** A cell that is looked up, not read from the file: what was undecided. A later change of it stops the decision. */
export const UNDECIDED = 'undecided';

const columns = ['order_no', 'operation_id', 'decision', 'transaction_id', 'amount', 'currency', 'items', 'note'];

/** The layout of a file of decisions. */
export const settleLayout: SettleLayout = {
  name: 'settle',
  limit: 1,
  columns,
  required: ['decision', 'note'],
  fromOrder: [],
  oneOf: ['order_no', 'operation_id'],
  read(cells, reference) {
    const problems = [...textProblems(cells, reference), ...problemsOf(cells)];
    return problems.length > 0
      ? { ok: false, problems }
      : { ok: true, item: inOrder([...columns, SESSION, UNDECIDED], item.parse(cells)) };
  },
};

function problemsOf(cells: Readonly<Record<string, string>>): CellProblem[] {
  const { decision = '' } = cells;
  const named = subjectColumn(cells);
  const [other = ''] = settleLayout.oneOf.filter((column) => column !== named);
  const subject = identifier.safeParse(cells[named] ?? '', { error: fieldMessage });
  const found: CellProblem[] = (subject.error?.issues ?? []).map(({ message }) => ({ column: named, message }));
  if (!decisions.includes(decision)) {
    return [...found, { column: 'decision', message: `must be ${decisions.join(', ')}` }];
  }
  if (cells[other]) found.push({ column: other, message: `must be empty for ${decision}` });
  // The relay accepts the decision of an operation without a note, but a later run recognises a decision only by its note.
  if (isOfOperation(decision) && !cells.note?.trim()) found.push({ column: 'note', message: 'must not be empty' });
  const parsed = schemaOf(decision).safeParse(bodyOf(cells), { error: fieldMessage });
  return [...found, ...(parsed.error?.issues ?? []).flatMap((issue) => cellProblems(issue, decision))];
}

function schemaOf(decision: string): z.ZodType {
  if (isOfOperation(decision)) return settleBody;
  return isOfPayment(decision) ? settlePayment : settleSession;
}

function cellProblems(issue: z.core.$ZodIssue, decision: string): CellProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((column) => ({ column, message: `must be empty for ${decision}` }));
  }
  const { path, message } = issue;
  const [column = ''] = path.map(String);
  return [{ column, message: message === 'is missing' ? 'must not be empty' : message }];
}

/** The body that carries the decision of an item to the relay. */
export function bodyOf(cells: Item): Record<string, string | string[]> {
  const {
    order_no: _order,
    operation_id: _operation,
    decision: outcome = '',
    [SESSION]: _session,
    [UNDECIDED]: _undecided,
    transaction_id,
    items,
    ...rest
  } = cells;
  const isNamed = transaction_id !== undefined && !isOfPayment(outcome);
  return {
    outcome,
    ...rest,
    ...(isNamed ? { transaction_id } : {}),
    ...(items === undefined ? {} : { items: list.parse(items) }),
  };
}

/** The column that names the subject of a decision. */
export function subjectColumn({ decision }: Item): 'order_no' | 'operation_id' {
  return isOfOperation(decision) ? 'operation_id' : 'order_no';
}

/** Identifies the subject of a decision. A file may have only one decision for it. */
export function subjectOf({ order_no = '', operation_id = '', decision, transaction_id = '' }: Item): string {
  if (isOfOperation(decision)) return JSON.stringify(['', operation_id]);
  return JSON.stringify(isOfPayment(decision) ? [order_no, transaction_id] : [order_no]);
}

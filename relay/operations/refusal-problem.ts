import { fromMinor } from '../../shared/gateway/amounts.ts';
import { type Operation, type OperationName, operations } from '../../shared/gateway/operations.ts';
import { ProblemError } from '../base/errors.ts';
import { otherFormProblem } from '../context/transaction-form-problem.ts';
import { inProgress } from '../http/idempotency/idempotency.ts';
import type { Reservation } from '../payments/ledger/accounting.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import type { Begun } from '../store/facets/operations.ts';

/** The fields of an item that can cause a refusal. */
type ItemField = 'transaction_id' | 'currency' | 'amount' | 'refund_amount' | 'reference';

/** The path of a field of the item with this number in the request. */
export type FieldPath = (field: ItemField, item: number) => string;

const inBatch =
  (name: OperationName): FieldPath =>
  (field, item) => {
    const { batch }: Operation = operations[name];
    return field === 'reference' ? `references.${item}` : `${batch?.list}.${item}.${field}`;
  };

/** The problem if another person decided about the request first. */
export function decidedMeanwhile(): ProblemError {
  return new ProblemError('approval_over', 'Another person decided about this request meanwhile. Read it again.');
}

/**
 * The problem of an operation that must not begin.
 * @param items the requested items of each payment
 * @param pathOf returns the path of an item's field in the request
 */
export function refusalProblem(
  begun: Exclude<Begun, { kind: 'begun' }>,
  { name }: Pick<StoredOperation, 'name'>,
  items: readonly Reservation[],
  pathOf: FieldPath = inBatch(name),
): ProblemError {
  const atMost = (item: number, field: ItemField, left: bigint) => {
    const amount = fromMinor(left, items[item]?.currency ?? '');
    return { amount, errors: [{ path: pathOf(field, item), message: `must not be more than ${amount}` }] };
  };
  switch (begun.kind) {
    case 'request_id_used':
      return begun.id === undefined
        ? new ProblemError(
            'request_id_used',
            'Use a new request_id for a new payout. The payout that had this one is no longer kept.',
          )
        : new ProblemError(
            'request_id_used',
            `Use a new request_id for a new payout, or read the one that has it: GET /v1/operations/${begun.id}.`,
            { operation_id: begun.id },
          );
    case 'reference_used': {
      const { id, item } = begun;
      return new ProblemError(
        'reference_used',
        `Read the outcome of the item that has this reference: GET /v1/operations/${id}. Use a new reference for a new item.`,
        { operation_id: id, errors: [{ path: pathOf('reference', item), message: `is that of an item of ${id}` }] },
      );
    }
    case 'key_lost':
      return inProgress();
    case 'approval_changed':
      return decidedMeanwhile();
    case 'other_form':
      return otherFormProblem(pathOf('transaction_id', begun.item), begun.known);
    case 'currency_differs':
      return new ProblemError('currency_differs', `This payment was made in ${begun.currency}.`, {
        errors: [{ path: pathOf('currency', begun.item), message: `must be ${begun.currency}` }],
        mayLift: true,
      });
    case 'amount_differs': {
      const amount = fromMinor(begun.amount, items[begun.item]?.currency ?? '');
      return new ProblemError('amount_differs', `This payment is of ${amount}.`, {
        errors: [{ path: pathOf('amount', begun.item), message: `must be ${amount}` }],
        mayLift: true,
      });
    }
    case 'refunded_meanwhile':
      return new ProblemError('refund_exceeds_payment', 'This payment was refunded meanwhile. Look again.');
    case 'refund_exceeds_payment': {
      const { amount, errors } = atMost(begun.item, 'refund_amount', begun.left);
      return new ProblemError('refund_exceeds_payment', `${amount} of this payment can still be refunded.`, { errors });
    }
    case 'capture_exceeds_payment': {
      const { amount, errors } = atMost(begun.item, 'amount', begun.left);
      return new ProblemError('capture_exceeds_payment', `${amount} of this payment can still be captured.`, {
        errors,
      });
    }
    case 'nothing_to_capture':
    case 'payment_cancelled':
    case 'payment_rejected':
    case 'payment_reversed':
    case 'payment_held':
      return new ProblemError(begun.kind, detailOf[begun.kind], {
        errors: [{ path: pathOf('transaction_id', begun.item), message: detailOf[begun.kind] }],
      });
    case 'operation_undecided': {
      const [first = ''] = begun.ids;
      const detail = `The gateway may have done another operation on this payment: read GET /v1/operations/${first} until its outcome is known. If the gateway refused it, try again later.`;
      return new ProblemError('operation_undecided', detail, {
        operation_ids: begun.ids,
        errors: [{ path: pathOf('transaction_id', begun.item), message: `waits for ${begun.ids.join(', ')}` }],
      });
    }
  }
}

const detailOf = {
  nothing_to_capture: 'This payment was captured with its approval.',
  payment_cancelled: 'This payment is cancelled.',
  payment_rejected: 'A review rejected this payment.',
  payment_reversed: 'The gateway’s record says that this payment was charged back or declined after its approval.',
  payment_held: 'This payment waits for a review: accept it first.',
};

import { isRefund, type Reservation } from '../../../payments/ledger/accounting.ts';
import type { StoredApproval } from '../../../payments/operations/approval.ts';
import {
  hadNoEffect,
  heldRequestId,
  needsPerson,
  nextSearchAt,
  type StoredOperation,
  searchPlannedAt,
} from '../../../payments/operations/operation.ts';
import type { Claim } from '../../facets/keys.ts';
import type { Finish, OrderAsRead } from '../../facets/operations.ts';
import type { StoredAuditEntry } from '../../facets/people.ts';
import { later } from '../../leases.ts';
import { newEventRows } from '../../rows.ts';
import { auditRows } from '../appends.ts';
import type { beginParameters, finishParameters } from '../schema/operation-procedures.ts';
import type { ValuesOf } from '../schema/parameters.ts';

/** An operation to begin, with the payments of its items as they were read. An unknown payment has a `form`. */
export type Beginning = {
  operation: StoredOperation;
  items: readonly Reservation[];
  payments: readonly { transaction_id: string; form?: string; asRead: PaymentAsRead }[];
  key: Claim | undefined;
  audit: StoredAuditEntry | undefined;
  approval: StoredApproval | undefined;
};

/** The end of an operation, and the milliseconds by which the server's clock is ahead of its writer's. */
export type TimedFinish = Finish & { ahead: number };

/**
 * The server's data about a payment: the sum of its stored refunds, and a text that changes with every input of the
 * rules.
 */
export type PaymentAsRead = { sum: unknown; original: unknown; currency: unknown; state: unknown };

/** The values of the call that begins operations. */
export function beginValues(batch: readonly Beginning[], lockMs: number): ValuesOf<typeof beginParameters> {
  const operations = batch.map(({ operation, approval }) => {
    const { id, account, request_id, created_at, version, state } = operation;
    return {
      ...{ id, account, request_id, created_at, version, status: state.status, data: JSON.stringify(operation) },
      ...(approval && {
        ...{ approval: approval.id, approval_version: approval.version, approval_data: JSON.stringify(approval) },
      }),
    };
  });
  const payments = batch.flatMap(({ operation: { account }, payments }) =>
    payments.map(({ transaction_id, form, asRead }) => ({ account, transaction_id, form, ...asRead })),
  );
  const refunds = batch.flatMap(({ operation: { id, account }, items }) =>
    items.filter(isRefund).map(({ transaction_id, currency, amount, original }, item) => ({
      ...{ operation_id: id, item, account, transaction_id, currency },
      ...{ amount: String(amount), original: String(original) },
    })),
  );
  const leads = batch.flatMap(({ operation, key }) =>
    key ? [{ ...key, earlier: undefined, subject: operation.id }] : [],
  );
  const named = batch.flatMap(({ operation }) => referenceRows(operation));
  const audits = auditRows(batch.map(({ audit }) => audit));
  return { lock_ms: lockMs, jobs: batch.length, operations, payments, refunds, leads, named, audits };
}

/** The values of the call that writes the results of operations. */
export function finishValues(batch: readonly TimedFinish[], lockMs: number): ValuesOf<typeof finishParameters> {
  const operations = batch.map(({ operation, orders = [], ahead }) => ({
    ...{ id: operation.id, version: operation.version, status: operation.state.status },
    request_id: heldRequestId(operation),
    ...planOf(operation, ahead),
    needs_person: needsPerson(operation),
    data: JSON.stringify(operation),
    ...(orders.length > 0
      ? { orders: orders.toSorted(byNumber).map(({ due, ...order }) => ({ ...order, ...dueOf(due, ahead) })) }
      : {}),
  }));
  const recounted = batch.flatMap(({ operation: { id }, counted = [] }) =>
    counted.map((counts, item) => ({ operation_id: id, item, counts })),
  );
  const freed = batch.flatMap(({ operation: { id, account, request_id }, operation }) =>
    request_id !== undefined && heldRequestId(operation) === undefined
      ? [{ account, request_id, operation_id: id }]
      : [],
  );
  const answers = batch.flatMap(({ answered }) => answered ?? []);
  const unnamed = batch.flatMap(({ operation }) => (hadNoEffect(operation) ? referenceRows(operation) : []));
  const events = batch.flatMap(({ events }) => events.flatMap(newEventRows));
  const audits = auditRows(batch.map(({ audit }) => audit));
  return { lock_ms: lockMs, jobs: batch.length, operations, recounted, answers, freed, events, unnamed, audits };
}

/** Sorted, so that no two relays wait for each other. */
function byNumber({ order_no: one }: OrderAsRead, { order_no: other }: OrderAsRead): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function dueOf(due: string | undefined, ahead: number): { due?: string } {
  return due === undefined ? {} : { due: later(due, ahead) };
}

/** The time of the next search, and the time at which it was planned. */
function planOf(operation: StoredOperation, ahead: number): { next_look_at?: string; planned_at?: string } {
  const [next, planned] = [nextSearchAt(operation), searchPlannedAt(operation)];
  if (next === undefined || planned === undefined) return next === undefined ? {} : { next_look_at: next };
  return { next_look_at: later(next, ahead), planned_at: later(planned, ahead) };
}

function referenceRows({ id, account, name, references = [] }: StoredOperation): object[] {
  return references.map((reference) => ({ account, name, reference, operation_id: id }));
}

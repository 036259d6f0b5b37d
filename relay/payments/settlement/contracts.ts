import type { OrderRecord } from '../../../shared/gateway/query.ts';
import { identifierIn } from '../../gateway/outcome.ts';
import { wasSent } from '../attempt.ts';
import { methodOf } from '../ledger/ledger.ts';
import { type ContractCharge, isRenewal, type OrderPayment, type PaymentRules, type StoredOrder } from '../order.ts';
import type { Settler } from '../session.ts';
import { type ContractEvent, type Decision, startDecision, withOrder } from '../transitions.ts';
import { isLaterCharge } from './match.ts';
import { paymentOf, proofOf } from './proof.ts';
import { type BookRecord, readRecords } from './records.ts';

/** A later charge that a query's record shows, whatever its order_no. */
export type ShownCharge = { charge: Omit<ContractCharge, 'told_at'>; record: BookRecord };

/**
 * The later charges among these records, approved or declined, oldest first, of the contracts that the order's payments began. Records
 * of the order's attempts and payments are left out, and records without an order number or a date.
 */
export function chargesIn(order: StoredOrder, records: readonly OrderRecord[], rules: PaymentRules): ShownCharge[] {
  if (order.payments.every(({ recurring_id }) => recurring_id === undefined)) return [];
  const numbers = [...new Set(records.flatMap(({ order_no }) => identifierIn(order_no) ?? []))];
  return numbers
    .flatMap((orderNo) => readRecords(orderNo, records, rules).flatMap((record) => chargeOf(order, orderNo, record)))
    .toSorted((a, b) => Date.parse(a.charge.date) - Date.parse(b.charge.date));
}

function chargeOf(order: StoredOrder, orderNo: string, record: BookRecord): ShownCharge[] {
  const { meaning, transaction_id, recurring_id, date, amount, currency, payment_status, decline_reason } = record;
  if (meaning !== 'approved' && meaning !== 'declined') return [];
  if (transaction_id === undefined || recurring_id === undefined || date === undefined) return [];
  if (!isLaterCharge(order, record) || isBound(order, transaction_id)) return [];
  const charge = {
    ...{ transaction_id, recurring_id, order_no: orderNo, amount, currency, date: new Date(date).toISOString() },
    ...(meaning === 'declined' ? { failed: { code: payment_status, message: decline_reason } } : {}),
  };
  return [{ charge, record }];
}

/** True for a transaction of an attempt of the order, or of its payment that is no later charge. */
export function isBound({ attempts, payments }: StoredOrder, id: string): boolean {
  return (
    payments.some((payment) => payment.transaction_id === id && !isRenewal(payment)) ||
    attempts.some((one) => wasSent(one) && [one.transaction_id, one.signed_id, one.other_id].includes(id))
  );
}

/** The number of failed charges of a contract since its last successful one, by the dates of their records. */
export function failuresOf(charges: readonly ContractCharge[] | undefined, recurringId: string): number {
  return failedSince(charges, recurringId).length;
}

/**
 * The last charge of each contract that failed, while none has succeeded since and no person is done with it. `since` is when the first
 * one failed in a row.
 */
export function failingContracts({
  charges = [],
}: Pick<StoredOrder, 'charges'>): { last: ContractCharge; since: string }[] {
  return [...new Set(charges.map(({ recurring_id }) => recurring_id))].flatMap((id) => {
    const failed = failedSince(charges, id);
    const [first, last] = [failed.find(({ acknowledged }) => !acknowledged), failed.at(-1)];
    return first && last ? [{ last, since: first.date }] : [];
  });
}

/**
 * A person acknowledges the charges of a contract that failed since the last successful one: they need no attention any more. Undefined if
 * none needs it.
 */
export function acknowledgeFailures(order: StoredOrder, recurringId: string, by: Settler): Decision | undefined {
  const { charges = [] } = order;
  const open = failedSince(charges, recurringId).filter(({ acknowledged }) => !acknowledged);
  if (open.length === 0) return undefined;
  return withOrder(startDecision(order), {
    charges: charges.map((one) => (open.includes(one) ? { ...one, acknowledged: by } : one)),
  });
}

/** The failed charges of a contract since its last successful one, by the dates of their records, the oldest first. */
export function failedSince(charges: readonly ContractCharge[] = [], recurringId: string): ContractCharge[] {
  const own = charges
    .filter(({ recurring_id }) => recurring_id === recurringId)
    .toSorted((a, b) => Date.parse(a.date) - Date.parse(b.date));
  return own.slice(own.findLastIndex(({ failed }) => failed === undefined) + 1);
}

/**
 * The decision about the order whose payment began the contracts, with these charges noted. Each new failed charge causes its webhook. A
 * new successful charge pays this order again if it has its number. A failed charge may succeed later, not the reverse. `failures` in these
 * webhooks counts all charges that are noted then.
 */
export function noteCharges(before: Decision, all: readonly ShownCharge[], now: Date): Decision {
  const { order } = before;
  // The order was found by the payment that began the contract, and may have lost that payment since.
  const shown = all.filter(({ charge }) => contractPaymentIn(order, charge.recurring_id) !== undefined);
  const first = withNotedCharges(order, shown, now);
  if (first === order) return before;
  const isNew = ({ charge }: ShownCharge): boolean => !isNoted(order, charge);
  const kept = shown.filter(isNew).filter(({ charge }) => isKept(first, charge));
  return kept.reduce(
    (decision, one) => {
      if (one.charge.failed) return reportCharge(decision, 'subscription.charge_failed', first, one, now);
      return one.charge.order_no === order.order_no ? payRenewal(decision, first, one, now) : decision;
    },
    withOrder(before, { charges: first.charges ?? [] }),
  );
}

/** The order whose payment began the contracts, with these charges noted; the same order if none is new. */
export function withNotedCharges(order: StoredOrder, shown: readonly ShownCharge[], now: Date): StoredOrder {
  const before = order.charges ?? [];
  const charges = shown.reduce((known, one) => withCharge({ charges: known }, notedAt(one, now)), before);
  return charges === before ? order : { ...order, charges };
}

/** True if the charge is noted as it is here, not as one that succeeded after a failure. */
function isKept({ charges = [] }: StoredOrder, { transaction_id, failed }: ShownCharge['charge']): boolean {
  return charges.some(
    (one) => one.transaction_id === transaction_id && (one.failed === undefined) === (failed === undefined),
  );
}

/** True for a charge that is noted already: as successful, or as failed and shown as failed again. */
export function isNoted(
  { charges = [] }: Pick<StoredOrder, 'charges'>,
  { transaction_id, failed }: ShownCharge['charge'],
): boolean {
  return charges.some((one) => one.transaction_id === transaction_id && (!one.failed || failed !== undefined));
}

/** The charges of a contract's order with this one. */
function withCharge({ charges = [] }: Pick<StoredOrder, 'charges'>, charge: ContractCharge): readonly ContractCharge[] {
  if (isNoted({ charges }, charge)) return charges;
  return [...charges.filter(({ transaction_id }) => transaction_id !== charge.transaction_id), charge];
}

/**
 * The decision about the order whose number a later charge bears, with the payment that it is: none of the order's sessions, so never a
 * second one. It gets `payment.ready` (`followPayments`) and `subscription.charged`, once.
 * @param first the order whose payment began the contract, with the charge noted
 */
export function payRenewal(before: Decision, first: StoredOrder, shown: ShownCharge, now: Date): Decision {
  const { charge, record } = shown;
  const { payments } = before.order;
  const isKnown = payments.some(({ transaction_id }) => transaction_id === charge.transaction_id);
  if (charge.failed || isKnown) return before;
  const method = methodOf(first, contractPaymentOf(first, charge.recurring_id));
  const wasTold = first.told_charges?.includes(charge.transaction_id) === true;
  const payment: OrderPayment = {
    ...paymentOf(proofOf(record, now), undefined),
    ...(method === undefined ? {} : { method }),
    origin: 'renewal',
    ...(wasTold ? {} : { ready: 'due' }),
  };
  const paid = withOrder(before, { payments: [...payments, payment] });
  return wasTold ? paid : reportCharge(paid, 'subscription.charged', first, shown, now);
}

const notedAt = ({ charge }: ShownCharge, now: Date): ContractCharge => ({ ...charge, told_at: now.toISOString() });

/** Adds the webhook of a charge of a contract, with the number of failures in the `first` order. */
function reportCharge(
  decision: Decision,
  type: ContractEvent['type'],
  first: StoredOrder,
  shown: ShownCharge,
  now: Date,
): Decision {
  const { recurring_id } = shown.charge;
  const { attempts, sessions } = first;
  const attempt = attempts.find(({ id }) => id === contractPaymentOf(first, recurring_id).attempt_id);
  const session = sessions.find(({ id }) => id === attempt?.session_id);
  const details = session?.state.status === 'approved' ? session.state.details : undefined;
  const contract_name =
    shown.record.details.contract_name ??
    details?.contract_name ??
    session?.terms.order.subscription?.contract_name ??
    undefined;
  const event: ContractEvent = {
    ...{ type, charge: notedAt(shown, now), failures: failuresOf(first.charges, recurring_id) },
    ...(contract_name === undefined ? {} : { contract_name }),
    subject: session?.id ?? sessions.at(-1)?.id ?? recurring_id,
  };
  return { ...decision, contracts: [...(decision.contracts ?? []), event] };
}

function contractPaymentIn({ payments }: StoredOrder, recurringId: string): OrderPayment | undefined {
  return payments.find((one) => one.recurring_id === recurringId && !isRenewal(one));
}

/** The payment that began a contract. Throws TypeError if the order has none, because the order was found by this payment. */
function contractPaymentOf(order: StoredOrder, recurringId: string): OrderPayment {
  const begun = contractPaymentIn(order, recurringId);
  if (!begun) throw new TypeError('the order did not begin the contract');
  return begun;
}

import type { SubscriptionAnswer } from '../../../shared/api/subscription.ts';
import { maskedEmail } from '../../../shared/checkout/fields/email.ts';
import type { Context } from '../../context/context.ts';
import type { CodeBook } from '../../gateway/profile.ts';
import {
  canBeSettled,
  type ItemOutcome,
  knownItems,
  type StoredOperation,
} from '../../payments/operations/operation.ts';
import { type ContractCharge, isRenewal, type OrderPayment, type StoredOrder } from '../../payments/order.ts';
import { failedSince } from '../../payments/settlement/contracts.ts';
import type { Notified } from '../../store/facets/notifications.ts';
import { contractTermsOf } from '../search-terms.ts';
import { isPast, nextCharge } from './next-charge.ts';

/** The data about an order's contracts from other facets. `ends` are the operations that end them, newest first. */
type ContractFacts = { ends: readonly StoredOperation[]; notified: readonly Notified[] };

/** The settings for reading the gateway's texts. */
type Reading = { codes: CodeBook; timeZone: string; now: Date };

/** The maximum number of a session's notifications that are read, newest first. */
const MAX_NOTIFICATIONS = 60;

/** The maximum number of tries to end the contracts of one page. */
const MAX_ENDS = 1000;

/**
 * Reads the data about the contracts of an account's orders, and returns a function for the contracts of each order.
 * Throws StoreError.
 */
export async function subscriptionReader(
  { store, config, now }: Context,
  account: string,
  orders: readonly StoredOrder[],
): Promise<(order: StoredOrder) => SubscriptionAnswer[]> {
  const sessions = orders.flatMap((order) => order.sessions.map(({ id }) => id));
  const [ends, notified] = await Promise.all([
    store.listing.operationsOf(account, orders.flatMap(contractTermsOf), MAX_ENDS),
    store.notifications.listNewest(sessions, MAX_NOTIFICATIONS),
  ]);
  const { codes, gateway_time_zone: timeZone } = config.gateway.profile;
  const reading = { codes, timeZone, now: now() };
  return (order) => subscriptionsOf(order, { ends, notified }, reading);
}

/** The contracts that the payments of an order began, each once. */
function subscriptionsOf(order: StoredOrder, facts: ContractFacts, reading: Reading): SubscriptionAnswer[] {
  const once = new Map<string, OrderPayment>();
  for (const payment of order.payments) {
    const { recurring_id } = payment;
    if (recurring_id !== undefined && !isRenewal(payment) && !once.has(recurring_id)) once.set(recurring_id, payment);
  }
  return [...once].map(([id, payment]) => subscriptionAnswer(order, id, payment, facts, reading));
}

function subscriptionAnswer(
  order: StoredOrder,
  recurring_id: string,
  payment: OrderPayment,
  { ends, notified }: ContractFacts,
  reading: Reading,
): SubscriptionAnswer {
  const { codes, timeZone, now } = reading;
  const attempt = order.attempts.find(({ id }) => id === payment.attempt_id);
  const session = order.sessions.find(({ id }) => id === attempt?.session_id);
  const approved = session?.state.status === 'approved' ? session.state : undefined;
  const { subscription } = session?.terms.order ?? {};
  const { contract_name: named, ...terms } = subscription ?? {};
  const { contract_name = named, recurring_deduction_period, recurring_deduction_time } = approved?.details ?? {};
  const own = notified.find(({ subject }) => subject === session?.id);
  const about = (own?.newest ?? []).filter(({ fields, verified }) => verified && fields.recurring_id === recurring_id);
  const charges = laterCharges(order.charges?.filter((one) => one.recurring_id === recurring_id) ?? []);
  const recurring_status = about.findLast(({ fields }) => fields.recurring_status !== undefined)?.fields
    .recurring_status;
  const end = ends.find(({ request }) => request.recurring_id === recurring_id);
  const isOver =
    (recurring_status !== undefined && codes.recurring_status.inactive.includes(recurring_status)) ||
    isPast(terms.contract_end, now, timeZone) ||
    ends.some((one) => one.request.recurring_id === recurring_id && knownItems(one)?.[0] === 'succeeded');
  const status = isOver ? 'ended' : statusBy(end);
  const rhythm = { terms, first: { at: payment.date, amount: payment.amount }, last: charges.last_charge?.at };
  const next =
    status === 'active' ? nextCharge({ ...rhythm, announced: recurring_deduction_time }, now, timeZone) : undefined;
  const { transaction_id, amount, currency } = payment;
  const email = session?.terms.order.shopper_email;
  const card = approved?.card ?? attempt?.card;
  return {
    recurring_id,
    ...(contract_name === undefined ? {} : { contract_name }),
    status,
    order_no: order.order_no,
    ...(session ? { session_id: session.id } : {}),
    started_at: payment.date,
    ...(email ? { shopper_email: maskedEmail(email) } : {}),
    ...(card ? { card } : {}),
    currency,
    ...(subscription ? { terms } : {}),
    ...(recurring_deduction_period === undefined ? {} : { recurring_deduction_period }),
    ...(recurring_deduction_time === undefined ? {} : { recurring_deduction_time }),
    ...(recurring_status === undefined ? {} : { recurring_status }),
    first_charge: { transaction_id, order_no: order.order_no, at: payment.date, amount, currency },
    ...charges,
    ...(next ? { next_charge: { ...next, currency } } : {}),
    ...(end ? { end: endOf(end) } : {}),
    notifications: own?.count ?? 0,
    ...(own ? { notified_at: own.newest.at(-1)?.last_at } : {}),
  };
}

/**
 * The later charges of a contract: the number of successful ones, the last successful one, and the failed ones since.
 */
function laterCharges(
  charges: readonly ContractCharge[],
): Pick<SubscriptionAnswer, 'later_charges' | 'last_charge' | 'failures' | 'last_failure'> {
  const dated = charges.toSorted((a, b) => Date.parse(a.date) - Date.parse(b.date));
  const succeeded = dated.filter(({ failed }) => failed === undefined);
  const last = succeeded.at(-1);
  const recurringId = charges[0]?.recurring_id ?? '';
  const failed = failedSince(charges, recurringId);
  const failure = failed.at(-1);
  return {
    later_charges: succeeded.length,
    ...(last ? { last_charge: chargeAnswer(last) } : {}),
    failures: failed.length,
    ...(failure?.failed
      ? {
          last_failure: {
            ...chargeAnswer(failure),
            result: failure.failed,
            ...(failure.acknowledged ? { acknowledged: failure.acknowledged } : {}),
          },
        }
      : {}),
  };
}

function chargeAnswer({ transaction_id, order_no, date, amount, currency }: ContractCharge) {
  return { transaction_id, order_no, at: date, amount, currency };
}

/** The status of a contract after its last try to end it did not succeed. */
function statusBy(end: StoredOperation | undefined): SubscriptionAnswer['status'] {
  if (end?.state.status === 'in_flight') return 'ending';
  return end && canBeSettled(end) ? 'end_unknown' : 'active';
}

function endOf(end: StoredOperation): NonNullable<SubscriptionAnswer['end']> {
  const { id, state, created_at, by } = end;
  const outcome: ItemOutcome | undefined = knownItems(end)?.[0] ?? (canBeSettled(end) ? 'unknown' : undefined);
  return {
    operation_id: id,
    status: state.status,
    ...(outcome === undefined ? {} : { outcome }),
    at: created_at,
    by,
  };
}

import type { z } from 'zod';
import { type orderQuery, unsettledStatuses } from '../../shared/api/order.ts';
import type { paymentQuery } from '../../shared/api/order-payment.ts';
import type { subscriptionQuery } from '../../shared/api/subscription.ts';
import type { SessionStatus } from '../../shared/checkout/status.ts';
import { emailHash, emailHashes } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { itemsOf, type StoredOperation } from '../payments/operations/operation.ts';
import { isRenewal, type StoredOrder } from '../payments/order.ts';
import type { OrderSearch } from '../store/facets/listing.ts';
import { type OrderKind, orderCases } from './attention/order-cases.ts';
import { headlineOf, type SummaryFacts } from './summary.ts';
import {
  amount,
  attention,
  attentionLater,
  capturable,
  contract,
  currency,
  decline,
  email,
  everything,
  last4,
  lowerOrderNo,
  method,
  orderNo,
  orderNoFromEnd,
  paid,
  reversed,
  sessionStatus,
  status,
  subscription,
  transaction,
} from './term-kinds.ts';

const DAY_MS = 86_400_000;

/** The term of orders with a case of this kind. */
export const caseTerm = (kind: OrderKind): string => `case ${kind}`;

/** The latest creation time, in milliseconds, of orders whose payments may be authorised for too long. */
export function authorisedBefore({ config, now }: Pick<Context, 'config' | 'now'>): number {
  return now().getTime() - rulesOf(config).authorisationDays * DAY_MS;
}

/**
 * An order in the list: its time, the terms by which it is found, and the terms under which time alone may change it.
 */
export type DescribedOrder = { created_at: string; terms: string[]; later: string[] };

/**
 * An order as it is listed; undefined if it has no session and no payment of a contract.
 * @param account the order's account; undefined if it is no longer configured: then no e-mail finds it
 */
export function describeOrder(
  order: StoredOrder,
  account: Account | undefined,
  facts: SummaryFacts,
): DescribedOrder | undefined {
  const summary = headlineOf(order, facts);
  if (!summary) return undefined;
  const { payments, attempts, sessions } = order;
  const emails = sessions.flatMap(({ terms }) => [terms.order.shopper_email, terms.order.person?.email]);
  const hashes = account ? [...new Set(emails)].flatMap((text) => (text ? [emailHash(account, text)] : [])) : [];
  const contracts = contractTermsOf(order);
  const cases = orderCases(order, facts);
  const terms = [
    ...everything,
    ...(summary.needs_attention ? attention : []),
    ...cases.map(({ kind }) => caseTerm(kind)),
    ...status(summary.status),
    ...(payments.length > 0 ? paid : []),
    ...(facts.standings.some((one) => one.capturable > 0n) ? capturable : []),
    ...(facts.standings.some((one) => one.status === 'reversed') ? reversed : []),
    ...unsettledStatus(summary.session_status),
    ...attempts.flatMap(({ state }) => (state.status === 'declined' ? decline(state.result.code) : [])),
    ...(summary.payment_method === undefined ? [] : method(summary.payment_method)),
    ...currency(summary.currency),
    ...amount(summary.amount, summary.currency),
    ...orderNo(order.order_no),
    // A number without capital letters is found by its `order` term.
    ...(order.order_no === order.order_no.toLowerCase() ? [] : lowerOrderNo(order.order_no)),
    ...orderNoFromEnd(order.order_no),
    ...attempts.flatMap(({ card }) => last4(/\d{4}$/.exec(card ?? '')?.[0] ?? '')),
    ...[...hashes, ...attempts.flatMap((one) => one.emails ?? [])].flatMap(email),
    ...[...payments, ...attempts].flatMap(({ transaction_id }) => transaction(transaction_id ?? '')),
    ...(payments.some((one) => one.recurring_id !== undefined && !isRenewal(one)) ? subscription : []),
    ...contracts,
  ];
  const { created_at } = summary;
  return { created_at, terms, later: cases.some(({ kind }) => kind === 'payment_authorised') ? attentionLater : [] };
}

/** The statuses that few orders have at a time. */
function unsettledStatus(status: SessionStatus | undefined): string[] {
  return unsettledStatuses.flatMap((one) => (one === status ? sessionStatus(one) : []));
}

/** The terms by which the operations of an order are found. */
export function operationTermsOf(order: StoredOrder): string[] {
  const { order_no, payments, attempts } = order;
  return [
    ...orderNo(order_no),
    ...[...payments, ...attempts].flatMap(({ transaction_id }) => transaction(transaction_id ?? '')),
    ...contractTermsOf(order),
  ];
}

/** The terms by which the ends of an order's contracts are found. */
export function contractTermsOf({ payments }: StoredOrder): string[] {
  return payments.flatMap(({ recurring_id }) => contract(recurring_id ?? ''));
}

/** The terms of an operation: the orders and transactions of its items, or the contract that it ends. */
export function termsOfOperation(operation: StoredOperation): string[] {
  const terms = itemsOf(operation).flatMap(({ order_no, transaction_id, recurring_id }) => [
    ...orderNo(String(order_no ?? '')),
    ...transaction(String(transaction_id ?? '')),
    ...contract(String(recurring_id ?? '')),
  ]);
  return [...new Set(terms)];
}

/**
 * The search for the orders of a query. It begins with the term that the fewest orders have.
 * @param currencies the currencies that an amount without a currency may have
 */
export function searchOf(
  query: z.infer<typeof orderQuery>,
  account: Account,
  currencies: readonly string[] = [],
): OrderSearch {
  const { limit, before, after, sort: order = 'newest', order_no_prefix, transaction_id_prefix } = query;
  const given = (value: string | undefined, terms: (value: string) => string[]): string[][] =>
    value === undefined ? [] : [terms(value)];
  const groups = [
    ...given(query.order_no, orderNo),
    ...given(query.transaction_id, transaction),
    ...given(query.email, (text) => emailHashes(account, text).flatMap(email)),
    ...given(query.amount, (value) => amountsIn(value, query.currency === undefined ? currencies : [query.currency])),
    ...given(query.last4, last4),
    ...given(query.session_status, sessionStatus),
    ...given(query.decline_code, decline),
    ...(query.needs_attention ? [[...attention, ...attentionLater]] : []),
    ...given(query.payment_method, method),
    // The term of an amount contains its currency.
    ...given(query.amount === undefined ? query.currency : undefined, currency),
    ...given(query.status, status),
    ...(query.capturable ? [capturable] : []),
  ];
  const [lead = everything, ...others] = groups;
  const [prefix] = [...given(order_no_prefix, orderNo), ...given(transaction_id_prefix, transaction)].flat();
  return {
    account: account.id,
    groups: [lead, ...others],
    limit,
    // A page before another one is found from that page on, in the other direction.
    order: after === undefined ? order : order === 'newest' ? 'oldest' : 'newest',
    ...(prefix === undefined ? {} : { prefix }),
    ...spanOf(query),
    ...afterOf(after ?? before),
  };
}

/** The terms of an amount in each of these currencies. */
function amountsIn(value: string, currencies: readonly string[]): string[] {
  return currencies.flatMap((one) => amount(value, one));
}

/** The search for contracts, by the orders that began them. It begins with the term that the fewest orders have. */
export function subscriptionSearchOf(query: z.infer<typeof subscriptionQuery>, account: Account): OrderSearch {
  const { limit, before, recurring_id, order_no, email: address } = query;
  const groups = [
    ...(recurring_id === undefined ? [] : [contract(recurring_id)]),
    ...(order_no === undefined ? [] : [orderNo(order_no)]),
    ...(address === undefined ? [] : [emailHashes(account, address).flatMap(email)]),
    subscription,
  ];
  const [lead = subscription, ...others] = groups;
  return { account: account.id, groups: [lead, ...others], limit, ...afterOf(before) };
}

/** The search for payments, by their orders. It begins with the term that the fewest orders have. */
export function paymentSearchOf(query: z.infer<typeof paymentQuery>, account: Account): OrderSearch {
  const { limit, before, recurring_id, order_no } = query;
  const groups = [
    ...(order_no === undefined ? [] : [orderNo(order_no)]),
    ...(recurring_id === undefined ? [] : [contract(recurring_id)]),
    // Few payments are reversed.
    ...(query.status === 'reversed' ? [reversed] : []),
    ...(query.capturable ? [capturable] : []),
  ];
  const [lead = paid, ...others] = groups;
  return { account: account.id, groups: [lead, ...others, paid], limit, ...spanOf(query), ...afterOf(before) };
}

/** The creation times of the orders that a query requests. */
function spanOf({ created_from, created_to }: { created_from?: string | undefined; created_to?: string | undefined }) {
  return {
    ...(created_from === undefined ? {} : { from: Date.parse(created_from) }),
    ...(created_to === undefined ? {} : { to: Date.parse(created_to) }),
  };
}

/** The end of a page, from its `next`. */
function afterOf(next = ''): Pick<OrderSearch, 'after'> {
  const [created_at, id] = next.split('-').map(Number);
  return created_at === undefined || id === undefined ? {} : { after: { created_at, id } };
}

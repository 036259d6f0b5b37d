import {
  type HitMatch,
  MAX_HITS,
  type OperationHit,
  type OrderHit,
  type PaymentHit,
  type SearchAnswer,
  type SearchedText,
  type SessionHit,
  type SubscriptionHit,
} from '../../../shared/api/search.ts';
import { paymentsAnswer } from '../../commit/payment-answer.ts';
import { sessionAnswer } from '../../commit/session-answer.ts';
import type { Account } from '../../config/load.ts';
import { rulesOf } from '../../config/rules.ts';
import type { Context } from '../../context/context.ts';
import { itemsOf } from '../../payments/operations/operation.ts';
import { currenciesOf } from '../find.ts';
import { subscriptionReader } from '../subscriptions/answer.ts';
import { findMatchingOrders, type MatchingOrders } from './match-orders.ts';
import { searchedOf } from './order-searches.ts';
import { meaningsOf } from './text-meanings.ts';

/** The matches that show the payment itself, and not only its order. */
const ofPayment: readonly HitMatch[] = ['transaction_id', 'transaction_id_start'];
/** The matches that show the contracts of an order. */
const ofContract: readonly HitMatch[] = ['recurring_id', 'email'];

/** Everything in an account that matches a text. The work is bounded for any number of matches. Throws StoreError. */
export async function searchEverything(context: Context, account: Account, text: string): Promise<SearchAnswer> {
  const searching = { account, currencies: await currenciesOf(context, account.id), now: context.now() };
  const searched = meaningsOf(text).flatMap((reading) => searchedOf(reading, searching) ?? []);
  const idOf = (as: SearchedText['as']): string | undefined => searched.find((one) => one.as === as)?.value;
  const [found, sessions, operations] = await Promise.all([
    findMatchingOrders(context, searching, searched),
    findSession(context, account, idOf('session_id')),
    findOperation(context, account, idOf('operation_id')),
  ]);
  const payments = paymentsIn(context, found, idOf('transaction_id'));
  const subscriptions = await subscriptionsIn(context, account, found, idOf('recurring_id'));
  return {
    searched,
    orders: limited(ordersIn(found, payments), hasMore(found, ofOrder)),
    payments: limited(payments, hasMore(found, ofPayment)),
    sessions: limited(sessions, false),
    operations: limited(operations, false),
    subscriptions: limited(subscriptions, hasMore(found, ofContract)),
  };
}

function limited<Hit>(hits: readonly Hit[], isCut: boolean): { hits: Hit[]; more?: true } {
  return { hits: hits.slice(0, MAX_HITS), ...(isCut || hits.length > MAX_HITS ? { more: true } : {}) };
}

function hasMore({ more }: MatchingOrders, matches: readonly HitMatch[]): boolean {
  return matches.some((match) => more.has(match));
}

/** The matches that show an order. */
const ofOrder: readonly HitMatch[] = ['order_no', 'order_no_end', 'order_no_start', 'email', 'last4', 'amount'];

/** An order is not listed if its payment or contract is. */
function ordersIn({ found }: MatchingOrders, payments: readonly PaymentHit[]): OrderHit[] {
  const shown = new Set(payments.map(({ order_no }) => order_no));
  return found.flatMap(({ summary, matched }) => {
    const isOwn = matched.some((match) => ofOrder.includes(match));
    const isPaid = shown.has(summary.order_no) || matched.every((match) => match === 'recurring_id');
    return isOwn || !isPaid ? [{ ...summary, matched }] : [];
  });
}

function paymentsIn({ config }: Context, { found, histories }: MatchingOrders, id: string | undefined): PaymentHit[] {
  if (id === undefined) return [];
  return found
    .filter(({ matched }) => matched.some((match) => ofPayment.includes(match)))
    .flatMap(({ order }) => paymentsAnswer(order, histories, rulesOf(config)))
    .filter(({ transaction_id }) => transaction_id.startsWith(id))
    .map(({ transaction_id, order_no, amount, currency, status, paid_at, method }) => ({
      ...{ transaction_id, order_no, amount, currency, status, paid_at },
      ...(method === undefined ? {} : { method }),
      matched: [transaction_id === id ? 'transaction_id' : 'transaction_id_start'],
    }));
}

async function subscriptionsIn(
  context: Context,
  { id }: Account,
  { found }: MatchingOrders,
  recurringId: string | undefined,
): Promise<SubscriptionHit[]> {
  const own = found.filter(({ matched }) => matched.some((match) => ofContract.includes(match)));
  if (own.length === 0) return [];
  const orders = own.map(({ order }) => order);
  const subscriptionsOf = await subscriptionReader(context, id, orders);
  return own.flatMap(({ order, matched }) => {
    const byEmail = matched.includes('email');
    return subscriptionsOf(order)
      .filter(({ recurring_id }) => byEmail || recurring_id === recurringId)
      .map(({ recurring_id, contract_name, status, order_no, started_at, shopper_email, first_charge }) => ({
        ...{ recurring_id, status, order_no, started_at },
        ...(contract_name === undefined ? {} : { contract_name }),
        ...(shopper_email === undefined ? {} : { shopper_email }),
        ...{ amount: first_charge.amount, currency: first_charge.currency },
        matched: [byEmail ? ('email' as const) : ('recurring_id' as const)],
      }));
  });
}

async function findSession({ store, now }: Context, account: Account, id: string | undefined): Promise<SessionHit[]> {
  const order = id === undefined ? undefined : await store.orders.ofSession(id);
  const session = order?.sessions.find((one) => one.id === id);
  if (!order || !session || order.account !== account.id) return [];
  const { status, order_no, amount, currency, created_at } = sessionAnswer(order, session, now());
  return [{ id: session.id, status, order_no, amount, currency, created_at, matched: ['session_id'] }];
}

async function findOperation({ store }: Context, account: Account, id: string | undefined): Promise<OperationHit[]> {
  const operation = id === undefined ? undefined : await store.operations.get(id);
  if (!operation || operation.account !== account.id) return [];
  const { name, state, created_at, by } = operation;
  const [item = {}] = itemsOf(operation);
  const amount = item.refund_amount ?? item.amount ?? item.payment_amount;
  const currency = item.currency ?? item.payment_currency;
  return [
    {
      ...{ id: operation.id, operation: name, status: state.status, created_at, by },
      ...(typeof item.order_no === 'string' ? { order_no: item.order_no } : {}),
      ...(typeof amount === 'string' && typeof currency === 'string' ? { amount, currency } : {}),
      matched: ['operation_id'],
    },
  ];
}

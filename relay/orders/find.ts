import type { OrderSummary } from '../../shared/api/order.ts';
import { type Polling, startPolling } from '../base/polling.ts';
import type { Account } from '../config/load.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { historiesFrom, historiesOf } from '../context/histories.ts';
import { standingsOf } from '../payments/ledger/order-status.ts';
import type { Histories } from '../payments/ledger/payment-operation.ts';
import { type StoredOrder, transactionIdsOf } from '../payments/order.ts';
import type { Describe, ListPlace, OrderSearch } from '../store/facets/listing.ts';
import { countedPayments } from './counted-payments.ts';
import { type DescribedOrder, describeOrder, termsOfOperation } from './search-terms.ts';
import { type SummaryFacts, summaryOf } from './summary.ts';
import { CURRENCY_TERMS } from './term-kinds.ts';

/** A page of orders. `first` is the place of the first order, `next` the start of the next page. */
export type OrderPage = { orders: OrderSummary[]; first?: ListPlace; next?: ListPlace };

/** A page of an account's orders, including those that changed a moment ago. Throws StoreError. */
export async function findOrders(context: Context, search: OrderSearch): Promise<OrderPage> {
  await refreshNow(context);
  return pageOf(context, search);
}

/** The orders of a search, page by page. Throws StoreError. */
export async function* everyOrder(context: Context, search: OrderSearch): AsyncGenerator<OrderSummary[], void> {
  let page = await findOrders(context, search);
  yield page.orders;
  while (page.next) {
    page = await pageOf(context, { ...search, after: page.next });
    yield page.orders;
  }
}

/**
 * Reads the orders of a page again, because their status depends on operations, codes and the time. Leaves out orders that no longer match.
 */
async function pageOf(context: Context, search: OrderSearch): Promise<OrderPage> {
  const { account, groups } = search;
  const { orders: found, ...places } = await context.store.listing.search(search);
  const orders = await context.store.orders.getMany(
    account,
    found.map(({ order_no }) => order_no),
  );
  const histories = await historiesOf(context, account, orders.flatMap(transactionIdsOf));
  const isFound = ({ terms }: DescribedOrder): boolean =>
    groups.every((group) => group.some((one) => terms.includes(one)));
  const factsOf = summaryFacts(context);
  const shown = orders.flatMap((order) => {
    const facts = factsOf(order, histories);
    const described = describeOrder(order, configuredAccount(context, order), facts);
    return (described && isFound(described) && summaryOf(order, facts)) || [];
  });
  return { orders: shown, ...places };
}

/** The number of currencies in which an amount without a currency is searched. */
const MAX_CURRENCIES = 20;

/** The currencies of an account's orders, including orders that changed a moment ago. Throws StoreError. */
export async function currenciesOf(context: Context, account: string): Promise<string[]> {
  await refreshNow(context);
  const terms = await context.store.listing.termsStartingWith(account, CURRENCY_TERMS, MAX_CURRENCIES);
  return terms.map((term) => term.slice(CURRENCY_TERMS.length));
}

function configuredAccount({ config }: Context, order: StoredOrder): Account | undefined {
  return config.accounts.find(({ id }) => id === order.account);
}

/** Returns a function that computes the current facts of an order for its summary. */
export function summaryFacts({ config, now }: Context): (order: StoredOrder, histories: Histories) => SummaryFacts {
  const rules = rulesOf(config);
  const at = now();
  return (order, histories) => ({ standings: standingsOf(order, histories, rules), rules, now: at });
}

/** The maximum number of changes in one turn, which is small because payments wait for it; and the pause between turns. */
const TURN = 100;
const PAUSE_MS = 2000;

/** The maximum number of turns that a request for orders waits for. */
const MAX_TURNS = 10;

/** Brings the list of orders up to date repeatedly, until stopped. */
export function startListing(context: Context): Polling {
  return startPolling(context.log, 'orders', PAUSE_MS, async (stopping) => {
    // `skip`: another relay that has the lock is listing already.
    while (!stopping.aborted && (await listSome(context, 'skip')) >= TURN);
  });
}

/** Lists the latest changes now. After `MAX_TURNS` turns the rest is left to the polling. Throws StoreError. */
export async function refreshNow(context: Context): Promise<void> {
  for (let turns = 1; (await listSome(context, 'wait')) >= TURN && turns < MAX_TURNS; turns++);
}

function listSome(context: Context, whenBusy: 'wait' | 'skip'): Promise<number> {
  const factsOf = summaryFacts(context);
  const order: Describe['order'] = (order, history) => {
    const facts = factsOf(order, historiesFrom(transactionIdsOf(order), history));
    const found = describeOrder(order, configuredAccount(context, order), facts);
    if (!found) return undefined;
    const { created_at, terms, later } = found;
    return { created_at, terms: [...terms, ...later], payments: countedPayments(facts.standings) };
  };
  return context.store.listing.refresh(TURN, { order, operation: termsOfOperation }, whenBusy);
}

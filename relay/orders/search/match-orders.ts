import type { OrderSummary } from '../../../shared/api/order.ts';
import { type HitMatch, MAX_HITS, type SearchedText } from '../../../shared/api/search.ts';
import type { Context } from '../../context/context.ts';
import { historiesOf } from '../../context/histories.ts';
import type { Histories } from '../../payments/ledger/payment-operation.ts';
import { type StoredOrder, transactionIdsOf } from '../../payments/order.ts';
import { summaryFacts } from '../find.ts';
import { type DescribedOrder, describeOrder } from '../search-terms.ts';
import { summaryOf } from '../summary.ts';
import { type OwnSearch, orderSearches, type Searching } from './order-searches.ts';

/** A found order with its matches. */
export type MatchingOrder = { order: StoredOrder; summary: OrderSummary; matched: HitMatch[] };

/** The found orders, the histories of their payments, and the matches that may have more orders. */
export type MatchingOrders = { found: MatchingOrder[]; histories: Histories; more: ReadonlySet<HitMatch> };

/** The best match comes first. */
const byRank: readonly HitMatch[] = [
  ...(['order_no', 'transaction_id', 'recurring_id', 'email', 'order_no_end', 'amount', 'last4'] as const),
  ...(['order_no_start', 'transaction_id_start'] as const),
];

/** Finds the orders that match the searched texts: the best match first, then the newest. Throws StoreError. */
export async function findMatchingOrders(
  context: Context,
  { account }: Searching,
  searched: readonly SearchedText[],
): Promise<MatchingOrders> {
  const searches = searched.flatMap((one) => orderSearches(one, account));
  const results = await Promise.all(
    searches.map(async (search) => ({ search, ...(await numbersOf(context, account.id, search)) })),
  );
  const more = new Set(results.flatMap(({ search, hasMore }) => (hasMore ? [search.match] : [])));
  const numbers = [...new Set(results.flatMap((one) => one.numbers))];
  const orders = await context.store.orders.getMany(account.id, numbers);
  const histories = await historiesOf(context, account.id, orders.flatMap(transactionIdsOf));
  const factsOf = summaryFacts(context);
  const found = orders.flatMap((order): MatchingOrder[] => {
    const facts = factsOf(order, histories);
    const [described, summary] = [describeOrder(order, account, facts), summaryOf(order, facts)];
    if (!described || !summary) return [];
    const by = results.filter((one) => one.numbers.includes(order.order_no) && stillMatches(described, one.search));
    const matched = withoutParts(byRank.filter((match) => by.some(({ search }) => search.match === match)));
    return matched.length === 0 ? [] : [{ order, summary, matched }];
  });
  return { found: found.toSorted(byMatch), histories, more };
}

/** Drops matches of the beginning and the end if the whole text matches. */
function withoutParts(matched: readonly HitMatch[]): HitMatch[] {
  return matched.filter((match) => !matched.some((whole) => match.startsWith(`${whole}_`)));
}

function byMatch(one: MatchingOrder, other: MatchingOrder): number {
  const rank = ({ matched }: MatchingOrder): number => byRank.findIndex((match) => matched.includes(match));
  const [a, b] = [one.summary.created_at, other.summary.created_at];
  return rank(one) - rank(other) || (a < b ? 1 : a > b ? -1 : 0);
}

/** The list may be a moment behind an order. */
function stillMatches({ terms }: DescribedOrder, { groups, prefix }: OwnSearch): boolean {
  const hasAll = groups.every((group) => group.some((one) => terms.includes(one)));
  return hasAll && (prefix === undefined || terms.some((one) => one.startsWith(prefix)));
}

async function numbersOf(
  { store: { listing } }: Context,
  account: string,
  { match: _, prefix, ...search }: OwnSearch,
): Promise<{ numbers: string[]; hasMore: boolean }> {
  if (prefix !== undefined) {
    const { orders, isCut } = await listing.newestStartingWith(account, prefix, MAX_HITS);
    return { numbers: orders.map(({ order_no }) => order_no), hasMore: isCut };
  }
  const { orders, next } = await listing.search({ ...search, account, limit: MAX_HITS });
  return { numbers: orders.map(({ order_no }) => order_no), hasMore: next !== undefined };
}

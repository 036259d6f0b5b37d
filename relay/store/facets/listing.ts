import { operationStatuses } from '../../../shared/api/operation.ts';
import type { OrderSummary } from '../../../shared/api/order.ts';
import { type EffectName, effectNames } from '../../../shared/gateway/operations.ts';
import type { PaymentOperation } from '../../payments/ledger/payment-operation.ts';
import type { OperationState, StoredOperation } from '../../payments/operations/operation.ts';
import type { StoredOrder } from '../../payments/order.ts';
import type { Row } from '../row.ts';

/** An order in the list. Its other fields are read from the order itself. */
export type ListedOrder = Pick<OrderSummary, 'order_no' | 'created_at'>;

/**
 * An order's entry in the list of orders. Searches find it by its `terms`. An account's orders with one term are sorted by their
 * `created_at` (ISO 8601).
 */
export type Listing = { created_at: string; terms: readonly string[]; payments: readonly CountedPayment[] };

/**
 * The values of a payment that statistics count: its time (ISO 8601 in UTC), its amount, and the part that is `kept`: neither
 * cancelled, rejected, reversed nor refunded. Sums are in minor units.
 */
export type CountedPayment = {
  paid_at: string;
  currency: string;
  amount: bigint;
  kept: bigint;
  isRenewal: boolean;
  isReversed: boolean;
};

/**
 * The stored operations on payments: captures, cancellations and reviews, the operations with refunds, and the refunded sum of each
 * payment, in minor units.
 */
export type KeptHistory = {
  operations: readonly PaymentOperation[];
  refunds: readonly StoredOperation[];
  taken: ReadonlyMap<string, bigint>;
};

/** The term of the orders that have payments of a contract. */
export const contractTerm = (recurringId: string): string => `contract ${recurringId}`;

/** Describes things for the list. Both functions are pure: a change may be run again. */
export type Describe = {
  /**
   * Undefined for an order without sessions.
   * @param history the operations on its payments, and on those of other orders
   */
  order(order: StoredOrder, history: KeptHistory): Listing | undefined;
  /** The terms by which searches find an operation. */
  operation(operation: StoredOperation): readonly string[];
};

/** A place in the list. `created_at` is in milliseconds. */
export type ListPlace = { created_at: number; id: number };

/** The sequence in which orders are found, by their creation. */
export type ListOrder = 'newest' | 'oldest';

/**
 * A search for orders, the newest first if `order` is absent. An order must have one term of each of the `groups`; the first group
 * leads the search. One of its terms must start with `prefix`. Times are in milliseconds.
 */
export type OrderSearch = {
  account: string;
  order?: ListOrder;
  groups: readonly [lead: readonly string[], ...others: readonly (readonly string[])[]];
  prefix?: string;
  from?: number;
  to?: number;
  after?: ListPlace;
  limit: number;
};

/**
 * A page of orders. `first` is the place of its first order, and the next page begins after `next`. A page may have fewer orders than
 * its limit if few of many orders match.
 */
export type FoundOrders = { orders: ListedOrder[]; first?: ListPlace; next?: ListPlace };

/**
 * A search for an account's operations, the newest first, that match all of these and are older than `before`. `waiting`: only
 * those that wait for a person, because the gateway is not queried about them.
 */
export type OperationSearch = {
  account: string;
  name?: EffectName;
  status?: OperationState['status'];
  waiting?: true;
  /** A place in the list; `created_at` is ISO 8601. */
  before?: { created_at: string; id: string };
  limit: number;
};

/** The list of orders and their operations. It is brought up to date after their changes. */
export type ListingStore = {
  /**
   * Brings the list of orders, and of their operations, up to date with the `limit` oldest changes, and with later ones of the same
   * orders. Returns their number: fewer than `limit` if none is left. Work that a crash of the machine undoes is done again. While
   * another relay does it, this waits for its turn, or returns 0 at once (`skip`).
   */
  refresh(limit: number, describe: Describe, whenBusy?: 'wait' | 'skip'): Promise<number>;
  /** A page of the list of orders, as of its last refresh. */
  search(search: OrderSearch): Promise<FoundOrders>;
  /** The numbers of at most `limit` orders of an account with one term, made before `before` (milliseconds), the oldest first. */
  oldest(account: string, term: string, limit: number, before?: number): Promise<string[]>;
  /**
   * At most `limit` orders with a term that starts with `prefix`, the newest first, and whether there can be more. If very many terms
   * start with it, they are the newest of a part of them.
   */
  newestStartingWith(
    account: string,
    prefix: string,
    limit: number,
  ): Promise<{ orders: ListedOrder[]; isCut: boolean }>;
  /** At most `limit` terms of an account's orders that start with `prefix`, each once, sorted. Reads one row for each. */
  termsStartingWith(account: string, prefix: string, limit: number): Promise<string[]>;
  /** The number of these accounts' orders with one term, made before `before` (milliseconds). Does not wait for the disk. */
  count(accounts: readonly string[], term: string, before: number): Promise<number>;
  /** At most `limit` operations of an account with one of these terms, the newest first. */
  operationsOf(account: string, terms: readonly string[], limit: number): Promise<StoredOperation[]>;
};

/** The names and the statuses to find, and the place to begin at. The operations of each pair are sorted as in the list. */
export function operationWalks({ name, status, before }: OperationSearch) {
  return {
    names: name === undefined ? effectNames : [name],
    statuses: status === undefined ? operationStatuses : [status],
    // After any time.
    ...(before ?? { created_at: '9', id: '' }),
  };
}

/** An order that a search read. `terms` are its terms, each between two line ends. */
export type Candidate = { place: ListPlace; terms: string; summary: string };

/** A walk through sorted orders: after the place `after`, to the time `end`. It excludes `end` from the oldest on, and includes it from the newest. */
export type Walk = { order: ListOrder; after: ListPlace; end: number; limit: number };

/** The reads of a store for a search. */
export type ListReads = {
  /** At most `limit` orders with a term. */
  walk(account: string, term: string, walk: Walk): Promise<Candidate[]>;
  /** The orders with a term that starts with `prefix`, unsorted. One may be listed twice. Undefined if more than `limit` are found. */
  startingWith(account: string, prefix: string, limit: number): Promise<Candidate[] | undefined>;
};

/** The maximum number of orders that a page reads, so that no search delays the relay for long. */
export const MAX_LOOKED_AT = 200;

/** Finds a page of orders. The work of a page is bounded for every search and every number of orders. */
export async function findOrders(reads: ListReads, search: OrderSearch): Promise<FoundOrders> {
  const { account, groups, prefix, limit, order = 'newest' } = search;
  const [lead, ...others] = groups;
  const { start, end } = spanOf(search);
  const after = search.after && isAfter(order, search.after, start) ? search.after : start;
  if (prefix !== undefined) {
    const found = await reads.startingWith(account, prefix, MAX_LOOKED_AT);
    if (found) {
      const isWanted = ({ place, terms }: Candidate): boolean =>
        isAfter(order, place, after) && isBefore(order, place, end) && groups.every((group) => hasOne(terms, group));
      return pageOf(inListOrder(order, found.filter(isWanted)), limit);
    }
  }
  const isWanted = ({ terms }: Candidate): boolean =>
    others.every((group) => hasOne(terms, group)) && (prefix === undefined || terms.includes(`\n${prefix}`));
  const walk = async (place: ListPlace, most: number): Promise<Candidate[]> => {
    const own = { order, after: place, end, limit: most };
    const walks = await Promise.all(lead.map((term) => reads.walk(account, term, own)));
    return inListOrder(order, walks.flat()).slice(0, most);
  };
  // One more order than the page shows proves a next page. Usually these are enough.
  const first = await walk(after, limit + 1);
  const page = pageOf(first.filter(isWanted), limit);
  const last = first.at(-1);
  if (page.next || first.length <= limit || !last) return page;
  const more = await walk(last.place, MAX_LOOKED_AT - first.length);
  const whole = pageOf([...first, ...more].filter(isWanted), limit);
  const ended = more.at(-1);
  return whole.next || first.length + more.length < MAX_LOOKED_AT || !ended ? whole : { ...whole, next: ended.place };
}

/** The place at which a search begins, and the time at which it ends. */
function spanOf({ order = 'newest', from = 0, to = Number.MAX_SAFE_INTEGER }: OrderSearch): {
  start: ListPlace;
  end: number;
} {
  const [begin, end] = order === 'newest' ? [to, from] : [from, to];
  return { start: { created_at: begin, id: 0 }, end };
}

function pageOf(found: readonly Candidate[], limit: number): FoundOrders {
  const shown = found.slice(0, limit);
  const [first, last] = [shown[0], shown.at(-1)];
  const orders = shown.map(({ summary }): ListedOrder => JSON.parse(summary));
  return {
    orders,
    ...(first ? { first: first.place } : {}),
    ...(found.length > limit && last ? { next: last.place } : {}),
  };
}

/** Sorts the orders, each once. */
function inListOrder(order: ListOrder, found: readonly Candidate[]): Candidate[] {
  const once = new Map(found.map((one) => [one.place.id, one]));
  return [...once.values()].toSorted((a, b) => (isAfter(order, a.place, b.place) ? 1 : -1));
}

function isAfter(order: ListOrder, place: ListPlace, after: ListPlace): boolean {
  const [later, earlier] = order === 'newest' ? [after, place] : [place, after];
  return earlier.created_at < later.created_at || (earlier.created_at === later.created_at && earlier.id < later.id);
}

function isBefore(order: ListOrder, { created_at }: ListPlace, end: number): boolean {
  return order === 'newest' ? created_at >= end : created_at < end;
}

function hasOne(terms: string, group: readonly string[]): boolean {
  return group.some((term) => terms.includes(`\n${term}\n`));
}

/** The terms in the column of an order's terms. */
function termsIn(text: string): string[] {
  return text.split('\n').filter((term) => term !== '');
}

/** The end of the range of texts that start with `prefix`: no character comes after this one, in the order of bytes of UTF-8. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

/** The order in a row of `listed_orders`. */
export function candidateFrom({ id, created_at, terms, summary }: Row): Candidate {
  return {
    place: { id: Number(id), created_at: Number(created_at) },
    terms: String(terms),
    summary: String(summary),
  };
}

/** The change of a listed order's row. */
type ListChange = { text: string; added: string[]; dropped: string[] };

/** The change of an order's terms. `before` is the text of its earlier terms. */
export function changeOfTerms(terms: readonly string[], before = ''): ListChange {
  // The column of an order's terms: texts without line ends, each once.
  const own = [...new Set(terms)];
  const text = `\n${own.join('\n')}\n`;
  if (text === before) return { text, added: [], dropped: [] };
  const isIn = (all: string, term: string): boolean => all.includes(`\n${term}\n`);
  return {
    text,
    added: own.filter((term) => !isIn(before, term)),
    dropped: termsIn(before).filter((term) => !isIn(text, term)),
  };
}

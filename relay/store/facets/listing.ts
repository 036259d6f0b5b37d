import { operationStatuses } from '../../../shared/api/operation.ts';
import type { OrderSummary } from '../../../shared/api/order.ts';
import { type EffectName, effectNames } from '../../../shared/gateway/operations.ts';
import type { PaymentOperation } from '../../payments/ledger/payment-operation.ts';
import type { OperationState, StoredOperation } from '../../payments/operations/operation.ts';
import type { StoredOrder } from '../../payments/order.ts';
import type { Row } from '../rows.ts';

/** An order in the list. All else that is shown of it is read from the order itself. */
export type ListedOrder = Pick<OrderSummary, 'order_no' | 'created_at'>;

/**
 * An order as it stands in the list of orders. Each of its `terms` is a text that it is found by; an account's orders under one
 * term stand in the order of their `created_at` (ISO 8601).
 */
export type Listing = { created_at: string; terms: readonly string[]; payments: readonly CountedPayment[] };

/**
 * What statistics count of a payment: when it was paid (ISO 8601 in UTC), its amount, and how much of that is `kept`, which is neither
 * cancelled, rejected, reversed nor refunded; in minor units.
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
 * What operations did to payments, as it is kept: captures, cancellations and reviews, the operations that have refunds, and what refunds
 * took of each payment, in minor units.
 */
export type KeptHistory = {
  operations: readonly PaymentOperation[];
  refunds: readonly StoredOperation[];
  taken: ReadonlyMap<string, bigint>;
};

/** The term of the orders that have payments of a contract. */
export const contractTerm = (recurringId: string): string => `contract ${recurringId}`;

/** What the list says of things. Both are pure: a change may be run again. */
export type Describe = {
  /**
   * Undefined for an order without sessions.
   * @param history what operations did to its payments, and to those of others
   */
  order(order: StoredOrder, history: KeptHistory): Listing | undefined;
  /** The terms that an operation is found by. */
  operation(operation: StoredOperation): readonly string[];
};

/** A place in the list. `created_at` is in milliseconds. */
export type ListPlace = { created_at: number; id: number };

/** In which order orders are found, by when they were made. */
export type ListOrder = 'newest' | 'oldest';

/**
 * Which orders to find, the newest first unless `order` says otherwise. `groups` are what an order must have one term of each; the first
 * group leads the search. `prefix` is what one of its terms must start with. Times are in milliseconds.
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
 * `first` is the place of the first of them, `next` where the next page goes on. A page may hold less than it could, where few orders among
 * many are wanted.
 */
export type FoundOrders = { orders: ListedOrder[]; first?: ListPlace; next?: ListPlace };

/**
 * Which operations to list: an account's, the newest first, all that these say, older than `before`. `waiting`: only those that
 * wait for a person, for the gateway is not asked about them.
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

/** The list of orders and their operations, which follows their changes. */
export type ListingStore = {
  /**
   * Brings the list of orders, and of their operations, up to date with the `limit` oldest changes, and with later ones of the same
   * orders. Gives how many there were: fewer than `limit` where none is left. What a crash of the machine undoes of it is done
   * again. While another relay does it, this waits for its turn, or gives 0 at once (`skip`).
   */
  refresh(limit: number, describe: Describe, whenBusy?: 'wait' | 'skip'): Promise<number>;
  /** A page of the list of orders, as it was brought up to date last. */
  search(search: OrderSearch): Promise<FoundOrders>;
  /** The numbers of at most `limit` orders of an account under one term of the list, made `before` this (milliseconds), the oldest first. */
  oldest(account: string, term: string, limit: number, before?: number): Promise<string[]>;
  /**
   * At most `limit` orders with a term that starts so, the newest first, and whether there can be more. Where very many terms start so, they
   * are the newest of a part of them.
   */
  newestStartingWith(
    account: string,
    prefix: string,
    limit: number,
  ): Promise<{ orders: ListedOrder[]; isCut: boolean }>;
  /** At most `limit` of the terms that start so of an account's orders, each once, in their order. It reads one row for each. */
  termsStartingWith(account: string, prefix: string, limit: number): Promise<string[]>;
  /** How many orders of these accounts, made before this (milliseconds), are under one term of the list. It waits for no disk. */
  count(accounts: readonly string[], term: string, before: number): Promise<number>;
  /** At most `limit` operations of an account that are found by one of these terms, the newest first. */
  operationsOf(account: string, terms: readonly string[], limit: number): Promise<StoredOperation[]>;
};

/** The names and the statuses to look for, and the place to begin at. Each pair of the two is in the order of the list. */
export function operationWalks({ name, status, before }: OperationSearch) {
  return {
    names: name === undefined ? effectNames : [name],
    statuses: status === undefined ? operationStatuses : [status],
    // After any time.
    ...(before ?? { created_at: '9', id: '' }),
  };
}

/** An order that a search looked at. `terms` are its terms, each between two line ends. */
export type Candidate = { place: ListPlace; terms: string; summary: string };

/** A walk through orders in their order: behind `after`, to the time `end`. From the oldest, `end` is excluded; to it, included. */
export type Walk = { order: ListOrder; after: ListPlace; end: number; limit: number };

/** What a store must be able to read for a search. */
export type ListReads = {
  /** At most `limit` orders under a term. */
  walk(account: string, term: string, walk: Walk): Promise<Candidate[]>;
  /** The orders with a term that starts so, in no order; one may be there twice. Undefined where more than `limit` are found. */
  startingWith(account: string, prefix: string, limit: number): Promise<Candidate[] | undefined>;
};

/** How many orders one page looks at, so that no search stops the relay for long. */
export const MAX_LOOKED_AT = 200;

/** Finds a page of orders. The work of one page is bounded, whatever is asked for and however many orders there are. */
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
  // One more than is shown tells whether there is a next page. Mostly these are enough.
  const first = await walk(after, limit + 1);
  const page = pageOf(first.filter(isWanted), limit);
  const last = first.at(-1);
  if (page.next || first.length <= limit || !last) return page;
  const more = await walk(last.place, MAX_LOOKED_AT - first.length);
  const whole = pageOf([...first, ...more].filter(isWanted), limit);
  const ended = more.at(-1);
  return whole.next || first.length + more.length < MAX_LOOKED_AT || !ended ? whole : { ...whole, next: ended.place };
}

/** Where a search begins, and the time at which it ends. */
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

/** Each once. */
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

/** The terms in such a column. */
function termsIn(text: string): string[] {
  return text.split('\n').filter((term) => term !== '');
}

/** The end of the range of texts that start so: no character comes after this one, in the order of bytes of UTF-8. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

/** The order that a search looked at, in a row of `listed_orders`. */
export function candidateFrom({ id, created_at, terms, summary }: Row): Candidate {
  return {
    place: { id: Number(id), created_at: Number(created_at) },
    terms: String(terms),
    summary: String(summary),
  };
}

/** How the row of a listed order changes. */
type ListChange = { text: string; added: string[]; dropped: string[] };

/** What changes of an order's terms, which stood in the list so before. */
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

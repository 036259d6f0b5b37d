import type { HitMatch, SearchedText } from '../../../shared/api/search.ts';
import { isSignOf } from '../../../shared/checkout/money/typed.ts';
import { emailHashes } from '../../base/keys.ts';
import type { Account } from '../../config/load.ts';
import type { OrderSearch } from '../../store/facets/listing.ts';
import {
  amount,
  contract,
  email,
  everything,
  last4,
  lowerOrderNo,
  orderNo,
  orderNoFromEnd,
  transaction,
} from '../term-kinds.ts';
import type { TextMeaning } from './text-meanings.ts';

/** A search for orders, and the match of the orders that it finds. */
export type OwnSearch = Pick<OrderSearch, 'groups' | 'prefix' | 'from'> & { match: HitMatch };

/** The inputs of searches: the account, the currencies of its orders, and the time. */
export type Searching = { account: Account; currencies: readonly string[]; now: Date };

/** How many days back a card's last four digits are searched: in a large shop many cards share them. */
const LAST4_DAYS = 90;
const DAY_MS = 86_400_000;

/** The minimum length of a searched beginning or end: fewer characters are in nearly every number. */
const MIN_PART = 2;
/** The minimum length for an id of the gateway, which begins with the date. */
const MIN_ID_PART = 6;

/** The search for one meaning of the text, as the answer reports it; undefined if it cannot match. */
export function searchedOf(reading: TextMeaning, { currencies, now }: Searching): SearchedText | undefined {
  const { as, value } = reading;
  if (as === 'last4') {
    return { as, value, from: new Date(now.getTime() - LAST4_DAYS * DAY_MS).toISOString() };
  }
  if (as !== 'amount') return { as, value };
  const named = signedCurrencies(reading.sign, currencies);
  return named.length === 0 ? undefined : { as, value, currencies: named };
}

/**
 * The currencies of an account's orders with a sign: those with this sign of their own, otherwise all that share it.
 */
function signedCurrencies(sign: string | undefined, currencies: readonly string[]): string[] {
  if (sign === undefined) return [...currencies];
  return currencies.filter((one) => isSignOf(one, sign, 'narrowSymbol'));
}

/** The searches for orders by a text. */
export function orderSearches({ as, value, currencies = [], from }: SearchedText, account: Account): OwnSearch[] {
  switch (as) {
    case 'order_no':
      return numberSearches(value);
    case 'transaction_id':
      return [
        ...only(as, transaction(value)),
        ...(value.length < MIN_ID_PART ? [] : starting('transaction_id_start', transaction(value))),
      ];
    case 'email':
      return only(as, emailHashes(account, value).flatMap(email));
    case 'last4':
      return only(as, last4(value)).map((one) => ({
        ...one,
        ...(from === undefined ? {} : { from: Date.parse(from) }),
      }));
    case 'amount':
      return only(
        as,
        currencies.flatMap((one) => amount(value, one)),
      );
    case 'recurring_id':
      return only(as, contract(value));
    case 'session_id':
    case 'operation_id':
      return [];
  }
}

/** A number without capital letters is found by `orderNo`, any other number by both terms. */
function numberSearches(value: string): OwnSearch[] {
  const lower = value.toLowerCase();
  const whole = only('order_no', [...new Set([...orderNo(value), ...orderNo(lower), ...lowerOrderNo(value)])]);
  if (value.length < MIN_PART) return whole;
  return [
    ...whole,
    ...starting('order_no_end', orderNoFromEnd(value)),
    ...starting('order_no_start', orderNo(lower)),
    ...starting('order_no_start', lowerOrderNo(value)),
  ];
}

function only(match: HitMatch, terms: readonly string[]): OwnSearch[] {
  return terms.length === 0 ? [] : [{ match, groups: [terms] }];
}

function starting(match: HitMatch, terms: readonly string[]): OwnSearch[] {
  return terms.map((prefix) => ({ match, groups: [everything], prefix }));
}

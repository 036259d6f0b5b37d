import type { AnswerOf, Client, ProfileAnswer } from '../../client/index.ts';
import { parseDate } from '../../shared/gateway/dates.ts';
import { operations } from '../../shared/gateway/operations.ts';
import type { Io } from '../base/io.ts';
import type { GatewayOrder, GatewayPayment, GatewayRefund, PaymentMeaning, RefundMeaning } from './compare/records.ts';
import { askAbout, gatewayRefused } from './retry.ts';

/** An order to query. `isPaid`: it may have refunds, even if the gateway shows no payment of it. */
export type QueriedOrder = { order_no: string; transaction_id?: string | undefined; isPaid: boolean };

/** The gateway's orders, and the orders about which it cannot be queried. */
export type Booked = { orders: Map<string, GatewayOrder>; left: Set<string> };

/** The maximum number of orders that one query holds (§8). */
export const MAX_ORDERS: number = operations.query.lists.orders;
const MAX_NAMES: number = operations.refund_search.lists.refund_orders;

/** Reads the gateway's records, through the relay. */
export type GatewayBooks = {
  /** The payments and refunds of at most `MAX_ORDERS` orders, at any time. */
  ofOrders(queried: readonly QueriedOrder[]): Promise<Booked>;
  /** The payments of a period, by order. Times are in milliseconds; the gateway counts whole seconds. */
  ofTime(start: number, end: number): Promise<{ orders: Map<string, GatewayPayment[]>; records: number }>;
};

/**
 * Reads the gateway's records through the relay, by the relay's rules: a record that means "none" is left out, and an
 * answer without a list proves nothing unless the profile says so. The methods throw the client's errors, and CliError
 * `query_refused`.
 */
export function gatewayBooks(io: Io, client: Client, { codes, query_without_list }: ProfileAnswer): GatewayBooks {
  const listed = <Entry>(what: string, list: readonly Entry[] | null | undefined): readonly Entry[] => {
    if (!list && query_without_list !== 'empty') throw gatewayRefused(what, 'its answer has no list');
    return list ?? [];
  };

  const query = async (body: Parameters<Client['query']>[0]): Promise<readonly QueryRecord[]> => {
    const { return_status, return_message, orders_list } = await client.query(body);
    if (!codes.return_status.success.includes(return_status ?? '')) throw gatewayRefused('query', return_message);
    const { not_found } = codes.query_result;
    return listed('query', orders_list).filter(({ query_result }) => !not_found.includes(query_result ?? ''));
  };

  const searchRefunds = async (refund_orders: string[]): Promise<readonly RefundRecord[]> => {
    const { return_status, return_message, refund_orders: found } = await client.refundSearch({ refund_orders });
    const isDone = codes.return_status.success.includes(return_status ?? '');
    if (!isDone) throw gatewayRefused('refund search', return_message);
    return listed('refund search', found);
  };

  return {
    async ofOrders(queried) {
      const numbers = queried.map(({ order_no }) => order_no);
      const { entries, left } = await askAbout(io, numbers, (orders) => query({ orders }));
      const payments = byOrder(entries, codes);
      const paid = queried.flatMap(({ order_no, transaction_id, isPaid }) => {
        const found = payments.get(order_no) ?? [];
        const names = [order_no, transaction_id ?? order_no, ...found.map((one) => one.transaction_id)];
        return isPaid || found.some(({ meaning }) => meaning === 'approved') ? [[...new Set(names)]] : [];
      });
      const searches = searchesOf(paid).map((names) => askAbout(io, names, searchRefunds));
      const searched = await Promise.all(searches);
      const refunds = searched.flatMap((one) => one.entries).map((record) => gatewayRefundOf(record, codes));
      // One name of an order is enough. If none is permitted in a list, nothing is known about its refunds.
      const unasked = new Set(searched.flatMap((one) => one.left));
      const silent = paid.filter((names) => names.every((name) => unasked.has(name))).map(([orderNo = '']) => orderNo);
      return {
        orders: new Map(
          queried.map(({ order_no }) => [order_no, gatewayOrderOf(payments.get(order_no) ?? [], refunds)]),
        ),
        left: new Set([...left, ...silent]),
      };
    },

    async ofTime(start, end) {
      const [query_start, query_end] = [instant(start), instant(end)];
      const found = await query({ query_start, query_end });
      return { orders: byOrder(found, codes), records: found.length };
    },
  };
}

/**
 * The searches for the refunds of payments, each with all names of its orders: the spec does not say whether a gateway
 * reads order_no or transaction_id there.
 */
function searchesOf(paid: readonly (readonly string[])[]): string[][] {
  const searches: string[][] = [];
  for (const names of paid) {
    const last = searches.at(-1);
    const few = names.slice(0, MAX_NAMES);
    if (last && last.length + few.length <= MAX_NAMES) last.push(...few);
    else searches.push([...few]);
  }
  return searches;
}

function instant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

type QueryRecord = NonNullable<AnswerOf<'query'>['orders_list']>[number];
type RefundRecord = NonNullable<AnswerOf<'refund_search'>['refund_orders']>[number];
type Codes = ProfileAnswer['codes'];

/** A payment in the gateway's records, from a query. */
function gatewayPaymentOf(record: QueryRecord, { payment_status }: Codes): GatewayPayment {
  const { transaction_id, amount, currency, payment_status: code, transaction_date, subscription_result } = record;
  const date = parseDate('YYYYMMDDHHMMSS', transaction_date ?? '');
  const contract = subscription_result?.recurring_id;
  return {
    ...{ transaction_id: transaction_id ?? '', amount: amount ?? '', currency: currency ?? '' },
    ...{ code: code ?? '', meaning: meaningOf(code ?? '', payment_status) },
    ...(date ? { date: Date.UTC(date.year, date.month - 1, date.day, date.hour, date.minute, date.second) } : {}),
    ...(contract ? { contract } : {}),
  };
}

/** The meaning of a code, by the relay's rules: `held` and changes after an approval come first. */
function meaningOf(code: string, codes: Codes['payment_status']): PaymentMeaning {
  return meanings.find((one) => codes[one].includes(code)) ?? 'unlisted';
}

const meanings = [
  ...(['held', 'approved', 'refunded', 'partially_refunded', 'cancelled'] as const),
  ...(['charged_back', 'declined', 'pending'] as const),
];

/** A refund in the gateway's records, from a refund search. */
function gatewayRefundOf(record: RefundRecord, { refund_status }: Codes): GatewayRefund {
  const { transaction_id, refund_amount, currency, refund_reference_id, refund_status: code } = record;
  const status = code ?? '';
  const meaning: RefundMeaning = refund_status.success.includes(status)
    ? 'succeeded'
    : refund_status.failed.includes(status)
      ? 'failed'
      : 'unlisted';
  return {
    ...{ transaction_id: transaction_id ?? '', amount: refund_amount ?? '', currency: currency ?? '' },
    ...{ refund_reference_id: refund_reference_id ?? '', meaning },
  };
}

/** The payments of each order, by its number. */
function byOrder(records: readonly QueryRecord[], codes: Codes): Map<string, GatewayPayment[]> {
  const found = new Map<string, GatewayPayment[]>();
  for (const record of records) {
    const orderNo = record.order_no ?? '';
    const payments = found.get(orderNo) ?? [];
    payments.push(gatewayPaymentOf(record, codes));
    found.set(orderNo, payments);
  }
  return found;
}

/**
 * The gateway's payments and refunds of one order. A query by order_no and one by transaction_id may both return the
 * same refund.
 */
function gatewayOrderOf(payments: readonly GatewayPayment[], refunds: readonly GatewayRefund[]): GatewayOrder {
  const own = new Set(payments.map(({ transaction_id }) => transaction_id));
  const seen = new Set<string>();
  const once = refunds.filter(({ transaction_id, refund_reference_id }) => {
    const isNew = refund_reference_id === '' || !seen.has(refund_reference_id);
    if (own.has(transaction_id)) seen.add(refund_reference_id);
    return own.has(transaction_id) && isNew;
  });
  return { payments, refunds: once };
}

import type { Client } from '../../client/index.ts';
import { operations } from '../../shared/gateway/operations.ts';
import type { Io } from '../base/io.ts';
import type { OrderThere, PaymentThere } from './compare/sides.ts';
import { askAbout, gatewayRefused } from './patience.ts';
import { byOrder, type Codes, orderThere, type QueryRecord, type RefundRecord, refundThere } from './there.ts';

/** An order to ask about. `isPaid` tells whether it may have refunds, even if the gateway should show no payment of it. */
export type Asked = { order_no: string; transaction_id?: string | undefined; isPaid: boolean };

/** What the gateway has of orders, and which of them it cannot be asked about. */
export type Booked = { orders: Map<string, OrderThere>; left: Set<string> };

/** The most orders that one query holds (§8). */
export const MAX_ORDERS: number = operations.query.lists.orders;
const MAX_NAMES: number = operations.refund_search.lists.refund_orders;

/** The gateway's books, as the relay may read them. */
export type GatewayBooks = {
  /** Payments and refunds of at most `MAX_ORDERS` orders, whenever they were made. */
  ofOrders(asked: readonly Asked[]): Promise<Booked>;
  /** The payments of some time, by order. Times are in milliseconds, the gateway counts whole seconds. */
  ofTime(start: number, end: number): Promise<{ orders: Map<string, PaymentThere[]>; records: number }>;
};

/** Reads the gateway's books through the relay. The methods throw what the client throws, and CliError `query_refused`. */
export function gatewayBooks(io: Io, client: Client, codes: Codes): GatewayBooks {
  const query = async (body: Parameters<Client['query']>[0]): Promise<readonly QueryRecord[]> => {
    const { return_status, return_message, orders_list } = await client.query(body);
    if (!codes.return_status.success.includes(return_status ?? '')) throw gatewayRefused('query', return_message);
    return orders_list ?? [];
  };

  const searchRefunds = async (refund_orders: string[]): Promise<readonly RefundRecord[]> => {
    const { return_status, return_message, refund_orders: found } = await client.refundSearch({ refund_orders });
    const isDone = codes.return_status.success.includes(return_status ?? '');
    if (!isDone) throw gatewayRefused('refund search', return_message);
    return found ?? [];
  };

  return {
    async ofOrders(asked) {
      const numbers = asked.map(({ order_no }) => order_no);
      const { entries, left } = await askAbout(io, numbers, (orders) => query({ orders }));
      const payments = byOrder(entries, codes);
      const paid = asked.flatMap(({ order_no, transaction_id, isPaid }) => {
        const found = payments.get(order_no) ?? [];
        const names = [order_no, transaction_id ?? order_no, ...found.map((one) => one.transaction_id)];
        return isPaid || found.some(({ meaning }) => meaning === 'approved') ? [[...new Set(names)]] : [];
      });
      const searches = searchesOf(paid).map((names) => askAbout(io, names, searchRefunds));
      const searched = await Promise.all(searches);
      const refunds = searched.flatMap((one) => one.entries).map((record) => refundThere(record, codes));
      // Of an order's names one is enough; where none can stand in a list, nothing is known of its refunds.
      const unasked = new Set(searched.flatMap((one) => one.left));
      const silent = paid.filter((names) => names.every((name) => unasked.has(name))).map(([orderNo = '']) => orderNo);
      return {
        orders: new Map(asked.map(({ order_no }) => [order_no, orderThere(payments.get(order_no) ?? [], refunds)])),
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
 * The searches for the refunds of payments, each with all names of its orders: the spec says neither whether a gateway reads
 * order_no there or transaction_id.
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

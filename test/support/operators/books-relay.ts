import { z } from 'zod';
import { reconciliationReport } from '../../../shared/api/reconciliation.ts';
import { problems } from '../../../shared/checkout/problem-codes.ts';

/** An order that was paid once, in the records of relay or gateway. `at` is in milliseconds. */
export type BookedOrder = { order_no: string; transaction_id: string; amount: string; currency: string; at: number };

/** Failures of the gateway's queries. `query` gets the body of the request to the relay. */
export type Troubles = {
  /** The maximum number of records in one answer. */
  cap?: number;
  /** Returns the code of the problem that answers a query. */
  query?(body: QueryBody): keyof typeof problems | undefined;
};

const queryBody = z.object({
  orders: z.array(z.string()).optional(),
  query_start: z.string().optional(),
  query_end: z.string().optional(),
});
type QueryBody = z.infer<typeof queryBody>;

const lists = { success: ['1'], failed: ['0'] };
const profile = {
  gateway_time_zone: 'UTC',
  query_without_list: 'not_counted',
  codes: {
    payment_status: {
      ...{ approved: ['3000'], declined: ['4100'], pending: [], held: [] },
      ...{ charged_back: [], refunded: [], partially_refunded: [], cancelled: [] },
    },
    fraud_check: { rejected: ['REJECT'] },
    query_result: { not_found: [] },
    ...{ return_status: lists, refund_status: lists },
  },
};
const envelope = { return_status: '1', return_message: 'OK' };

/** A relay that knows the orders `here`, at a gateway that has the orders `there`, as the `fetch` of a command. */
export function booksRelay(here: readonly BookedOrder[], there: readonly BookedOrder[], troubles: Troubles = {}) {
  const newestFirst = here.toSorted((a, b) => b.at - a.at);
  const known = new Map(here.map((one) => [one.order_no, one]));
  const booked = new Map(there.map((one) => [one.order_no, one]));
  const counts = { lists: 0, orders: 0, queries: 0, searches: 0, atOnce: 0, mostAtOnce: 0 };

  const reports: z.output<typeof reconciliationReport>[] = [];

  const listed = (query: URLSearchParams): Response => {
    counts.lists += 1;
    const [from, to] = ['created_from', 'created_to'].map((name) => Date.parse(query.get(name) ?? ''));
    const [skip, limit] = [Number(query.get('before') ?? 0), Number(query.get('limit'))];
    const found = newestFirst.filter(({ at }) => at >= (from ?? 0) && at < (to ?? 0));
    const orders = found.slice(skip, skip + limit).map(summaryOf);
    return json({ orders, ...(skip + limit < found.length ? { next: String(skip + limit) } : {}) });
  };

  const queried = (body: QueryBody): Response => {
    counts.queries += 1;
    const trouble = troubles.query?.(body);
    if (trouble) return problem(trouble, body);
    if (body.orders) return json({ ...envelope, orders_list: body.orders.flatMap((no) => recordsOf(booked.get(no))) });
    const [start, end] = [body.query_start, body.query_end].map((text) => Date.parse(text ?? ''));
    const found = there.filter(({ at }) => at >= (start ?? 0) && at <= (end ?? 0));
    return json({ ...envelope, orders_list: found.slice(0, troubles.cap).flatMap(recordsOf) });
  };

  const answer = (address: URL, body: unknown): Response => {
    switch (address.pathname) {
      case '/v1/profile':
        return json(profile);
      case '/v1/orders':
        return listed(address.searchParams);
      case '/v1/query':
        return queried(queryBody.parse(body));
      case '/v1/refund/search':
        counts.searches += 1;
        return json({ ...envelope, refund_orders: [] });
      case '/v1/reconciliations': {
        const report = reconciliationReport.parse(body);
        reports.push(report);
        return json({ ...report, reported_at: new Date(0).toISOString(), by: 'nightly' }, 201);
      }
      default: {
        counts.orders += 1;
        const order = known.get(decodeURIComponent(address.pathname.replace('/v1/orders/', '')));
        return order ? json(detailOf(order)) : problem('not_found');
      }
    }
  };

  return {
    counts,
    /** The reports that the relay received. */
    reports,
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      counts.atOnce += 1;
      counts.mostAtOnce = Math.max(counts.mostAtOnce, counts.atOnce);
      await new Promise((done) => setImmediate(done));
      counts.atOnce -= 1;
      return answer(new URL(url), typeof init.body === 'string' ? JSON.parse(init.body) : undefined);
    },
  };
}

function json(body: object, status = 200): Response {
  return new Response(JSON.stringify(body), { status });
}

/** The relay names an order number that a list cannot contain by its index. */
function problem(code: keyof typeof problems, { orders = [] }: QueryBody = {}): Response {
  const { status, title } = problems[code];
  const errors = orders.flatMap((one, at) => (one.includes(',') ? [{ path: `orders.${at}`, message: 'no' }] : []));
  return json({ code, title, detail: 'Do otherwise.', ...(code === 'invalid_request' ? { errors } : {}) }, status);
}

function summaryOf({ order_no, transaction_id, amount, currency, at }: BookedOrder): object {
  return {
    ...{ order_no, transaction_id, amount, currency, status: 'paid', created_at: new Date(at).toISOString() },
    ...{
      payment_method: 'card',
      session_id: 'cs_1',
      session_status: 'approved',
      needs_attention: false,
    },
    ...{ refunded: '0.00', refund_undecided: '0.00', captured: '0.00', refundable: amount },
  };
}

function detailOf(order: BookedOrder): object {
  const { transaction_id, amount, currency } = order;
  const money = { refunded: '0.00', refund_undecided: '0.00', refundable: amount, captured: '0.00' };
  const ledger = { status: 'paid', paid_at: new Date(order.at).toISOString(), credited: true };
  return {
    ...summaryOf(order),
    payments: [
      {
        ...{ transaction_id, amount, currency, proof: 'answer', ...ledger, ...money },
        ...{ capturable: amount, refund_undecided: '0.00', order_no: order.order_no, operations: [] },
      },
    ],
    ...{ ...money, sessions: [], timeline: [] },
  };
}

function recordsOf(order: BookedOrder | undefined): object[] {
  if (!order) return [];
  const { at, ...record } = order;
  const transaction_date = new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);
  return [{ ...record, payment_status: '3000', transaction_date }];
}

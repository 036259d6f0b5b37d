import type { Request, Response, Router } from 'express';
import { type OrderList, type OrderSummary, orderSummary } from '../../shared/api/order.ts';
import { type Context, ownOrder } from '../context/context.ts';
import { hasScope } from '../http/access.ts';
import { writeAudit, writeExport } from '../http/audit.ts';
import { createCsvSender, csvFileName, type SendCsv, wantsCsv } from '../http/csv.ts';
import { jsonReply } from '../http/idempotency/idempotency.ts';
import { createLists } from '../http/list-or-file.ts';
import { serve } from '../http/serve.ts';
import { orderRoutes } from '../routes/orders/orders.ts';
import type { ListPlace, OrderSearch } from '../store/facets/listing.ts';
import { orderDetail, orderMoney } from './detail.ts';
import { currenciesOf, everyOrder, findOrders, type OrderPage } from './find.ts';
import { noteOrder } from './notes.ts';
import { paymentColumns } from './payment-columns.ts';
import { findPayments, ownPayment, settlePaymentNow } from './payments.ts';
import { reconcileNow } from './reconcile-now.ts';
import { searchOf } from './search-terms.ts';

/** The routes of an account's orders. */
export function serveOrders(context: Context): Router {
  const sendCsv = createCsvSender(context.log);
  const listOrFile = createLists(context);
  return serve(context, orderRoutes, {
    listOrders: async ({ req, res, query, account }) => {
      const isInAny = query.amount !== undefined && query.currency === undefined;
      const search = searchOf(query, account, isInAny ? await currenciesOf(context, account.id) : []);
      if (wantsCsv(req, query.format)) {
        await sendOrders(context, sendCsv, res, search);
        await writeExport(context, [req, res], 'orders.export', { filter: query, shown: FILTERS_SHOWN });
        return undefined;
      }
      res.vary('Accept');
      return listOf(await findOrders(context, search), query);
    },
    getOrder: async ({ params, account }) => orderDetail(context, await ownOrder(context, account, params.order_no)),
    listPayments: (asked) =>
      listOrFile(asked, {
        ...{ name: 'payments', action: 'payments.export', shown: ['status'], columns: paymentColumns },
        read: (query) => findPayments(context, asked.account, query),
        entriesOf: ({ payments }) => payments,
      }),
    getPayment: ({ params, account }) => ownPayment(context, account, params.transaction_id),
    settlePayment: {
      work: (body, use, req) => settlePaymentNow(context, use, String(req.params.transaction_id), body),
      keepsReplies: true,
    },
    noteOrder: {
      work: (body, use, req) => noteOrder(context, use, String(req.params.order_no), body),
      keepsReplies: true,
    },
    reconcileOrder: {
      // A stored reply with the timeline is not returned to a client without access to the timeline.
      keyPath: (path, req) => `${path}${maySeeTimeline(req) ? '' : ' without timeline'}`,
      work: async (_body, { account, audit }, req) => {
        const order = await reconcileNow(context, account, String(req.params.order_no));
        await writeAudit(context, audit, { action: 'order.reconcile', orders: [order.order_no] });
        return jsonReply(200, await (maySeeTimeline(req) ? orderDetail : orderMoney)(context, order));
      },
    },
  });
}

/** Whether a request may read the timeline, which contains notes and the names of API keys. */
function maySeeTimeline({ res }: Request): boolean {
  return res !== undefined && hasScope(res, 'console');
}

/**
 * A page in the requested order. A page after another one is found in that order, a page before another one in reverse.
 */
function listOf({ orders, first, next }: OrderPage, { before, after }: { before?: string; after?: string }): OrderList {
  return after === undefined
    ? { orders, ...placed('previous', before === undefined ? undefined : first), ...placed('next', next) }
    : { orders: orders.toReversed(), ...placed('previous', next), ...placed('next', first) };
}

function placed(name: 'previous' | 'next', place: ListPlace | undefined) {
  return place ? { [name]: `${place.created_at}-${place.id}` } : {};
}

const columns = orderSummary.keyof().options;

/** The fields of a saved list in the audit log. They identify no shopper, card or order. */
const FILTERS_SHOWN = ['status', 'session_status', 'created_from', 'created_to', 'currency', 'payment_method'];

/** The number of orders that are read at a time. */
const PAGE = 100;

/** Sends the orders of a search as CSV. Throws ProblemError and StoreError. */
async function sendOrders(context: Context, sendCsv: SendCsv, res: Response, search: OrderSearch): Promise<void> {
  const { account } = search;
  await sendCsv(
    res,
    { account, name: csvFileName('orders', account, context.now()), columns },
    pagesOf(context, search),
  );
}

async function* pagesOf(context: Context, search: OrderSearch): AsyncGenerator<string[][], void> {
  for await (const orders of everyOrder(context, { ...search, limit: PAGE })) yield orders.map(cellsOf);
}

function cellsOf(order: OrderSummary): string[] {
  return columns.map((column) => String(order[column] ?? ''));
}

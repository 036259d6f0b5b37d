import { type Request, type RequestHandler, type Response, Router } from 'express';
import { emptyBody } from '../../shared/api/fields.ts';
import { type OrderList, type OrderSummary, orderQuery, orderSummary } from '../../shared/api/order.ts';
import { ProblemError } from '../base/errors.ts';
import type { Account } from '../config/load.ts';
import { accountIn, hasScope, requireKey } from '../http/api-keys.ts';
import { audited, writeAudit } from '../http/audit.ts';
import { createCsvSender, csvFileName, type SendCsv, wantsCsv } from '../http/csv.ts';
import { idempotent, jsonReply } from '../http/idempotency/idempotency.ts';
import { bodyIfAny } from '../http/json-body.ts';
import { addRoute, parseBody, parseShopBody } from '../http/routes.ts';
import type { StoredOrder } from '../payments/order.ts';
import { canReconcile, reconcileOrder } from '../reconciliation/reconcile.ts';
import type { Context } from '../store/context.ts';
import type { OrderSearch } from '../store/facets/listing.ts';
import { orderDetail, orderMoney } from './detail.ts';
import { everyOrder, findOrders, type OrderPage } from './find.ts';
import { searchOf } from './terms.ts';

/** What the relay knows of an account's orders. */
export function orderRoutes(context: Context): Router {
  const router = Router();
  const key = requireKey(context, 'console');

  addRoute(router, '/v1/orders', { get: [key, listed(context)] });

  addRoute(router, '/v1/orders/:order_no', {
    get: [
      key,
      async (req, res) => {
        const order = await ownOrder(context, accountIn(res), String(req.params.order_no));
        res.set('Cache-Control', 'no-store').json(await orderDetail(context, order));
      },
    ],
  });

  addRoute(router, '/v1/orders/:order_no/reconcile', {
    post: [
      audited(context, 'order.reconcile', ({ params }) => ({ orders: [String(params.order_no)] })),
      requireKey(context, 'query'),
      bodyIfAny,
      idempotent(context, {
        // Who may not see the timeline is not given one that is kept.
        path: (req) =>
          `/v1/orders/${String(req.params.order_no)}/reconcile${maySeeTimeline(req) ? '' : ' without timeline'}`,
        read: (body) => parseShopBody(emptyBody, body),
        work: async (_body, { account, audit }, req) => {
          const order = await reconcileNow(context, account, String(req.params.order_no));
          await writeAudit(context, audit, { action: 'order.reconcile', orders: [order.order_no] });
          return jsonReply(200, await (maySeeTimeline(req) ? orderDetail : orderMoney)(context, order));
        },
      }),
    ],
  });

  return router;
}

/** The timeline tells of notes and of the names of API keys. */
function maySeeTimeline({ res }: Request): boolean {
  return res !== undefined && hasScope(res, 'console');
}

function listed(context: Context): RequestHandler {
  const sendCsv = createCsvSender(context.log);
  return async (req, res) => {
    const query = parseBody(orderQuery, { ...req.query });
    const search = searchOf(query, accountIn(res));
    if (wantsCsv(req, query.format)) return sendOrders(context, sendCsv, res, search);
    res
      .vary('Accept')
      .set('Cache-Control', 'no-store')
      .json(listOf(await findOrders(context, search)));
  };
}

function listOf({ orders, next }: OrderPage): OrderList {
  return { orders, ...(next ? { next: `${next.created_at}-${next.id}` } : {}) };
}

const columns = orderSummary.keyof().options;

/** How many orders are read at a time. */
const PAGE = 100;

/** Sends every order that a search finds as CSV. Throws ProblemError and StoreError. */
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

/** An account's order as it is now. Throws ProblemError `not_found` where there is none. */
async function ownOrder(context: Context, account: Account, orderNo: string): Promise<StoredOrder> {
  const order = await context.store.orders.get(account.id, orderNo);
  if (order.sessions.length > 0 || order.payments.length > 0) return order;
  throw new ProblemError('not_found', 'This account has no order with this order_no.');
}

/** An account's order after the gateway was asked about it. Throws ProblemError `not_found`, and StoreError. */
export async function reconcileNow(context: Context, account: Account, orderNo: string): Promise<StoredOrder> {
  const before = await ownOrder(context, account, orderNo);
  if (!canReconcile(before)) {
    context.metrics.orderReconciled('unchanged');
    return before;
  }
  const { counted, order } = await reconcileOrder(context, before);
  context.metrics.orderReconciled(!counted ? 'failed' : isSettledAlike(before, order) ? 'unchanged' : 'changed');
  return order;
}

/** Whether an order is paid alike, and its sessions stand alike. */
function isSettledAlike(before: StoredOrder, after: StoredOrder): boolean {
  const settled = ({ hold, payments, sessions }: StoredOrder): string =>
    JSON.stringify([hold, payments.map((one) => one.transaction_id), sessions.map(({ state }) => state.status)]);
  return settled(before) === settled(after);
}

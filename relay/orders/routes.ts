import { type Request, type RequestHandler, Router } from 'express';
import { type OrderList, orderQuery } from '../../shared/api/order.ts';
import { accountIn, hasScope, requireKey } from '../http/api-keys.ts';
import { audited, writeAudit } from '../http/audit.ts';
import { createCsvSender, wantsCsv } from '../http/csv.ts';
import { idempotent, jsonReply } from '../http/idempotency.ts';
import { bodyIfAny } from '../http/json-body.ts';
import { addRoute, noBody, parseBody, parseShopBody } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import { sendOrders } from './csv.ts';
import { orderDetail, orderMoney } from './detail.ts';
import { findOrders, type OrderPage } from './find.ts';
import { ownOrder, reconcileNow } from './own-order.ts';
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
        read: (body) => parseShopBody(noBody, body),
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

import type { z } from 'zod';
import {
  type OrderDetail,
  type OrderFilter,
  orderDetail,
  orderList,
  orderWithTimeline,
} from '../../shared/api/order.ts';
import {
  type cancelOrder,
  type captureOrder,
  type OrderActionAnswer,
  type OrderActionName,
  orderAction,
  type refundOrder,
  type reviewOrder,
} from '../../shared/api/order-action.ts';
import { type NoteOrder, type OrderNoteAnswer, orderNote } from '../../shared/api/order-note.ts';
import { orderActionError } from '../errors.ts';
import { eachOf, type PostOptions, type Requests } from '../requests.ts';
import { type Call, callOf } from '../send.ts';
import { orderPathOf, textQueryOf } from '../settings.ts';

/** The requests of `/v1/orders`. */
export function ordersOf({ getAt, post }: Requests) {
  const listOrders = (filter: OrderFilter = {}) =>
    getAt(orderList, '/v1/orders', () => `/v1/orders${textQueryOf(filter)}`);

  const onPayment =
    <Body extends object>(name: OrderActionName) =>
    (orderNo: string, body: Body, postOptions?: PostOptions): Call<OrderActionAnswer> => {
      const route = `/v1/orders/:order_no/${name}`;
      const done = post(orderAction, { route, path: () => orderPathOf(route, orderNo) }, body, postOptions);
      return callOf(
        done.withMeta().catch((error: unknown) => {
          throw orderActionError(route, error);
        }),
      );
    };

  return {
    /**
     * `GET /v1/orders`: one page of orders, newest first unless `sort` says otherwise. A page with a `next` may be
     * empty.
     */
    list: listOrders,
    /** Every order that the filter finds, one page after the other: `for await (const order of …)`. */
    each: (filter: Omit<OrderFilter, 'after'> = {}) => eachOf(filter, listOrders, ({ orders }) => orders),
    /** `GET /v1/orders/:order_no`: an order with its sums and its timeline. */
    get: (orderNo: string) => {
      const route = '/v1/orders/:order_no';
      return getAt(orderWithTimeline, route, () => orderPathOf(route, orderNo));
    },
    /**
     * `POST /v1/orders/:order_no/reconcile`: queries the gateway for an order now, and returns the same as `get`;
     * without the timeline if the key lacks the scope `console`.
     */
    reconcile: (orderNo: string, postOptions?: PostOptions): Call<OrderDetail> => {
      const route = '/v1/orders/:order_no/reconcile';
      return post(orderDetail, { route, path: () => orderPathOf(route, orderNo) }, {}, postOptions);
    },
    /** `POST /v1/orders/:order_no/notes`: adds a note to the order's timeline. */
    note: (orderNo: string, body: NoteOrder, postOptions?: PostOptions): Call<OrderNoteAnswer> => {
      const route = '/v1/orders/:order_no/notes';
      return post(orderNote, { route, path: () => orderPathOf(route, orderNo) }, body, postOptions);
    },
    /**
     * `POST /v1/orders/:order_no/refund`: refunds a part of an order's payment, or everything that is left. This and
     * the next three methods resolve if the gateway carried it out. They reject with OperationDeclined if it did not,
     * and with OutcomeUnknown if it may have.
     */
    refund: onPayment<z.input<typeof refundOrder>>('refund'),
    /** `POST /v1/orders/:order_no/capture`: captures a part of an authorised payment, or the rest. */
    capture: onPayment<z.input<typeof captureOrder>>('capture'),
    /** `POST /v1/orders/:order_no/cancel`: cancels an authorised payment. */
    cancel: onPayment<z.input<typeof cancelOrder>>('cancel'),
    /** `POST /v1/orders/:order_no/review`: accepts or rejects a payment that is held for review. */
    review: onPayment<z.input<typeof reviewOrder>>('review'),
  };
}

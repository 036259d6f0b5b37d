import type { Account } from '../../../../relay/config/load.ts';
import type { SettleBody } from '../../../../shared/api/operation.ts';
import type { SettleSession } from '../../../../shared/api/session.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';
import { notifyPath, secretOf } from '../../relay.ts';
import type { Method } from '../../steps.ts';
import { keyOf } from '../config.ts';
import type { OrderBody } from '../orders.ts';
import { wireName } from '../orders.ts';
import { renamed } from '../renamed.ts';
import type { HttpRequest } from './wire.ts';

/** A shop's operations, by their routes. */
export type Operation = 'refund' | 'capture' | 'cancel' | 'review' | 'payout';

/** The requests to a relay: from an account's shop, its shoppers, and the gateway. */
export type Api = ReturnType<typeof apiOf>;

const SHOP = '192.0.2.1';
const GATEWAY = '198.51.100.1';

/**
 * Creates the requests of the account `id`; `holderOf` returns it with the secret from which a session's tokens are
 * derived.
 */
export function apiOf(id: string, holderOf: (session: string) => Account) {
  const fromShop = (method: 'POST' | 'PATCH', path: string, body: object, key?: string): HttpRequest =>
    json({ method, path, body, bearer: keyOf({ id }), from: SHOP, ...(key === undefined ? {} : { key }) });
  const fromShopper = (session: string, path: string, body?: object, from = SHOPPER): HttpRequest =>
    json({
      method: body ? 'POST' : 'GET',
      path,
      bearer: secretOf(holderOf(session), session),
      from,
      ...(body ? { body } : {}),
    });
  return {
    order: (orderNo: string): HttpRequest =>
      json({ method: 'GET', path: `/v1/orders/${wireName(orderNo)}`, bearer: keyOf({ id }), from: SHOP }),
    createSession: (order: OrderBody, expires_in: number, key: string) =>
      fromShop('POST', '/v1/sessions', { order: onWire(order), expires_in, payment_methods }, key),
    /** With the revision that the page shows. */
    pay: (session: string, orderNo: string, method: Method, revision: number) =>
      fromShopper(session, '/checkout/api/pay', { ...means[method], revision }, addressOf(orderNo)),
    payFromServer: (order: OrderBody, method: Method, key?: string) =>
      fromShop('POST', '/v1/payments', { ...onWire(order), ...means[method] }, key),
    view: (session: string) => fromShopper(session, '/checkout/api/session'),
    comeBack: (session: string): HttpRequest => ({
      method: 'GET',
      path: `/return/${session}`,
      headers: {},
      from: SHOPPER,
    }),
    /** The shopper reports their return in the form. */
    sayReturned: (session: string) => fromShopper(session, '/checkout/api/returned', {}),
    abandon: (session: string) => fromShopper(session, '/checkout/api/abandon', {}),
    changeOrder: (session: string, order: { amount: string; note?: string | null }) =>
      fromShop('PATCH', `/v1/sessions/${session}`, { order }),
    settle: (session: string, body: SettleSession, key: string) =>
      fromShop('POST', `/v1/sessions/${session}/settle`, body, key),
    expire: (session: string, key: string) => fromShop('POST', `/v1/sessions/${session}/expire`, {}, key),
    reconcile: (orderNo: string) => fromShop('POST', `/v1/orders/${wireName(orderNo)}/reconcile`, {}),
    operate: (name: Operation, message: Message, key: string) =>
      fromShop('POST', `/v1/${name}`, renamed(message, wireName), key),
    /** The same for one payment of an order, by its index. */
    operateOrder: (name: Operation, orderNo: string, body: Message, key: string) =>
      fromShop('POST', `/v1/orders/${wireName(orderNo)}/${name}`, body, key),
    settleOperation: (operation: string, body: SettleBody, key: string) =>
      fromShop('POST', `/v1/operations/${operation}/settle`, body, key),
    redeliver: (key: string) => fromShop('POST', '/v1/events/redeliver', { status: 'failed' }, key),
    acknowledge: (event: string, key: string) => fromShop('POST', `/v1/events/${event}/acknowledge`, {}, key),
    notify: (session: string, body: string): HttpRequest => ({
      method: 'POST',
      path: notifyPath(holderOf(session), session),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
      from: GATEWAY,
    }),
  };
}

const onWire = (order: OrderBody): OrderBody => ({ ...order, order_no: wireName(order.order_no) });

const payment_methods = [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'PIX' }];

const means = {
  card: { card: '4111111111111111', expiration_month: '12', expiration_year: '2030', first_name: 'Ada' },
  apm: { payment_method: 'PIX' },
} as const;

const SHOPPER = '10.1.0.1';

/** Each order has its own shopper, with its own address. */
function addressOf(orderNo: string): string {
  const number = Number(orderNo.slice(1));
  return `10.0.${number >> 8}.${number & 255}`;
}

type Json = Pick<HttpRequest, 'method' | 'path' | 'from'> & { bearer: string; body?: object; key?: string };

function json({ method, path, from, bearer, body, key }: Json): HttpRequest {
  return {
    ...{ method, path, from },
    headers: {
      Authorization: `Bearer ${bearer}`,
      'User-Agent': 'Browser',
      Accept: '*/*',
      'Accept-Language': 'en',
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(key === undefined ? {} : { 'Idempotency-Key': key.replaceAll(' ', '-') }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  };
}

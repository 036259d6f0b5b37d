import { z } from 'zod';
import { attention } from '../shared/api/attention.ts';
import { type AuditFilter, auditList } from '../shared/api/audit.ts';
import { endpointList } from '../shared/api/endpoint.ts';
import { type EventFilter, eventAnswer, eventList, type redeliverEvents, redelivered } from '../shared/api/event.ts';
import { type OperationFilter, operationAnswer, operationList, type settleBody } from '../shared/api/operation.ts';
import { type OrderDetail, type OrderFilter, orderDetail, orderList, orderWithTimeline } from '../shared/api/order.ts';
import {
  type cancelOrder,
  type captureOrder,
  type OrderActionAnswer,
  type OrderActionName,
  orderAction,
  type refundOrder,
  type reviewOrder,
} from '../shared/api/order-action.ts';
import { type NoteOrder, type OrderNoteAnswer, orderNote } from '../shared/api/order-note.ts';
import {
  type OrderPaymentAnswer,
  orderPayment,
  type PaymentFilter,
  paymentList,
  type SettlePayment,
} from '../shared/api/order-payment.ts';
import { type createPayment, paymentAnswer } from '../shared/api/payment.ts';
import { profileAnswer } from '../shared/api/profile.ts';
import { type ReconciliationReport, reconciliation } from '../shared/api/reconciliation.ts';
import { searchAnswer } from '../shared/api/search.ts';
import { type SessionAnswer, sessionAnswer, sessionCreated, type settleSession } from '../shared/api/session.ts';
import { type StatsFilter, stats } from '../shared/api/stats.ts';
import {
  type AcknowledgeSubscription,
  type SubscriptionAnswer,
  type SubscriptionFilter,
  subscriptionAnswer,
  subscriptionList,
} from '../shared/api/subscription.ts';
import type { createSession, UpdateSession } from '../shared/checkout/session.ts';
import { operations, type RoutedName } from '../shared/gateway/operations.ts';
import { orderActionError } from './errors.ts';
import { type Call, callOf, send } from './send.ts';
import {
  type ClientOptions,
  contractPathOf,
  jsonOf,
  keyOf,
  orderPathOf,
  pathOf,
  paymentPathOf,
  queryOf,
  rawPathOf,
  settingsOf,
  textQueryOf,
} from './settings.ts';

/** The parameter and the result of an operation's method. */
export type BodyOf<Name extends RoutedName> = z.input<(typeof operations)[Name]['route']['body']>;
export type AnswerOf<Name extends RoutedName> = z.output<(typeof operations)[Name]['answer']>;

/** An answer that is JSON. */
const anyJson = z.unknown().refine((answer) => answer !== undefined);

export type PostOptions = {
  /**
   * The idempotency key: requests with the same key and body are done once. Default: a fresh random key where
   * it is left out. Keep one of your own (a refund's id in your database, say) for whatever must survive your own crash.
   */
  idempotencyKey?: string;
};

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/**
 * Makes a client of the relay's server-side API, for shops' servers. Throws ClientMisused.
 *
 * A lost connection, a 503 and `in_progress` are tried again by itself, a POST always with the same Idempotency-Key. Every
 * method rejects with RelayRefused, RelayUnreachable or RelayAnswerUnusable; with ClientMisused if nothing can be sent.
 */
export function createClient(options: ClientOptions) {
  const settings = settingsOf(options);

  const getAt = <Schema extends z.ZodType>(
    schema: Schema,
    route: string,
    path: () => string,
  ): Call<z.output<Schema>> => {
    const sent = async () => send(settings, { method: 'GET', route, path: path() }, schema);
    return callOf(sent());
  };

  const get = <Schema extends z.ZodType>(schema: Schema, route: string, id: string): Call<z.output<Schema>> =>
    getAt(schema, route, () => pathOf(route, id));

  const listOrders = (filter: OrderFilter = {}) =>
    getAt(orderList, '/v1/orders', () => `/v1/orders${textQueryOf(filter)}`);

  const listPayments = (filter: PaymentFilter = {}) =>
    getAt(paymentList, '/v1/payments', () => `/v1/payments${textQueryOf(filter)}`);

  const listSubscriptions = (filter: SubscriptionFilter = {}) =>
    getAt(subscriptionList, '/v1/subscriptions', () => `/v1/subscriptions${textQueryOf(filter)}`);

  const listEvents = (filter: EventFilter = {}) => getAt(eventList, '/v1/events', () => `/v1/events${queryOf(filter)}`);

  const listOperations = (filter: OperationFilter = {}) =>
    getAt(operationList, '/v1/operations', () => `/v1/operations${textQueryOf(filter)}`);

  const listAudit = (filter: AuditFilter = {}) =>
    getAt(auditList, '/v1/audit', () => `/v1/audit${textQueryOf(filter)}`);

  const post = <Schema extends z.ZodType>(
    schema: Schema,
    { route, path = () => route }: { route: string; path?: () => string },
    body: object,
    postOptions: PostOptions = {},
  ): Call<z.output<Schema>> => {
    const sent = async () => {
      const idempotencyKey = keyOf(postOptions.idempotencyKey);
      return send(settings, { method: 'POST', route, path: path(), body: jsonOf(body), idempotencyKey }, schema);
    };
    return callOf(sent());
  };

  const postTo = <Schema extends z.ZodType>(
    schema: Schema,
    route: string,
    id: string,
    body: object,
    postOptions?: PostOptions,
  ): Call<z.output<Schema>> => post(schema, { route, path: () => pathOf(route, id) }, body, postOptions);

  const operation =
    <Body extends z.ZodType<object, object>, Answer extends z.ZodType>(of: {
      route: { path: string; body: Body; answer: Answer };
    }) =>
    (body: z.input<Body>, postOptions?: PostOptions): Call<z.output<Answer>> =>
      post(of.route.answer, { route: of.route.path }, body, postOptions);

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

  const routed = {
    /** `POST /v1/query`: the gateway's records of orders and transactions (§4.1). */
    query: operation(operations.query),
    /** `POST /v1/refund`: gives money back, up to 50 refunds at once (§2.5). */
    refund: operation(operations.refund),
    /** `POST /v1/refund/search`: the gateway's records of refunds (§4.2). */
    refundSearch: operation(operations.refund_search),
    /** `POST /v1/review`: accepts or rejects transactions that are held for review (§2.6). */
    review: operation(operations.review),
    /** `POST /v1/capture`: takes money that is only authorised (§2.6). */
    capture: operation(operations.capture),
    /** `POST /v1/cancel`: cancels an authorised payment (§2.6). */
    cancel: operation(operations.cancel),
    /**
     * `POST /v1/subscription/cancel`: ends a contract (§2.8). No further charge for the subscription; contracts already created are still
     * charged at the end of their period unless cancelled by hand.
     */
    subscriptionCancel: operation(operations.subscription_cancel),
    /** `POST /v1/payout`: pays out money, once for each `request_id` (§2.9). */
    payout: operation(operations.payout),
  } satisfies Record<CamelCase<RoutedName>, unknown>;

  return {
    sessions: {
      /** `POST /v1/sessions`: opens the checkout of one order. */
      create: (body: z.input<typeof createSession>, postOptions?: PostOptions) =>
        post(sessionCreated, { route: '/v1/sessions' }, body, postOptions),
      /** `PATCH /v1/sessions/:id`: changes the order while it is not being paid. The same change may be made again. */
      update: (id: string, body: UpdateSession): Call<SessionAnswer> => {
        const route = '/v1/sessions/:id';
        const sent = async () =>
          send(settings, { method: 'PATCH', route, path: pathOf(route, id), body: jsonOf(body) }, sessionAnswer);
        return callOf(sent());
      },
      /** `GET /v1/sessions/:id`: its status and its attempts. */
      get: (id: string) => get(sessionAnswer, '/v1/sessions/:id', id),
      /** `POST /v1/sessions/:id/settle`: a person who looked at the gateway's records says whether the order was paid. */
      settle: (id: string, body: z.input<typeof settleSession>, postOptions?: PostOptions): Call<SessionAnswer> =>
        postTo(sessionAnswer, '/v1/sessions/:id/settle', id, body, postOptions),
      /** `POST /v1/sessions/:id/expire`: withdraws a checkout that is not being paid. It may be asked for again. */
      expire: (id: string, postOptions?: PostOptions): Call<SessionAnswer> =>
        postTo(sessionAnswer, '/v1/sessions/:id/expire', id, {}, postOptions),
    },
    orders: {
      /** `GET /v1/orders`: one page of orders, newest first unless `sort` says otherwise. It may hold none while there is a `next`. */
      list: listOrders,
      /** Every order that the filter finds, one page after the other: `for await (const order of …)`. */
      each: (filter: Omit<OrderFilter, 'after'> = {}) => eachOf(filter, listOrders, ({ orders }) => orders),
      /** `GET /v1/orders/:order_no`: an order with its sums and its timeline. */
      get: (orderNo: string) => {
        const route = '/v1/orders/:order_no';
        return getAt(orderWithTimeline, route, () => orderPathOf(route, orderNo));
      },
      /**
       * `POST /v1/orders/:order_no/reconcile`: queries the gateway for an order now, and returns the same as `get`; without its
       * timeline where the key has not the scope `console`.
       */
      reconcile: (orderNo: string, postOptions?: PostOptions): Call<OrderDetail> => {
        const route = '/v1/orders/:order_no/reconcile';
        return post(orderDetail, { route, path: () => orderPathOf(route, orderNo) }, {}, postOptions);
      },
      /** `POST /v1/orders/:order_no/notes`: keeps a note in the order's timeline. */
      note: (orderNo: string, body: NoteOrder, postOptions?: PostOptions): Call<OrderNoteAnswer> => {
        const route = '/v1/orders/:order_no/notes';
        return post(orderNote, { route, path: () => orderPathOf(route, orderNo) }, body, postOptions);
      },
      /**
       * `POST /v1/orders/:order_no/refund`: gives back a part of an order's payment, or all that is left. This and the next three resolve
       * where the gateway did it; they reject with OperationDeclined where it did not, with OutcomeUnknown where it may have.
       */
      refund: onPayment<z.input<typeof refundOrder>>('refund'),
      /** `POST /v1/orders/:order_no/capture`: captures a part of an authorised payment, or the whole rest. */
      capture: onPayment<z.input<typeof captureOrder>>('capture'),
      /** `POST /v1/orders/:order_no/cancel`: cancels an authorised payment. */
      cancel: onPayment<z.input<typeof cancelOrder>>('cancel'),
      /** `POST /v1/orders/:order_no/review`: accepts or rejects a payment that is held for review. */
      review: onPayment<z.input<typeof reviewOrder>>('review'),
    },
    subscriptions: {
      /** `GET /v1/subscriptions`: one page of contracts, newest first, with the next charge to expect. */
      list: listSubscriptions,
      /** Every contract that the filter finds, one page after the other: `for await (const contract of …)`. */
      each: (filter: SubscriptionFilter = {}) =>
        eachOf(filter, listSubscriptions, ({ subscriptions }) => subscriptions),
      /** `POST /v1/subscriptions/:recurring_id/acknowledge`: a person is done with the charges of a contract that failed. */
      acknowledge: (
        recurringId: string,
        body: AcknowledgeSubscription,
        postOptions?: PostOptions,
      ): Call<SubscriptionAnswer> => {
        const route = '/v1/subscriptions/:recurring_id/acknowledge';
        return post(subscriptionAnswer, { route, path: () => contractPathOf(route, recurringId) }, body, postOptions);
      },
    },
    payments: {
      /** `POST /v1/payments`: pays with a card, a token or a method that the shop itself holds (§2.1, §2.3). */
      create: (body: z.input<typeof createPayment>, postOptions?: PostOptions) =>
        post(paymentAnswer, { route: '/v1/payments' }, body, postOptions),

      /** `GET /v1/payments`: one page of payments, those of the newest orders first. It may hold none while there is a `next`. */
      list: listPayments,
      /** Every payment that the filter finds, one page after the other: `for await (const payment of …)`. */
      each: (filter: PaymentFilter = {}) => eachOf(filter, listPayments, ({ payments }) => payments),
      /** `GET /v1/payments/:transaction_id`: one payment, its status, its sums, and the operations on it. */
      get: (transactionId: string) => {
        const route = '/v1/payments/:transaction_id';
        return getAt(orderPayment, route, () => paymentPathOf(route, transactionId));
      },
      /** `POST /v1/payments/:transaction_id/settle`: a person who looked at the gateway's records decides about a payment. */
      settle: (transactionId: string, body: SettlePayment, postOptions?: PostOptions): Call<OrderPaymentAnswer> => {
        const route = '/v1/payments/:transaction_id/settle';
        return post(orderPayment, { route, path: () => paymentPathOf(route, transactionId) }, body, postOptions);
      },
    },
    ...routed,
    operations: {
      /** `GET /v1/operations`: one page of operations, newest first. */
      list: listOperations,
      /** Every operation that the filter finds, one page after the other: `for await (const operation of …)`. */
      each: (filter: OperationFilter = {}) => eachOf(filter, listOperations, ({ operations }) => operations),
      /** `GET /v1/operations/:id`: the outcome of a batch, a subscription's end or a payout. */
      get: (id: string) => get(operationAnswer, '/v1/operations/:id', id),
      /** `POST /v1/operations/:id/settle`: a person states the outcome of one whose outcome is unknown. */
      settle: (id: string, body: z.input<typeof settleBody>, postOptions?: PostOptions) =>
        postTo(operationAnswer, '/v1/operations/:id/settle', id, body, postOptions),
    },
    events: {
      /** `GET /v1/events`: one page of webhooks, newest first. */
      list: listEvents,
      /** Every webhook that the filter finds, one page after the other: `for await (const event of …)`. */
      each: (filter: EventFilter = {}) => eachOf(filter, listEvents, ({ events }) => events),
      /** `GET /v1/events/:id`: the body of a webhook, and the state of its delivery. */
      get: (id: string) => get(eventAnswer, '/v1/events/:id', id),
      /** `POST /v1/events/:id/redeliver`: sends a webhook again, under the same id, that was delivered or given up. */
      redeliver: (id: string, postOptions?: PostOptions) =>
        postTo(eventAnswer, '/v1/events/:id/redeliver', id, {}, postOptions),
      /** `POST /v1/events/redeliver`: the same for up to 100, by their ids or of those that were given up. */
      redeliverMany: (body: z.input<typeof redeliverEvents>, postOptions?: PostOptions) =>
        post(redelivered, { route: '/v1/events/redeliver' }, body, postOptions),
      /** `POST /v1/events/:id/acknowledge`: marks a failed webhook as resolved: it no longer counts as failed. */
      acknowledge: (id: string, postOptions?: PostOptions) =>
        postTo(eventAnswer, '/v1/events/:id/acknowledge', id, {}, postOptions),
    },
    webhooks: {
      /** `GET /v1/webhooks`: the endpoints of the account, and how deliveries to them go. */
      list: () => getAt(endpointList, '/v1/webhooks', () => '/v1/webhooks'),
    },
    profile: {
      /** `GET /v1/profile`: the meanings of the codes in the gateway's records. */
      get: () => getAt(profileAnswer, '/v1/profile', () => '/v1/profile'),
    },
    audit: {
      /** `GET /v1/audit`: one page of the audit log, newest first. */
      list: listAudit,
      /** Every entry, one page after the other: `for await (const entry of …)`. */
      each: (filter: AuditFilter = {}) => eachOf(filter, listAudit, ({ entries }) => entries),
    },
    reconciliations: {
      /** `POST /v1/reconciliations`: stores the result of a comparison with the gateway's records, and replaces the previous one. */
      report: (body: ReconciliationReport, postOptions?: PostOptions) =>
        post(reconciliation, { route: '/v1/reconciliations' }, body, postOptions),
      /** `GET /v1/reconciliations/last`: the result of the last comparison. */
      last: () => getAt(reconciliation, '/v1/reconciliations/last', () => '/v1/reconciliations/last'),
    },
    /**
     * Sends a request to any path of the API, such as `/v1/orders?limit=5`, and resolves to the answer as it came: for routes of a newer
     * relay, and for scripts.
     */
    request: (
      { method, path, body = {} }: { method: 'GET' | 'POST'; path: string; body?: object },
      postOptions: PostOptions = {},
    ): Call<unknown> => {
      const sent = async () => {
        const route = { method, ...rawPathOf(path) };
        if (method === 'GET') return send(settings, route, anyJson);
        return send(
          settings,
          { ...route, body: jsonOf(body), idempotencyKey: keyOf(postOptions.idempotencyKey) },
          anyJson,
        );
      };
      return callOf(sent());
    },
    /** `GET /v1/search`: orders, payments, sessions, operations and contracts, by a text of any kind. */
    search: (q: string) => getAt(searchAnswer, '/v1/search', () => `/v1/search${textQueryOf({ q })}`),
    /** `GET /v1/attention`: the cases that wait for a person or for the gateway, most urgent first. */
    attention: () => getAt(attention, '/v1/attention', () => '/v1/attention'),
    /** `GET /v1/stats`: counts and sums of payments and refunds, by hour or day. */
    stats: (filter: StatsFilter = {}) => getAt(stats, '/v1/stats', () => `/v1/stats${textQueryOf(filter)}`),
  };
}

export type Client = ReturnType<typeof createClient>;

/** Every entry of a list, page by page. A page is requested when the previous one has been read. */
async function* eachOf<Filter extends { before?: string }, Page extends { next?: string | undefined }, Entry>(
  filter: Filter,
  list: (filter: Filter) => Promise<Page>,
  entriesOf: (page: Page) => readonly Entry[],
): AsyncGenerator<Entry, void, undefined> {
  let page = await list(filter);
  yield* entriesOf(page);
  while (page.next !== undefined) {
    page = await list({ ...filter, before: page.next });
    yield* entriesOf(page);
  }
}

import { z } from 'zod';
import { attention } from '../shared/api/attention.ts';
import { endpointList } from '../shared/api/endpoint.ts';
import { keyAnswer } from '../shared/api/key.ts';
import { profileAnswer } from '../shared/api/profile.ts';
import { searchAnswer } from '../shared/api/search.ts';
import { type StatsFilter, stats } from '../shared/api/stats.ts';
import { operations, type RoutedName } from '../shared/gateway/operations.ts';
import { createRequests, type PostOptions } from './requests.ts';
import { auditOf } from './resources/audit.ts';
import { eventsOf } from './resources/events.ts';
import { operationsOf } from './resources/operations.ts';
import { ordersOf } from './resources/orders.ts';
import { paymentsOf } from './resources/payments.ts';
import { reconciliationsOf } from './resources/reconciliations.ts';
import { requestLogOf } from './resources/request-log.ts';
import { sessionsOf } from './resources/sessions.ts';
import { subscriptionsOf } from './resources/subscriptions.ts';
import { type Call, callOf, send } from './send.ts';
import { type ClientOptions, jsonOf, keyOf, rawPathOf, settingsOf, textQueryOf } from './settings.ts';

/** The parameter and the result of an operation's method. */
export type BodyOf<Name extends RoutedName> = z.input<(typeof operations)[Name]['route']['body']>;
export type AnswerOf<Name extends RoutedName> = z.output<(typeof operations)[Name]['answer']>;

/** Any JSON answer. */
const anyJson = z.unknown().refine((answer) => answer !== undefined);

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/**
 * Creates a client of the relay's server-side API, for shops' servers. Throws ClientMisused.
 *
 * The client retries after a lost connection, a 503 and `in_progress`; it retries a POST with the same Idempotency-Key.
 * Every method rejects with RelayRefused, RelayUnreachable or RelayAnswerUnusable, or with ClientMisused if the request
 * cannot be sent.
 */
export function createClient(options: ClientOptions) {
  const settings = settingsOf(options);
  const requests = createRequests(settings);
  const { getAt, post } = requests;

  const operation =
    <Body extends z.ZodType<object, object>, Answer extends z.ZodType>(of: {
      route: { path: string; body: Body; answer: Answer };
    }) =>
    (body: z.input<Body>, postOptions?: PostOptions): Call<z.output<Answer>> =>
      post(of.route.answer, { route: of.route.path }, body, postOptions);

  const routed = {
    /** `POST /v1/query`: the gateway's records of orders and transactions (§4.1). */
    query: operation(operations.query),
    /** `POST /v1/refund`: refunds payments, up to 50 refunds at once (§2.5). */
    refund: operation(operations.refund),
    /** `POST /v1/refund/search`: the gateway's records of refunds (§4.2). */
    refundSearch: operation(operations.refund_search),
    /** `POST /v1/review`: accepts or rejects transactions that are held for review (§2.6). */
    review: operation(operations.review),
    /** `POST /v1/capture`: captures authorised payments (§2.6). */
    capture: operation(operations.capture),
    /** `POST /v1/cancel`: cancels an authorised payment (§2.6). */
    cancel: operation(operations.cancel),
    /**
     * `POST /v1/subscription/cancel`: ends a contract (§2.8). No further charge for the subscription; contracts
     * already created are still charged at the end of their period unless cancelled by hand.
     */
    subscriptionCancel: operation(operations.subscription_cancel),
    /** `POST /v1/payout`: makes a payout, once for each `request_id` (§2.9). */
    payout: operation(operations.payout),
  } satisfies Record<CamelCase<RoutedName>, unknown>;

  return {
    sessions: sessionsOf(requests),
    orders: ordersOf(requests),
    subscriptions: subscriptionsOf(requests),
    payments: paymentsOf(requests),
    ...routed,
    operations: operationsOf(requests),
    events: eventsOf(requests),
    webhooks: {
      /** `GET /v1/webhooks`: the endpoints of the account, each with the state of its deliveries. */
      list: () => getAt(endpointList, '/v1/webhooks', () => '/v1/webhooks'),
    },
    profile: {
      /** `GET /v1/profile`: the meanings of the codes in the gateway's records. */
      get: () => getAt(profileAnswer, '/v1/profile', () => '/v1/profile'),
    },
    audit: auditOf(requests),
    requests: requestLogOf(requests),
    key: {
      /** `GET /v1/key`: the name, the account and the scopes of the API key. */
      get: () => getAt(keyAnswer, '/v1/key', () => '/v1/key'),
    },
    reconciliations: reconciliationsOf(requests),
    /**
     * Sends a request to any path of the API, such as `/v1/orders?limit=5`, and resolves to the unchanged answer. For
     * routes of a newer relay, and for scripts.
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
    /** `GET /v1/search`: orders, payments, sessions, operations and contracts that match a text. */
    search: (q: string) => getAt(searchAnswer, '/v1/search', () => `/v1/search${textQueryOf({ q })}`),
    /** `GET /v1/attention`: the cases that wait for a person or for the gateway, most urgent first. */
    attention: () => getAt(attention, '/v1/attention', () => '/v1/attention'),
    /** `GET /v1/stats`: counts and sums of payments and refunds, by hour or day. */
    stats: (filter: StatsFilter = {}) => getAt(stats, '/v1/stats', () => `/v1/stats${textQueryOf(filter)}`),
  };
}

export type Client = ReturnType<typeof createClient>;

import type { Attention } from '../../shared/api/attention.ts';
import type { AuditList } from '../../shared/api/audit.ts';
import type { Me } from '../../shared/api/console.ts';
import type { EventAnswer, EventList, RedeliverEvents, Redelivered } from '../../shared/api/event.ts';
import type { OperationAnswer, OperationList, SettleBody } from '../../shared/api/operation.ts';
import type { OrderList, OrderWithTimeline } from '../../shared/api/order.ts';
import type { SettleSession } from '../../shared/api/session.ts';
import type { Stats } from '../../shared/api/stats.ts';
import type { SubscriptionList } from '../../shared/api/subscription.ts';
import { type Answered, Refused, type Surroundings, send } from './send.ts';

const CONSOLE_API = '/console/api';

/** What moves or frees money of a payment. */
export type MoneyAction = 'refund' | 'capture' | 'cancel' | 'review';

export type MoneyItem = {
  transaction_id: string;
  order_no: string;
  currency: string;
  amount: string;
  refund_amount?: string;
  refund_reason?: string;
  review_flag?: string;
  /** Not sent in the body: what was refunded before as the person read it. The relay refuses a refund where it is otherwise. */
  refunded?: string;
};

/** A payout (§2.9); its request_id names it alone. */
export type Payout = { request_id: string; readonly [field: string]: unknown };

export type Contract = { recurring_id: string; contract_name?: string };

/** What the page asks the relay for about one account. Each throws Refused, Unanswered or Unreadable. */
export type Api = {
  orders(query: URLSearchParams): Promise<OrderList>;
  order(orderNo: string): Promise<OrderWithTimeline>;
  operation(id: string): Promise<OperationAnswer>;
  operations(query: URLSearchParams): Promise<OperationList>;
  subscriptions(query: URLSearchParams): Promise<SubscriptionList>;
  events(query: URLSearchParams): Promise<EventList>;
  event(id: string): Promise<EventAnswer>;
  stats(query: URLSearchParams): Promise<Stats>;
  audit(query: URLSearchParams): Promise<AuditList>;
  attention(): Promise<Attention>;
  /** Returns the id of the operation. */
  move(action: MoneyAction, item: MoneyItem, key: string): Promise<string | undefined>;
  /** Pays somebody out. Returns the id of the operation. */
  payOut(payout: Payout, key: string): Promise<string | undefined>;
  /** Ends a contract. Returns the id of the operation. */
  endSubscription(contract: Contract, key: string): Promise<string | undefined>;
  reconcile(orderNo: string, key: string): Promise<OrderWithTimeline>;
  settleSession(id: string, body: SettleSession, key: string): Promise<unknown>;
  settleOperation(id: string, body: SettleBody, key: string): Promise<unknown>;
  redeliver(id: string, key: string): Promise<unknown>;
  redeliverMany(body: RedeliverEvents, key: string): Promise<Redelivered>;
  acknowledge(id: string, key: string): Promise<unknown>;
  /** Fulfils once the person is signed in, again where the sign-in expired. */
  stillSignedIn(): Promise<void>;
  /** The address of what a filter finds, as a file for spreadsheets. */
  csvPath(list: 'orders' | 'audit', query: URLSearchParams): string;
  livePath: string;
};

export function apiOf(surroundings: Surroundings, account: string): Api {
  const base = `${CONSOLE_API}/${encodeURIComponent(account)}`;
  const get = async <T>(path: string): Promise<T> =>
    (await send<T>(surroundings, { path: `${base}/v1${path}` })).answer;
  const post = <T>(path: string, body: object, key: string, headers = {}): Promise<Answered<T>> =>
    send<T>(surroundings, { path: `${base}/v1${path}`, body, key, headers });
  const done = async <T>(path: string, body: object, key: string): Promise<T> =>
    (await post<T>(path, body, key)).answer;
  const id = encodeURIComponent;
  return {
    orders: (query) => firstFound(query, (page) => get(`/orders?${page}`)),
    order: (orderNo) => get(`/orders/${id(orderNo)}`),
    operation: (operation) => get(`/operations/${id(operation)}`),
    operations: (query) => get(`/operations?${query}`),
    subscriptions: (query) => get(`/subscriptions?${query}`),
    events: (query) => get(`/events?${query}`),
    event: (event) => get(`/events/${id(event)}`),
    stats: (query) => get(`/stats?${query}`),
    audit: (query) => get(`/audit?${query}`),
    attention: () => get('/attention'),
    move: async (action, { refunded, ...item }, key) => {
      const headers = refunded === undefined ? {} : { 'X-Refunded-Before': refunded };
      return (await post(`/${action}`, { [`${action}_orders`]: [item] }, key, headers)).operationId;
    },
    payOut: async (payout, key) => (await post('/payout', payout, key)).operationId,
    endSubscription: async (contract, key) => (await post('/subscription/cancel', contract, key)).operationId,
    reconcile: (orderNo, key) => done(`/orders/${id(orderNo)}/reconcile`, {}, key),
    settleSession: (session, body, key) => done(`/sessions/${id(session)}/settle`, body, key),
    settleOperation: (operation, body, key) => done(`/operations/${id(operation)}/settle`, body, key),
    redeliver: (event, key) => done(`/events/${id(event)}/redeliver`, {}, key),
    redeliverMany: (body, key) => done('/events/redeliver', body, key),
    acknowledge: (event, key) => done(`/events/${id(event)}/acknowledge`, {}, key),
    stillSignedIn: async () => void (await send(surroundings, { path: `${CONSOLE_API}/me` })),
    csvPath: (list, query) => `${base}/v1/${list}?${new URLSearchParams([...query, ['format', 'csv']])}`,
    livePath: `${base}/live`,
  };
}

/** How many pages that have nothing are passed over before the person is asked. */
const MAX_EMPTY_PAGES = 10;

/** The first page that has something: a filter may pass over many orders at once, and then tells where to go on. */
async function firstFound(
  query: URLSearchParams,
  read: (page: URLSearchParams) => Promise<OrderList>,
): Promise<OrderList> {
  const page = new URLSearchParams(query);
  for (let empty = 0; ; empty++) {
    const answer = await read(page);
    if (answer.orders.length > 0 || answer.next === undefined || empty === MAX_EMPTY_PAGES) return answer;
    page.set('before', answer.next);
  }
}

/** What signing in and out needs. */
export type SignInApi = {
  /** Undefined where nobody is signed in. Throws Unanswered or Refused. */
  me(): Promise<Me | undefined>;
  /** Throws Refused where the name or the password is wrong, or was tried too often. */
  signIn(name: string, password: string): Promise<Me>;
  signOut(csrf: string): Promise<void>;
};

export function signInApi({ fetch, wait }: Pick<Surroundings, 'fetch' | 'wait'>): SignInApi {
  const plain: Surroundings = {
    ...{ fetch, wait, csrf: () => '', isIdle: () => false },
    signInAgain: () => Promise.reject(new SignedOut()),
  };
  return {
    me: async () => {
      try {
        return (await send<Me>(plain, { path: `${CONSOLE_API}/me` })).answer;
      } catch (error) {
        if (error instanceof SignedOut) return undefined;
        throw error;
      }
    },
    signIn: async (name, password) => {
      try {
        return (await send<Me>(plain, { path: `${CONSOLE_API}/sign-in`, body: { name, password } })).answer;
      } catch (error) {
        if (error instanceof SignedOut) throw WRONG;
        throw error;
      }
    },
    signOut: async (csrf) => {
      const surroundings = { ...plain, csrf: () => csrf };
      await send(surroundings, { path: `${CONSOLE_API}/sign-out`, body: {} }).catch((error: unknown) => {
        if (!(error instanceof SignedOut)) throw error;
      });
    },
  };
}

class SignedOut extends Error {}

const WRONG = new Refused({
  ...{ status: 401, code: 'unauthorized', detail: 'wrong name or password' },
  ...{ operationId: undefined, retryAfterSeconds: undefined },
});

/**
 * A new idempotency key, for one intent. It has the form of a UUID, because it is a payout's request_id, too; browsers make
 * UUIDs themselves only for pages that come by https.
 */
export function newKey(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'));
  return bytes.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

import type { ApprovalList, HeldAnswer } from '../../shared/api/approval.ts';
import type { Attention } from '../../shared/api/attention.ts';
import type { AuditList } from '../../shared/api/audit.ts';
import type { Me, Own } from '../../shared/api/console.ts';
import type { EventAnswer, EventList, RedeliverEvents, Redelivered } from '../../shared/api/event.ts';
import type { OperationAnswer, OperationList, SettleBody } from '../../shared/api/operation.ts';
import type { OrderList, OrderWithTimeline } from '../../shared/api/order.ts';
import type { NoteOrder } from '../../shared/api/order-note.ts';
import type { PaymentList, SettlePayment } from '../../shared/api/order-payment.ts';
import type { RequestList } from '../../shared/api/request.ts';
import type { SearchAnswer } from '../../shared/api/search.ts';
import type { SessionAnswer, SettleSession } from '../../shared/api/session.ts';
import type { Stats } from '../../shared/api/stats.ts';
import type { SubscriptionList } from '../../shared/api/subscription.ts';
import { type Answered, Refused, type Surroundings, send } from './send.ts';

/** The base path of the console's own requests. */
export const CONSOLE_API = '/console/api';

/** The path of a route of the HTTP API, such as `/orders`, for an account. */
export const apiPath = (account: string, path: string): string =>
  `${CONSOLE_API}/${encodeURIComponent(account)}/v1${path}`;

/** The actions that move or release money of a payment. */
export type MoneyAction = 'refund' | 'capture' | 'cancel' | 'review';

export type MoneyItem = {
  transaction_id: string;
  order_no: string;
  currency: string;
  amount: string;
  refund_amount?: string;
  refund_reason?: string;
  review_flag?: string;
  /** The refunded amount that the person saw, sent as a header. The relay refuses the refund if the amount has changed. */
  refunded?: string;
};

/** A payout (§2.9). Its request_id identifies it. */
export type Payout = { request_id: string; readonly [field: string]: unknown };

/** The lists that the relay exports as CSV. */
export type CsvList = 'orders' | 'payments' | 'operations' | 'subscriptions' | 'events' | 'audit';

export type Contract = { recurring_id: string; contract_name?: string };

/** The result of a request that moves money: the operation, or the time until which another person may approve it. */
export type Moved = { operationId: string | undefined; heldUntil?: string };

/** The decisions that end a request for approval. */
export type Verdict = 'approve' | 'decline' | 'withdraw';

/** The requests about one account. Each throws Refused, Unanswered or Unreadable. */
export type Api = ReturnType<typeof apiOf>;

/** Creates the requests of one account. `surroundings` says how they are sent. */
export function apiOf(surroundings: Surroundings, account: string) {
  const get = async <T>(path: string): Promise<T> =>
    (await send<T>(surroundings, { path: apiPath(account, path) })).answer;
  const list =
    <T>(path: string) =>
    (query: URLSearchParams) =>
      get<T>(`${path}?${query}`);
  const post = <T>(path: string, body: object, key: string, headers = {}) =>
    send<T>(surroundings, { path: apiPath(account, path), body, key, headers });
  const id = encodeURIComponent;
  const moving = async (path: string, body: object, key: string, headers = {}): Promise<Moved> => {
    const { answer, operationId } = await post<Partial<HeldAnswer>>(path, body, key, headers);
    const held = operationId === undefined ? answer.approval : undefined;
    return { operationId, ...(held ? { heldUntil: held.expires_at } : {}) };
  };
  return {
    orders: (query: URLSearchParams) => firstFound(query, list<OrderList>('/orders'), 'orders'),
    search: (q: string) => get<SearchAnswer>(`/search?${new URLSearchParams({ q })}`),
    order: (orderNo: string) => get<OrderWithTimeline>(`/orders/${id(orderNo)}`),
    payments: (query: URLSearchParams) => firstFound(query, list<PaymentList>('/payments'), 'payments'),
    operation: (operation: string) => get<OperationAnswer>(`/operations/${id(operation)}`),
    operations: list<OperationList>('/operations'),
    subscriptions: list<SubscriptionList>('/subscriptions'),
    events: list<EventList>('/events'),
    event: (event: string) => get<EventAnswer>(`/events/${id(event)}`),
    stats: list<Stats>('/stats'),
    audit: list<AuditList>('/audit'),
    requests: (query: URLSearchParams) => firstFound(query, list<RequestList>('/requests'), 'requests'),
    attention: () => get<Attention>('/attention'),
    approvals: async () => (await get<ApprovalList>('/approvals')).approvals,
    move: (action: MoneyAction, { refunded, ...item }: MoneyItem, key: string) => {
      const headers = refunded === undefined ? {} : { 'X-Refunded-Before': refunded };
      return moving(`/${action}`, { [`${action}_orders`]: [item] }, key, headers);
    },
    payOut: (payout: Payout, key: string) => moving('/payout', payout, key),
    endSubscription: (contract: Contract, key: string) => moving('/subscription/cancel', contract, key),
    decide: (approval: string, verdict: Verdict, body: { note?: string }, key: string) =>
      moving(`/approvals/${id(approval)}/${verdict}`, body, key),
    session: (session: string) => get<SessionAnswer>(`/sessions/${id(session)}`),
    expireSession: (session: string, key: string) => post(`/sessions/${id(session)}/expire`, {}, key),
    reconcile: (orderNo: string, key: string) => post(`/orders/${id(orderNo)}/reconcile`, {}, key),
    noteOrder: (orderNo: string, body: NoteOrder, key: string) => post(`/orders/${id(orderNo)}/notes`, body, key),
    settleSession: (session: string, body: SettleSession, key: string) =>
      post(`/sessions/${id(session)}/settle`, body, key),
    settlePayment: (transaction: string, body: SettlePayment, key: string) =>
      post(`/payments/${id(transaction)}/settle`, body, key),
    settleOperation: (operation: string, body: SettleBody, key: string) =>
      post(`/operations/${id(operation)}/settle`, body, key),
    redeliver: (event: string, key: string) => post(`/events/${id(event)}/redeliver`, {}, key),
    redeliverMany: async (body: RedeliverEvents, key: string) =>
      (await post<Redelivered>('/events/redeliver', body, key)).answer,
    acknowledge: (event: string, key: string) => post(`/events/${id(event)}/acknowledge`, {}, key),
    ...ownApi(surroundings),
    /** Resolves once the person is signed in; asks for the password if the sign-in expired. */
    stillSignedIn: () => send(surroundings, { path: `${CONSOLE_API}/me` }),
    /** The address of a CSV file with the records that a filter matches. */
    csvPath: (list: CsvList, query: URLSearchParams) =>
      apiPath(account, `/${list}?${new URLSearchParams([...query, ['format', 'csv']])}`),
    livePath: `${CONSOLE_API}/${id(account)}/live`,
  };
}

/** A page of a list under this name. */
type ListedAs<Name extends string> = { [Own in Name]: readonly unknown[] } & {
  next?: string | undefined;
  previous?: string | undefined;
};
/** The requests about the person's own sign-in. */
export function ownApi(surroundings: Surroundings) {
  return {
    own: async () => (await send<Own>(surroundings, { path: `${CONSOLE_API}/own` })).answer,
    changeOwn: async <T>(what: string, body: object) =>
      (await send<T>(surroundings, { path: `${CONSOLE_API}/own/${what}`, body, isOnce: true })).answer,
  };
}

/** Changes something of the person's own sign-in. */
export type ChangeOwn = ReturnType<typeof ownApi>['changeOwn'];

/** The number of empty pages that are skipped before the person is asked. */
const MAX_EMPTY_PAGES = 10;

/** The first page that has entries. A page of a narrow filter may be empty and still have a next one. */
async function firstFound<Found extends 'orders' | 'payments' | 'requests', Page extends ListedAs<Found>>(
  query: URLSearchParams,
  read: (page: URLSearchParams) => Promise<Page>,
  found: Found,
): Promise<Page> {
  const page = new URLSearchParams(query);
  const isBack = page.has('after');
  for (let empty = 0; ; empty++) {
    const answer = await read(page);
    const more = isBack ? answer.previous : answer.next;
    if (answer[found].length > 0 || more === undefined || empty === MAX_EMPTY_PAGES) return answer;
    page.set(isBack ? 'after' : 'before', more);
  }
}

/** The parts that signing in and out needs. */
export type SignInApi = ReturnType<typeof signInApi>;

/** Creates the requests that sign a person in and out. None of them asks for the password. */
export function signInApi({ fetch, wait }: Pick<Surroundings, 'fetch' | 'wait'>) {
  const plain: Surroundings = {
    ...{ fetch, wait, csrf: () => '', isIdle: () => false },
    signInAgain: () => Promise.reject(new SignedOut()),
  };
  const whereSignedOut =
    <T>(then: () => T) =>
    (error: unknown): T => {
      if (error instanceof SignedOut) return then();
      throw error;
    };
  const toMe = ({ answer }: Answered<Me>): Me => answer;
  return {
    /** Returns undefined if the person is not signed in. Throws Unanswered or Refused. */
    me: () =>
      send<Me>(plain, { path: `${CONSOLE_API}/me` }).then(
        toMe,
        whereSignedOut(() => undefined),
      ),
    /** Throws Refused if the name, the password or the code is wrong, or was tried too often. */
    signIn: (body: { name: string; password: string; code?: string }) =>
      send<Me>(plain, { path: `${CONSOLE_API}/sign-in`, body, isOnce: true }).then(
        toMe,
        whereSignedOut((): never => {
          throw new Refused({ status: 401, code: 'unauthorized', detail: 'wrong name or password' });
        }),
      ),
    /** Changes the sign-in of a person who must set up a second factor first. */
    changeOwn: (csrf: string): ChangeOwn => ownApi({ ...plain, csrf: () => csrf }).changeOwn,
    signOut: async (csrf: string) => {
      const sent = send({ ...plain, csrf: () => csrf }, { path: `${CONSOLE_API}/sign-out`, body: {} });
      await sent.catch(whereSignedOut(() => undefined));
    },
  };
}

/** The error of a sign-in that has expired. It does not ask for the password. */
export class SignedOut extends Error {}

/**
 * A new idempotency key, for one intent. It has the form of a UUID, because it is a payout's request_id, too; browsers make
 * UUIDs themselves only for pages that come by https.
 */
export function newKey(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'));
  return bytes.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

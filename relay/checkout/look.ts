import type { OrderRecord } from '../../shared/gateway/query.ts';
import { queryAnswer } from '../../shared/gateway/query.ts';
import { accountOf, type Context } from '../context.ts';
import type { Account } from '../load-config.ts';
import { findAttempt } from './find.ts';
import type { Session } from './session.ts';
import { afterLook, type Finding } from './transitions.ts';

/** The records of a query that counts, or undefined when it proves nothing. */
type Records = readonly OrderRecord[] | undefined;

/**
 * Why the gateway is asked. Only a shopper who is back proves that a payment which the gateway does not know was left;
 * anybody else may ask while the shopper is still at the issuer's page.
 */
export type Occasion = 'shopper_is_back' | 'resolver' | 'notification';

/**
 * Asks the gateway about redirected and unknown sessions of one account (at most 100, §8) in one query, and writes what
 * it proves. Sessions in another state are left alone. Throws StoreError.
 */
export async function lookAt(
  context: Context,
  account: Account,
  sessions: readonly Session[],
  occasion: Occasion,
): Promise<void> {
  const records = await queryOrders(context, account, [...new Set(sessions.map((session) => session.order_no))]);
  for (const session of sessions) await settleByRecords(context, session, records, occasion);
}

const looking = new WeakMap<Context, Map<string, Promise<void>>>();

/** `lookAt` for one session; callers that ask at the same time share one query. Returns the session as it is then. */
export async function lookOnce(context: Context, session: Session, occasion: Occasion): Promise<Session> {
  const running = looking.get(context) ?? new Map<string, Promise<void>>();
  looking.set(context, running);
  const key = `${session.id} ${occasion}`;
  const look =
    running.get(key) ??
    lookAt(context, accountOf(context, session.account), [session], occasion).finally(() => running.delete(key));
  running.set(key, look);
  await look;
  return (await context.store.session(session.id)) ?? session;
}

async function queryOrders(context: Context, account: Account, orderNos: string[]): Promise<Records> {
  const { profile } = context.config.gateway;
  const called = await context.call('query', { ...account }, { orders: orderNos.join(profile.list_separator) });
  if (called.kind !== 'answer') return undefined;
  const answer = queryAnswer.parse(called.message);
  const counts =
    profile.codes.return_status.success.includes(answer.return_status ?? '') &&
    answer.merchant_id === account.merchant_id &&
    answer.account_id === account.account_id;
  return counts ? (answer.orders_list ?? []) : undefined;
}

async function settleByRecords(
  context: Context,
  session: Session,
  records: Records,
  occasion: Occasion,
): Promise<void> {
  const { state } = session;
  if (state.status !== 'redirected' && state.status !== 'unknown') return;
  const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
  const attempt = attempts.find(({ id }) => id === state.attempt_id);
  if (!attempt) return;
  const { limits, resolve, gateway } = context.config;
  const finding: Finding = records
    ? findAttempt(attempt, attempts, records, gateway.profile.codes.payment_status)
    : { kind: 'not_counted' };
  const isProof = finding.kind === 'approved' || finding.kind === 'declined';
  if (state.status === 'redirected' && occasion !== 'shopper_is_back' && !isProof) return;
  const change = afterLook(session, attempt, finding, { now: context.now(), attempts, limits, resolve });
  const written = await context.store.settle(change.session, change.attempt, change.hold);
  const status = change.session.state.status;
  context.log.info({ session: session.id, finding: finding.kind, status, written }, 'looked at session');
  if (change.session.state.status === 'unknown' && change.session.state.search.needs_attention) {
    context.log.error({ session: session.id }, 'outcome still unknown: a person must look at the gateway’s books');
  }
}

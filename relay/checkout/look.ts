import type { OrderRecord } from '../../shared/gateway/query.ts';
import { queryAnswer } from '../../shared/gateway/query.ts';
import { accountOf, type Context } from '../context.ts';
import type { Account } from '../load-config.ts';
import { afterLook, type Finding, type Occasion } from './after-look.ts';
import { findAttempt } from './find.ts';
import { type Attempt, isUnsettled, type Session } from './session.ts';

/** The records of a query that counts, or undefined when it proves nothing. */
type Records = readonly OrderRecord[] | undefined;

/**
 * Asks the gateway about sessions of one account (at most 100, §8) in one query, and writes what it proves about the
 * attempt that each waits for, or that its shopper left. Returns whether the query counts. Throws StoreError.
 */
export async function lookAt(
  context: Context,
  account: Account,
  sessions: readonly Session[],
  occasion: Occasion,
): Promise<boolean> {
  const records = await queryOrders(context, account, [...new Set(sessions.map((session) => session.order_no))]);
  for (const session of sessions) await settleByRecords(context, session, records, occasion);
  return records !== undefined;
}

const looking = new WeakMap<Context, Map<string, Promise<boolean>>>();

/** `lookAt` for one session; callers that ask at the same time share one query. Also returns the session as it is then. */
export async function lookOnce(
  context: Context,
  session: Session,
  occasion: Occasion,
): Promise<{ session: Session; counts: boolean }> {
  const running = looking.get(context) ?? new Map<string, Promise<boolean>>();
  looking.set(context, running);
  const key = `${session.id} ${occasion}`;
  const look =
    running.get(key) ??
    lookAt(context, accountOf(context, session.account), [session], occasion).finally(() => running.delete(key));
  running.set(key, look);
  const counts = await look;
  return { session: (await context.store.session(session.id)) ?? session, counts };
}

/** True for a session whose truth only the gateway knows: it waits, or its shopper left an attempt without a proof. */
export async function isWorthALook(context: Context, session: Session): Promise<boolean> {
  return attemptInQuestion(session, await attemptsOf(context, session)) !== undefined;
}

/** An attempt that was left unpaid, as far as anybody saw: the shopper may still have paid it, or may still pay it. */
export function wasLeft(attempt: Attempt): boolean {
  return attempt.state.status === 'not_paid';
}

function attemptInQuestion(session: Session, attempts: readonly Attempt[]): Attempt | undefined {
  const { state } = session;
  switch (state.status) {
    case 'redirected':
    case 'unknown':
      return attempts.find(({ id }) => id === state.attempt_id);
    case 'open':
    case 'failed':
    case 'expired':
      // While another session pays this order, a new record may be that one's.
      if (attempts.some(isUnsettled)) return undefined;
      return attempts.findLast((attempt) => attempt.session_id === session.id && wasLeft(attempt));
    case 'processing':
    case 'approved':
      return undefined;
  }
}

async function queryOrders(context: Context, account: Account, orderNos: string[]): Promise<Records> {
  const { profile } = context.config.gateway;
  const called = await context.call('query', account, { orders: orderNos.join(profile.list_separator) });
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
  const asked = attemptInQuestion(session, await attemptsOf(context, session))?.id;
  // Another look may have written meanwhile; what was found still holds, for the attempt that was asked about.
  for (let current: Session | undefined = session; current; current = await context.store.session(session.id)) {
    const attempts = await attemptsOf(context, current);
    const attempt = attemptInQuestion(current, attempts);
    if (!attempt || attempt.id !== asked) return;
    const { limits, resolve, gateway } = context.config;
    const finding: Finding = records
      ? findAttempt(attempt, attempts, records, gateway.profile.codes.payment_status)
      : { kind: 'not_counted' };
    const circumstances = { now: context.now(), attempts, limits, resolve };
    const change = afterLook(current, attempt, finding, occasion, circumstances);
    if (!change) return;
    if (await context.store.settle(change.session, change.attempt, change.hold)) {
      return logLook(context, change.session, finding);
    }
  }
}

function logLook(context: Context, session: Session, finding: Finding): void {
  const { id, state } = session;
  context.log.info({ session: id, finding: finding.kind, status: state.status }, 'looked at session');
  if (state.status === 'unknown' && state.search.needs_attention) {
    context.log.error({ session: id }, 'outcome still unknown: a person must look at the gateway’s books');
  }
}

function attemptsOf(context: Context, session: Session): Promise<Attempt[]> {
  return context.store.attemptsOfOrder(session.account, session.order_no);
}

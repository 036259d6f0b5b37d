import { type OrderRecord, queryAnswer } from '../../shared/gateway/query.ts';
import { accountOf, type Context } from '../context.ts';
import type { Account } from '../load-config.ts';
import { afterLook, type Finding, type Occasion } from './after-look.ts';
import { commit } from './commit.ts';
import { findAttempt } from './find.ts';
import { type Attempt, isUnsettled, type Session } from './session.ts';

/** The records of a query that counts, or undefined when it proves nothing. */
type Records = readonly OrderRecord[] | undefined;

/** What a look is worth: whether its query counts, and whether it found something that is neither paid nor unpaid. */
export type Look = { counts: boolean; undecided: boolean };

/**
 * Asks the gateway about sessions of one account (at most 100, §8) in one query, and writes what it proves about the
 * attempt that each waits for, or about those that its shopper left. Throws StoreError.
 */
export async function lookAt(
  context: Context,
  account: Account,
  sessions: readonly Session[],
  occasion: Occasion,
): Promise<Look> {
  const records = await queryOrders(context, account, [...new Set(sessions.map((session) => session.order_no))]);
  let undecided = false;
  for (const session of sessions) {
    for (const { id } of attemptsInQuestion(session, await attemptsOf(context, session))) {
      const finding = await settleByRecords(context, session, id, records, occasion);
      undecided ||= finding?.kind === 'undecided';
    }
  }
  return { counts: records !== undefined, undecided };
}

const looking = new WeakMap<Context, Map<string, Promise<Look>>>();

/** `lookAt` for one session; callers that ask at the same time share one query. Returns the session as it is then. */
export async function lookOnce(context: Context, session: Session, occasion: Occasion): Promise<Session> {
  const running = looking.get(context) ?? new Map<string, Promise<Look>>();
  looking.set(context, running);
  const key = `${session.id} ${occasion}`;
  const look =
    running.get(key) ??
    lookAt(context, accountOf(context, session.account), [session], occasion).finally(() => running.delete(key));
  running.set(key, look);
  await look;
  return (await context.store.session(session.id)) ?? session;
}

/** True for a session whose truth only the gateway knows: it waits, or its shopper left an attempt without a proof. */
export async function isWorthALook(context: Context, session: Session): Promise<boolean> {
  return attemptsInQuestion(session, await attemptsOf(context, session)).length > 0;
}

/** An attempt that was left unpaid, as far as anybody saw: the shopper may still have paid it, or may still pay it. */
export function wasLeft(attempt: Attempt): boolean {
  return attempt.state.status === 'not_paid';
}

function attemptsInQuestion(session: Session, attempts: readonly Attempt[]): Attempt[] {
  const { state } = session;
  switch (state.status) {
    case 'redirected':
    case 'unknown':
      return attempts.filter(({ id }) => id === state.attempt_id);
    case 'open':
    case 'failed':
    case 'expired':
      // While another session pays this order, a new record may be that one's.
      if (attempts.some(isUnsettled)) return [];
      return attempts.filter((attempt) => attempt.session_id === session.id && wasLeft(attempt));
    case 'processing':
    case 'approved':
      return [];
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
  attemptId: string,
  records: Records,
  occasion: Occasion,
): Promise<Finding | undefined> {
  // Another look may have written meanwhile; what was found still holds, for the attempt that was asked about.
  for (;;) {
    const current = await context.store.session(session.id);
    if (!current) return undefined;
    const attempts = await attemptsOf(context, current);
    const attempt = attemptsInQuestion(current, attempts).find(({ id }) => id === attemptId);
    if (!attempt) return undefined;
    const { limits, resolve, gateway } = context.config;
    const finding: Finding = records
      ? findAttempt(attempt, attempts, records, gateway.profile.codes.payment_status)
      : { kind: 'not_counted' };
    const circumstances = { now: context.now(), attempts, limits, resolve };
    const change = afterLook(current, attempt, finding, occasion, circumstances);
    if (!change) return finding;
    if (await commit(context, current, change)) {
      logLook(context, change.session, finding);
      return finding;
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

import type { Account } from '../config/load.ts';
import { afterLook, type Finding, type Occasion } from '../payments/after-look.ts';
import { findAttempt } from '../payments/find.ts';
import { type Attempt, isUnsettled, type Session, wasLeft } from '../payments/session.ts';
import { afterWatchLook } from '../payments/watch.ts';
import { accountOf, type Context } from '../store/context.ts';
import { type Asked, askOrders } from './ask-orders.ts';
import { commit } from './commit.ts';
import { lookForSecondPayment } from './second-payment.ts';

/** What a look is worth: whether its query counts for all, and whether it found something that is neither paid nor unpaid. */
export type Look = { counts: boolean; undecided: boolean };

/**
 * Asks the gateway about sessions of one account (at most 100, §8) in one query, and writes what it proves about the
 * attempt that each waits for, about those that its shopper left, and about second payments of its order. Sessions may be
 * in any state; of one that is being paid nothing is written. Throws StoreError.
 */
export async function lookAt(
  context: Context,
  account: Account,
  sessions: readonly Session[],
  occasion: Occasion,
): Promise<Look> {
  const orderNos = [...new Set(sessions.map((session) => session.order_no))];
  const askedOf = await askOrders(context, account, orderNos);
  let undecided = false;
  for (const session of sessions) {
    if (await lookAtSession(context, session, askedOf(session.order_no), occasion)) undecided = true;
  }
  let counts = true;
  for (const orderNo of orderNos) {
    const asked = askedOf(orderNo);
    if (!asked.counts) {
      counts = false;
      continue;
    }
    const records = asked.records.filter((record) => record.order_no === orderNo);
    await lookForSecondPayment(context, { account: account.id, order_no: orderNo }, records, (session) =>
      lookAtSession(context, session, asked, occasion),
    );
  }
  return { counts, undecided };
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

/** A shopper who reloads faster is told what the look before found. */
const SHOPPER_LOOKS_MS = 2000;

/** The last look for a shopper that changed nothing, by session: its version then, and when. */
const lookedInVain = new WeakMap<Context, Map<string, { version: number; at: number }>>();

/** So many of them are kept: the oldest goes first. */
const MOST_IN_VAIN = 10_000;

/** `lookOnce` for a shopper who is back, where that is worth a query. Returns the session as it is then. */
export async function lookForShopper(context: Context, session: Session): Promise<Session> {
  if (wasJustLookedAt(context, session) || !(await isWorthALook(context, session))) return session;
  const looked = await lookOnce(context, session, 'shopper_is_back');
  if (looked.version === session.version) keepInVain(context, session);
  return looked;
}

function keepInVain(context: Context, { id, version }: Session): void {
  const inVain = lookedInVain.get(context) ?? new Map<string, { version: number; at: number }>();
  lookedInVain.set(context, inVain);
  inVain.delete(id);
  inVain.set(id, { version, at: context.now().getTime() });
  const [oldest] = inVain.keys();
  if (inVain.size > MOST_IN_VAIN && oldest !== undefined) inVain.delete(oldest);
}

function wasJustLookedAt(context: Context, { id, version, state }: Session): boolean {
  const isRecent = (at: number): boolean => context.now().getTime() - at < SHOPPER_LOOKS_MS;
  if (state.status === 'unknown') return isRecent(Date.parse(state.search.last_look?.at ?? ''));
  const inVain = lookedInVain.get(context)?.get(id);
  return inVain?.version === version && isRecent(inVain.at);
}

/**
 * True for a session whose shopper is worth a query: it waits, or an attempt was left without a proof and nothing else was
 * paid.
 */
export async function isWorthALook(context: Context, session: Session): Promise<boolean> {
  if (session.state.status === 'approved') return false;
  return attemptsInQuestion(session, await attemptsOf(context, session)).some((attempt) => !wasDeclined(attempt));
}

function attemptsInQuestion(session: Session, attempts: readonly Attempt[]): Attempt[] {
  const { state } = session;
  switch (state.status) {
    case 'redirected':
    case 'unknown':
      return attempts.filter(({ id }) => id === state.attempt_id);
    case 'open':
    case 'approved':
    case 'failed':
    case 'expired':
      // While another session pays this order, a new record may be that one's.
      if (attempts.some(isUnsettled)) return [];
      return attemptsThatYield(attempts.filter((attempt) => attempt.session_id === session.id));
    case 'processing':
      return [];
  }
}

/** What was left may be paid yet, and even a decline yields to the gateway's proof that its transaction was paid after all. */
function attemptsThatYield(own: readonly Attempt[]): Attempt[] {
  return [...own.filter(wasLeft), ...own.filter(wasDeclined)];
}

function wasDeclined({ state }: Attempt): boolean {
  return state.status === 'declined';
}

/** Writes what a query proves about one session. True when it found something that is neither paid nor unpaid. */
async function lookAtSession(context: Context, session: Session, asked: Asked, occasion: Occasion): Promise<boolean> {
  let undecided = false;
  for (const attempt of attemptsInQuestion(session, await attemptsOf(context, session))) {
    const finding = await settleByRecords(context, session, attempt.id, asked, occasion);
    if (finding?.kind === 'undecided' && !wasDeclined(attempt)) undecided = true;
  }
  // Once what it waited for is settled, what was left before that is in question: nobody is told "not paid" of an order that
  // the same answer proves to be paid, of the amount that it had before it was changed.
  const settled = isWaiting(session) ? await context.store.session(session.id) : undefined;
  if (settled && !isWaiting(settled)) return lookAtSession(context, settled, asked, occasion);
  if (occasion === 'resolver') await moveWatch(context, session.id);
  return undecided;
}

function isWaiting({ state }: Session): boolean {
  return state.status === 'redirected' || state.status === 'unknown';
}

async function settleByRecords(
  context: Context,
  session: Session,
  attemptId: string,
  asked: Asked,
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
    const finding: Finding = asked.counts
      ? findAttempt(attempt, attempts, asked.records, gateway.profile.codes.payment_status)
      : { kind: 'not_counted', why: asked.why };
    const circumstances = { now: context.now(), attempts, limits, resolve };
    const change = afterLook(current, attempt, finding, occasion, circumstances);
    if (!change) return finding;
    if (await commit(context, current, change)) {
      tellOfLook(context, current, change.session, finding);
      return finding;
    }
  }
}

/** Looks at what was left grow rarer, and end. */
async function moveWatch(context: Context, sessionId: string): Promise<void> {
  for (;;) {
    const session = await context.store.session(sessionId);
    const next = session && afterWatchLook(session, context.now(), context.config.resolve.max_ms);
    if (!next || (await context.store.update(next, []))) return;
  }
}

function tellOfLook(context: Context, before: Session, { id, state }: Session, finding: Finding): void {
  context.log.info({ session: id, finding: finding.kind, status: state.status }, 'looked at session');
  if (!isGivenUp(state) || isGivenUp(before.state)) return;
  context.metrics.gaveUp('session');
  context.log.error({ session: id }, 'outcome still unknown: a person must look at the gateway’s books');
}

function isGivenUp(state: Session['state']): boolean {
  return state.status === 'unknown' && state.search.needs_attention;
}

function attemptsOf(context: Context, session: Session): Promise<Attempt[]> {
  return context.store.attemptsOfOrder(session.account, session.order_no);
}

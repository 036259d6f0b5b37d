import { accountOf, type Context, leaseOf } from '../context.ts';
import { sessionEvents } from '../events/session-events.ts';
import { logFailure, type Rounds, startRounds } from '../rounds.ts';
import { commit } from './commit.ts';
import { lookAt } from './look.ts';
import type { Session } from './session.ts';
import { unknown, withState } from './transitions.ts';

/** Orders in one query (§8). */
const BATCH = 100;

/** How long after its time limit a payment that nobody finished counts as stranded. */
const GRACE_MS = 5000;

/** Between two rounds; shorter where the first look at an unknown session is due sooner. */
const LONGEST_PAUSE_MS = 500;

/**
 * One round of the work that no request asks for: looks at unknown and redirected sessions that are due, takes over payments whose relay
 * died, and closes sessions whose time is over. Throws StoreError.
 */
export async function resolveOnce(context: Context): Promise<void> {
  const { store } = context;
  const now = context.now();
  const lease = leaseOf(context, BATCH);
  const stranded = new Date(now.getTime() - context.config.gateway.timeout_ms - GRACE_MS);
  for (const session of await store.leaseStrandedSessions(lease, stranded.toISOString()))
    await takeOver(context, session);
  for (const session of await store.leaseExpirableSessions(lease)) {
    const expired = withState(session, { status: 'expired' });
    await store.update(expired, await sessionEvents(context, session, { session: expired }));
  }
  const accounts = context.config.accounts.map(({ id }) => id);
  const due = await store.leaseDueSessions(lease, accounts);
  for (const [account, sessions] of Map.groupBy(due, (session) => session.account)) {
    // One account's trouble must not keep the others' shoppers waiting.
    await lookAtAccount(context, account, sessions).catch((error: unknown) =>
      logFailure(context.log, 'resolver', error),
    );
  }
}

/** Runs `resolveOnce` again and again until stopped. `stop` waits for the round that runs. */
export function startResolver(context: Context): Rounds {
  const everyMs = Math.min(LONGEST_PAUSE_MS, context.config.resolve.first_ms);
  return startRounds(context.log, 'resolver', everyMs, () => resolveOnce(context));
}

async function lookAtAccount(context: Context, account: string, sessions: readonly Session[]): Promise<void> {
  await lookAt(context, accountOf(context, account), sessions, 'resolver');
}

async function takeOver(context: Context, session: Session): Promise<void> {
  const { state } = session;
  if (state.status !== 'processing') return;
  const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
  const attempt = attempts.find(({ id }) => id === state.attempt_id);
  if (!attempt) return;
  const { limits, resolve } = context.config;
  const change = unknown(session, attempt, { now: context.now(), attempts, limits, resolve }, 'relay_stopped', {});
  await commit(context, session, change);
  context.log.warn({ session: session.id }, 'a relay stopped while it paid this session; its outcome is looked for');
}

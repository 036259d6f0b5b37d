import { lookAt } from '../checkout/look.ts';
import type { Session } from '../checkout/session.ts';
import { accountOf, type Context, leaseOf } from '../context.ts';
import { logFailure, pause, type Rounds, startRounds } from '../rounds.ts';
import type { Lease } from '../store/store.ts';

/** Orders in one query (§8). */
const BATCH = 100;

/** Notifications lead to at most one look at a session in this time, however many come. */
export const QUIET_MS = 5000;

/** After a look, how long further notifications are gathered for the next: many of them then make few queries. */
export const GATHER_MS = 1000;

/** Between two rounds that no notification asks for: for sessions that were quiet, and for those of a relay that died. */
export const PAUSE_MS = 1000;

/**
 * Asks the gateway about sessions that it notified us of (design 7): up to 100 of them, in one query an account. Those
 * whose query proves nothing are asked about again when their lease runs out. Returns how many there were. Throws StoreError.
 */
export async function lookAtNotified(context: Context): Promise<number> {
  const lease = leaseOf(context, BATCH);
  const quietSince = new Date(Date.parse(lease.now) - QUIET_MS).toISOString();
  const accounts = context.config.accounts.map(({ id }) => id);
  const sessions = await context.store.leaseNotifiedSessions(lease, accounts, quietSince);
  const byAccount = Map.groupBy(sessions, ({ account }) => account);
  // At the same time, so that the last account's lease does not run out while the first one's query does.
  await Promise.all([...byAccount].map(([account, own]) => lookAtAccount(context, account, own, lease)));
  return sessions.length;
}

/** Does so as soon as `context.notified` rings, until stopped; `stop` waits for the queries that run. */
export function startNotified(context: Context): Rounds {
  const round = async (stopping: AbortSignal): Promise<void> => {
    let looked = await lookAtNotified(context);
    if (looked === 0) return;
    while (looked === BATCH && !stopping.aborted) looked = await lookAtNotified(context);
    await pause(GATHER_MS, stopping);
  };
  return startRounds(context.log, 'notifications', PAUSE_MS, round, context.notified);
}

async function lookAtAccount(context: Context, account: string, sessions: Session[], lease: Lease): Promise<void> {
  try {
    const [paying, others] = [sessions.filter(isPaying), sessions.filter((session) => !isPaying(session))];
    await putBack(context, paying, lease);
    if (others.length === 0) return;
    const { counts } = await lookAt(context, accountOf(context, account), others, 'notification');
    if (counts) await context.store.lookedAtNotified(idsOf(others), lease);
  } catch (error) {
    // One account's trouble must not keep the others' shoppers waiting.
    logFailure(context.log, 'notifications', error);
  }
}

/** A payment that is being sent is answered in a moment. Only after that does a query tell anything. */
function isPaying({ state }: Session): boolean {
  return state.status === 'processing';
}

/** Ends the lease of sessions that go on waiting: no notification came before the beginning of time. */
async function putBack(context: Context, sessions: readonly Session[], lease: Lease): Promise<void> {
  if (sessions.length === 0) return;
  await context.store.lookedAtNotified(idsOf(sessions), { ...lease, now: new Date(0).toISOString() });
}

function idsOf(sessions: readonly Session[]): string[] {
  return sessions.map(({ id }) => id);
}

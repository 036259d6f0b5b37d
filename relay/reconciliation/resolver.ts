import { logFailure, type Rounds, startRounds } from '../base/rounds.ts';
import type { Session } from '../payments/session.ts';
import { unknown, withState } from '../payments/transitions.ts';
import { accountOf, type Context, leaseOf } from '../store/context.ts';
import { sessionEvents } from '../webhooks/session-events.ts';
import { commit } from './commit.ts';
import { lookAt } from './look.ts';
import { orphanedBefore } from './orphaned.ts';

/** Orders in one query (§8). */
const BATCH = 100;

/** Between two rounds; shorter where the first look at an unknown session is due sooner. */
const LONGEST_PAUSE_MS = 500;

/** The work on sessions that no request asks for. */
export type Resolver = {
  /**
   * Takes over payments whose relay died, closes sessions whose time is over, and begins to look at the sessions that are
   * due. Does not wait for these looks: a gateway that is slow for one account keeps no other account waiting. Once
   * `stopping` is aborted no further query begins. Throws StoreError.
   */
  round(stopping?: AbortSignal): Promise<void>;
  /** Waits for the looks that run. */
  idle(): Promise<void>;
};

export function createResolver(context: Context): Resolver {
  const { store, config } = context;
  const looking = new Map<string, Promise<void>>();

  /** Sessions of an account that are due, 100 after 100. */
  const lookAtAccount = async (account: string, first: readonly Session[], stopping?: AbortSignal): Promise<void> => {
    let sessions = first;
    while (sessions.length > 0) {
      await lookAt(context, accountOf(context, account), sessions, 'resolver');
      if (stopping?.aborted || sessions.length < BATCH) return;
      sessions = await store.leaseDueSessions(leaseOf(context, BATCH), [account]);
    }
  };

  return {
    async round(stopping) {
      await takeOverStranded(context);
      await closeExpired(context);
      const idle = config.accounts.map(({ id }) => id).filter((id) => !looking.has(id));
      if (idle.length === 0) return;
      const due = await store.leaseDueSessions(leaseOf(context, BATCH), idle);
      for (const [account, sessions] of Map.groupBy(due, (session) => session.account)) {
        const look = lookAtAccount(account, sessions, stopping)
          .catch((error: unknown) => logFailure(context.log, 'resolver', error))
          .finally(() => looking.delete(account));
        looking.set(account, look);
      }
    },
    async idle() {
      await Promise.all(looking.values());
    },
  };
}

/** Runs the resolver's rounds until stopped. `stop` waits for what runs. */
export function startResolver(context: Context): Rounds {
  const resolver = createResolver(context);
  const everyMs = Math.min(LONGEST_PAUSE_MS, context.config.resolve.first_ms);
  const rounds = startRounds(context.log, 'resolver', everyMs, (stopping) => resolver.round(stopping));
  return {
    ...rounds,
    async stop() {
      await rounds.stop();
      await resolver.idle();
    },
  };
}

async function closeExpired(context: Context): Promise<void> {
  for (const session of await context.store.leaseExpirableSessions(leaseOf(context, BATCH))) {
    const expired = withState(session, { status: 'expired' });
    await context.store.update(expired, await sessionEvents(context, session, { session: expired }));
  }
}

async function takeOverStranded(context: Context): Promise<void> {
  for (const session of await context.store.leaseStrandedSessions(leaseOf(context, BATCH), orphanedBefore(context))) {
    await takeOver(context, session);
  }
}

async function takeOver(context: Context, session: Session): Promise<void> {
  const { state } = session;
  if (state.status !== 'processing') return;
  const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
  const attempt = attempts.find(({ id }) => id === state.attempt_id);
  if (!attempt) return;
  const { limits, resolve } = context.config;
  const change = unknown(session, attempt, { now: context.now(), attempts, limits, resolve }, 'relay_stopped', {});
  if (!(await commit(context, session, change))) return;
  context.log.warn({ session: session.id }, 'a relay stopped while it paid this session; its outcome is looked for');
}

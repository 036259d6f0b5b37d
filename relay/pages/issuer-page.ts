import { followIssuerUrl, IssuerError } from '../gateway/issuer/issuer.ts';
import type { Attempt, Session } from '../payments/session.ts';
import { unknown, withState } from '../payments/transitions.ts';
import { commit } from '../reconciliation/commit.ts';
import type { Context } from '../store/context.ts';

/** Where issuer_url leads: to a page, nowhere, or the session no longer waits for this attempt. */
export type IssuerPage = { kind: 'page'; address: string } | { kind: 'unreachable' } | { kind: 'over' };

const finding = new WeakMap<Context, Map<string, Promise<IssuerPage>>>();

/** The issuer's page for an attempt: found once, kept, and shared by callers that ask at the same time. */
export function issuerPage(context: Context, session: Session, attemptId: string): Promise<IssuerPage> {
  const running = finding.get(context) ?? new Map<string, Promise<IssuerPage>>();
  finding.set(context, running);
  const page =
    running.get(attemptId) ?? findPage(context, session.id, attemptId).finally(() => running.delete(attemptId));
  running.set(attemptId, page);
  return page;
}

async function findPage(context: Context, sessionId: string, attemptId: string): Promise<IssuerPage> {
  const before = await waitingFor(context, sessionId, attemptId);
  if (!before) return { kind: 'over' };
  if (before.page_url !== undefined) return { kind: 'page', address: before.page_url };
  const page_url = await followIssuerUrl(before.issuer_url, context.config.issuer).catch((error: unknown) => {
    if (!(error instanceof IssuerError)) throw error;
    context.log.warn({ session: sessionId, attempt: attemptId, reason: error.code }, 'issuer_url leads nowhere');
    return undefined;
  });
  // Much can have happened meanwhile: nobody is sent to pay an attempt that was given up.
  for (;;) {
    const now = await waitingFor(context, sessionId, attemptId);
    if (!now) return { kind: 'over' };
    if (page_url === undefined) {
      if (await becomeUnknown(context, now)) return { kind: 'unreachable' };
    } else {
      const attempt: Attempt = {
        ...now.attempt,
        state: { status: 'redirected', issuer_url: now.issuer_url, page_url },
      };
      const session = withState(now.session, now.session.state);
      if (await commit(context, now.session, { session, attempt, hold: 'held' })) {
        return { kind: 'page', address: page_url };
      }
    }
  }
}

type Waiting = {
  session: Session;
  attempt: Attempt;
  attempts: readonly Attempt[];
  issuer_url: string;
  page_url?: string | undefined;
};

/** The session and the attempt, if the one still waits for the other at the issuer's page. */
async function waitingFor(context: Context, sessionId: string, attemptId: string): Promise<Waiting | undefined> {
  const session = await context.store.session(sessionId);
  if (session?.state.status !== 'redirected' || session.state.attempt_id !== attemptId) return undefined;
  const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (attempt?.state.status !== 'redirected') return undefined;
  const { issuer_url, page_url } = attempt.state;
  return { session, attempt, attempts, issuer_url, page_url };
}

async function becomeUnknown(context: Context, { session, attempt, attempts }: Waiting): Promise<boolean> {
  const { limits, resolve } = context.config;
  const circumstances = { now: context.now(), attempts, limits, resolve };
  const change = unknown(session, attempt, circumstances, 'issuer_unreachable', {});
  return commit(context, session, change);
}

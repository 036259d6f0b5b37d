import { newAttempt } from '../../relay/checkout/pay.ts';
import { newSession } from '../../relay/checkout/server/create.ts';
import type { Outcome } from '../../relay/gateway/outcome.ts';
import { afterAnswer } from '../../relay/payments/after-answer.ts';
import type { Attempt, Session } from '../../relay/payments/session.ts';
import { withState } from '../../relay/payments/transitions.ts';
import { commit } from '../../relay/reconciliation/commit.ts';
import { lookAt } from '../../relay/reconciliation/look.ts';
import { createResolver } from '../../relay/reconciliation/resolver.ts';
import { accountOf, type Context } from '../../relay/store/context.ts';
import { sessionAnswer } from '../../relay/webhooks/session-answer.ts';
import type { OrderRecord } from '../../shared/gateway/query.ts';
import { testContext } from './context.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const webhook = { url: 'https://shop.example/webhooks', secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`] };

/** An outcome that tells nothing. */
export const lost: Outcome = { kind: 'unknown', reason: 'timeout', evidence: {} };

export const approvedBy = (transaction_id: string, recurring_id?: string): Outcome => ({
  kind: 'approved',
  transaction_id,
  result: { code: '0000', message: 'Success' },
  ...(recurring_id ? { recurring_id } : {}),
});

export const declinedOf = (transaction_id?: string): Outcome => ({
  kind: 'declined',
  ...(transaction_id ? { transaction_id } : {}),
  result: { code: '2001', message: 'no' },
  advice: 'contact_bank',
});

/** A record of a query that equals the orders of `session()` below. */
export function record(order_no: string, transaction_id: string, payment_status: string, more = {}): OrderRecord {
  return { order_no, amount: '10.00', currency: 'BRL', transaction_id, payment_status, ...more };
}

/** The rooms of a relay on a clock and beside a gateway whose books the test keeps: sessions, store, resolver. */
export async function setUpResolving(config: object = {}) {
  let time = Date.parse('2026-03-01T12:00:00.000Z');
  const context = await testContext({ account: { webhook }, config, now: () => new Date(time) });
  const account = accountOf(context, 'demo');
  const queries: string[][] = [];
  const books: { records: OrderRecord[]; change: object } = { records: [], change: {} };
  context.call = async (_name, as, message) => {
    const orders = String(message.orders).split(',');
    queries.push(orders);
    const { merchant_id, account_id } = as;
    const orders_list = books.records.filter(({ order_no }) => orders.includes(order_no ?? ''));
    const answer = { merchant_id, account_id, return_status: '1', return_message: 'OK', orders_list, ...books.change };
    return { kind: 'answer', message: answer, evidence: {} };
  };
  const stored = async (id: string): Promise<Session> => {
    const session = await context.store.session(id);
    if (!session) throw new Error(`no session ${id}`);
    return session;
  };

  const pay = async ({ id }: Session, outcome?: Outcome): Promise<Attempt> => {
    const session = await stored(id);
    const attempt = newAttempt(context, session, { card: '4111111111111111' });
    const processing = withState(session, { status: 'processing', attempt_id: attempt.id });
    const started = await context.store.startAttempt(processing, attempt, []);
    if (started.kind !== 'started') throw new Error(`not started: ${started.kind}`);
    if (!outcome) return attempt;
    const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
    const { limits, resolve } = context.config;
    const change = afterAnswer(processing, attempt, outcome, { now: context.now(), attempts, limits, resolve });
    if (!(await commit(context, processing, change))) throw new Error('not written');
    return change.attempt;
  };

  return {
    context,
    account,
    books,
    /** The orders that each query asked about. */
    queries,
    stored,
    pass: (ms: number) => {
      time += ms;
    },
    /** A new session of an order. */
    async session(order_no: string, more: object = {}): Promise<Session> {
      const order = { order_no, currency: 'BRL', amount: '10.00' };
      const session = newSession(context, account, { order, ...more });
      await context.store.createSession(session);
      return session;
    },
    /** Starts an attempt, and ends it by this outcome where there is one. */
    pay,
    /** One round of a resolver, with all the looks that it begins. */
    round: () => oneRound(context),
    /** What a notification about this session leads to. */
    notify: async ({ id }: Session) => lookAt(context, account, [await stored(id)], 'notification'),
    /** Pays without an answer, and lets the resolver find for `absent_ms` that the gateway does not know it. */
    async leave(session: Session): Promise<Attempt> {
      const attempt = await pay(session, lost);
      for (let looks = 0; looks < 3; looks++) {
        time += context.config.resolve.absent_ms / 3;
        await oneRound(context);
      }
      return attempt;
    },
    /** What `GET /v1/sessions/:id` tells. */
    async truth({ id }: Session) {
      const session = await stored(id);
      const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
      return sessionAnswer(session, attempts, context.now());
    },
    /** The webhooks of a session, in their order. */
    async webhooks({ id }: Session) {
      const events = await context.store.listEvents({ account: 'demo', subject: id, limit: 100 });
      return events.reverse().map(({ type, body }) => ({ type, data: JSON.parse(body).data }));
    },
    /** One figure of the metrics, as it is scraped. */
    async metric(line: string): Promise<number> {
      const text = await context.metrics.registry.metrics();
      return Number(
        text
          .split('\n')
          .find((entry) => entry.startsWith(`${line} `))
          ?.slice(line.length) ?? 0,
      );
    },
    logged: (text: string) => context.logLines.filter((line) => line.includes(text)),
  };
}

export type Resolving = Awaited<ReturnType<typeof setUpResolving>>;

/** One round of a resolver on this context, with all the looks that it begins. */
export async function oneRound(context: Context): Promise<void> {
  const resolver = createResolver(context);
  await resolver.round();
  await resolver.idle();
}

import { newAttempt } from '../../../relay/checkout/pay.ts';
import type { PaymentMeans } from '../../../relay/checkout/send-attempt.ts';
import { newSession } from '../../../relay/checkout/server/session.ts';
import { commitOrder, updateOrder } from '../../../relay/commit/commit.ts';
import { sessionAnswer } from '../../../relay/commit/session-answer.ts';
import { rulesOf } from '../../../relay/config/rules.ts';
import { accountOf, type Context } from '../../../relay/context/context.ts';
import type { Outcome } from '../../../relay/gateway/outcome.ts';
import { MAX_CLOCK_SKEW_MS } from '../../../relay/payments/absence-clock.ts';
import { applyAnswer } from '../../../relay/payments/answer.ts';
import type { Attempt } from '../../../relay/payments/attempt.ts';
import { attemptOf, type StoredOrder, sessionOf } from '../../../relay/payments/order.ts';
import { minQueryGap } from '../../../relay/payments/schedule.ts';
import type { Session } from '../../../relay/payments/session.ts';
import { startAttempt } from '../../../relay/payments/session-steps.ts';
import { createPoller } from '../../../relay/reconciliation/order-poller.ts';
import { reconcileOrder } from '../../../relay/reconciliation/reconcile.ts';
import type { OrderRecord } from '../../../shared/gateway/query.ts';
import { testContext } from '../stores/context.ts';
import { lost } from './sessions.ts';

export { approvedBy, DAY, declinedOf, HOUR, lost, MINUTE, SECOND } from './sessions.ts';

const webhook = { url: 'https://shop.example/webhooks', secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`] };

const testCard: PaymentMeans = { card: '4111111111111111' };

/** A query's record that matches the orders of `session()` below. */
export function record(order_no: string, transaction_id: string, payment_status: string, more = {}): OrderRecord {
  return { order_no, amount: '10.00', currency: 'BRL', transaction_id, payment_status, ...more };
}

/** A relay’s layers with a clock and a gateway whose records the test writes: sessions, store, poller. */
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
    return { kind: 'answer', message: answer, evidence: () => ({}) };
  };
  const stored = async (id: string): Promise<Session> => {
    const session = await context.store.sessions.get(id);
    if (!session) throw new Error(`no session ${id}`);
    return session;
  };
  const orderOf = ({ account, order_no }: Session): Promise<StoredOrder> => context.store.orders.get(account, order_no);
  /** Queries about one order need a pause: the clock stands still unless a test moves it. */
  const passGap = (): void => {
    time += minQueryGap(rulesOf(context.config));
  };

  const pay = async (of: Session, outcome?: Outcome, by: PaymentMeans = testCard): Promise<Attempt> => {
    const before = await orderOf(of);
    if (before.hold !== 'free') throw new Error(`not started: the order is ${before.hold}`);
    const session = sessionOf(before, of.id);
    const attempt = newAttempt(context, account, session, by);
    const written = await commitOrder(context, before, startAttempt(before, session, attempt, rulesOf(context.config)));
    if (written.kind !== 'written') throw new Error(`not started: ${written.kind}`);
    if (!outcome) return attempt;
    const after = await updateOrder(context, before, (order) =>
      applyAnswer(order, attempt.id, outcome, context.now(), rulesOf(context.config)),
    );
    return attemptOf(after, attempt.id);
  };

  return {
    context,
    account,
    books,
    /** The orders of each query. */
    queries,
    stored,
    orderOf,
    pass: (ms: number) => {
      time += ms;
    },
    /** A new session of an order. */
    async session(order_no: string, more: object = {}): Promise<Session> {
      const order = { order_no, currency: 'BRL', amount: '10.00' };
      const session = newSession(context, account, { order, ...more });
      await context.store.sessions.create(session);
      return session;
    },
    /** Starts an attempt, by card by default, and ends it with this outcome if given. */
    pay,
    /** One poll, with all the queries that it starts. */
    poll: () => pollOnce(context),
    /** Queries a session’s order now. */
    async reconcile(of: Session): Promise<StoredOrder> {
      passGap();
      return (await reconcileOrder(context, of)).order;
    },
    /** Pays without an answer, and lets the poller find for `absent_ms` that the gateway does not know the payment. */
    async abandon(session: Session): Promise<Attempt> {
      const attempt = await pay(session, lost);
      time += MAX_CLOCK_SKEW_MS;
      for (const share of [0, 0.5, 0.5]) {
        time += context.config.resolve.absent_ms * share;
        await pollOnce(context);
      }
      passGap();
      return attempt;
    },
    /** The answer of `GET /v1/sessions/:id`. */
    async truth({ id }: Session) {
      const session = await stored(id);
      return sessionAnswer(await orderOf(session), session, context.now());
    },
    /** The webhooks of a session, in order. */
    async webhooks({ id }: Session) {
      const events = await context.store.outbox.list({ account: 'demo', subject: id, limit: 100 });
      return events.reverse().map(({ type, body }) => ({ type, data: JSON.parse(body).data }));
    },
    /** The value of one metric, as scraped. */
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

/** One poll with this context, with all the queries that it starts. */
async function pollOnce(context: Context): Promise<void> {
  const poller = createPoller(context);
  await poller.poll();
  await poller.idle();
}

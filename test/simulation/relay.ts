import { randomUUID } from 'node:crypto';
import { ProblemError } from '../../relay/base/errors.ts';
import { createIds } from '../../relay/base/ids.ts';
import type { Logger } from '../../relay/base/log.ts';
import { createMetrics } from '../../relay/base/metrics.ts';
import { noTracer } from '../../relay/base/tracing.ts';
import { createTurns } from '../../relay/base/turns.ts';
import { abandon } from '../../relay/checkout/abandon.ts';
import { comeBack, sessionForShopper } from '../../relay/checkout/come-back.ts';
import { holderOf, orderProblem } from '../../relay/checkout/conflicts.ts';
import { pay } from '../../relay/checkout/pay.ts';
import { changeOrder } from '../../relay/checkout/server/change-order.ts';
import { newSession } from '../../relay/checkout/server/create.ts';
import { payFromServer, paymentAgain } from '../../relay/checkout/server/payment.ts';
import { settleSession, withdrawSession } from '../../relay/checkout/server/settle.ts';
import { checkoutView } from '../../relay/checkout/view.ts';
import type { Account, Config } from '../../relay/config/load.ts';
import type { Call } from '../../relay/gateway/call.ts';
import type { Signer } from '../../relay/gateway/signing/signer.ts';
import { keepReply, type Reply, type Use } from '../../relay/http/idempotency.ts';
import { keepNotification } from '../../relay/notifications/notify-routes.ts';
import { metricLabels } from '../../relay/operating/metric-labels.ts';
import { startRetention } from '../../relay/operating/upkeep.ts';
import { replyAgain, runOperation } from '../../relay/operations/run.ts';
import { reconcileNow } from '../../relay/orders/routes.ts';
import { type Order, sessionOf } from '../../relay/payments/order.ts';
import type { Session } from '../../relay/payments/session.ts';
import { startLateWrites } from '../../relay/reconciliation/late-writes.ts';
import { startNoticePoller } from '../../relay/reconciliation/notice-poller.ts';
import { startPoller } from '../../relay/reconciliation/poller.ts';
import { startRefundPoller } from '../../relay/reconciliation/refund-poller.ts';
import { startUnsentPoller } from '../../relay/reconciliation/unsent.ts';
import { type Context, createAnsweredAt, createWakeUps } from '../../relay/store/context.ts';
import type { Claim, Store } from '../../relay/store/store.ts';
import { startDelivery } from '../../relay/webhooks/delivery.ts';
import type { Send } from '../../relay/webhooks/send-webhook.ts';
import { sessionAnswer } from '../../relay/webhooks/session-answer.ts';
import type { SessionAnswer, SettleSession } from '../../shared/api/session.ts';
import type { PayAnswer } from '../../shared/checkout/pay.ts';
import type { CheckoutView } from '../../shared/checkout/view.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { silentAudit } from '../support/relays/audit.ts';
import type { Method } from './steps.ts';

/**
 * The one file that knows the relay's own functions: its use cases as a world calls them, and its background work.
 */
export type Relay = {
  createSession(body: { order: OrderBody; expires_in: number }): Promise<string>;
  pay(session: string, method: Method, hasHungUp: () => boolean): Promise<PayAnswer>;
  payFromServer(order: OrderBody, method: Method, key: string, hasHungUp: () => boolean): Promise<string>;
  view(session: string): Promise<CheckoutView>;
  comeBack(session: string): Promise<{ status: string; reason?: string }>;
  notified(session: string, text: string): Promise<void>;
  changeOrder(session: string, change: { amount: string; note?: string | null }): Promise<void>;
  operate(name: 'refund' | 'capture' | 'cancel' | 'payout', message: Message, key: string): Promise<void>;
  settle(session: string, body: SettleSession): Promise<Order>;
  expire(session: string): Promise<void>;
  abandon(session: string): Promise<Order>;
  reconcile(orderNo: string): Promise<Order>;
};

export type OrderBody = { order_no: string; amount: string; currency: string };

type RelayParts = {
  config: Config;
  store: Store;
  call: Call;
  send: Send;
  signer: Signer;
  random: () => number;
  fill: (buffer: Buffer) => void;
  now: () => Date;
};

const silent = (): void => undefined;
const log: Logger = { trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent };
// Figures decide nothing, and a registry takes longer to make than a payment.
const metrics = createMetrics(metricLabels);

/** Starts a relay on a store: its use cases, and all that it does by itself. */
export function startRelay({ config, store, call, send, signer, random, fill, now }: RelayParts): Relay {
  const lateWrites = startLateWrites(log);
  const context: Context = {
    ...{ config, store, call, callAtLength: call, signer, log, metrics, tracer: noTracer, lateWrites, now },
    ...{
      wakeUps: createWakeUps(),
      queries: createTurns(),
      answeredAt: createAnsweredAt(),
      unsent: new Set(),
      keysToRelease: new Set(),
      newId: createIds(now, fill),
      monotonic: () => performance.now(),
      processId: randomUUID(),
    },
  };
  for (const start of [startUnsentPoller, startPoller, startRefundPoller, startNoticePoller, startRetention])
    start(context);
  startDelivery(context, { random, sender: { send, close: async () => undefined } });
  const account = accountIn(config);
  const notFound = (): ProblemError => new ProblemError('not_found', 'There is no such session.');
  const session = async (id: string): Promise<Session> => {
    const found = await store.session(id);
    if (!found) throw notFound();
    return found;
  };
  const orderOfSession = async (id: string): Promise<Order> => {
    const found = await store.orderOfSession(id);
    if (!found) throw notFound();
    return found;
  };
  const forKey = (key: Claim | undefined): Use => ({
    ...{ account, key, by: 'all', audit: silentAudit },
    answered: (reply) => key && { ...key, reply: JSON.stringify(reply) },
  });
  const underKey = async (
    key: Claim,
    work: (use: Use) => Promise<Reply>,
    again: (id: string) => Promise<Reply | 'again'>,
  ): Promise<Reply> => {
    const abandoned = new Date(now().getTime() - 3 * config.gateway.timeout_ms - 10_000).toISOString();
    const claimed = await store.claimKey(key, abandoned);
    switch (claimed.kind) {
      case 'answered':
        return JSON.parse(claimed.reply);
      case 'other_body':
        throw new ProblemError('idempotency_key_reused', 'This key was used for another body.');
      case 'running': {
        const { subject } = claimed;
        if (subject === undefined) throw new ProblemError('in_progress', 'This request is still running.');
        const reply = await again(subject);
        if (reply !== 'again') return reply;
        await store.dropKey(key, subject);
        return underKey(key, work, again);
      }
      case 'claimed': {
        try {
          return await work(forKey(key));
        } catch (error) {
          await store.releaseKeys([key]).catch(silent);
          throw error;
        }
      }
    }
  };
  const claim = (route: string, key: string): Claim => ({
    ...{ account: account.id, route, key, fingerprint: key },
    claimed_at: now().toISOString(),
  });

  return {
    async createSession({ order, expires_in }) {
      const made = newSession(context, account, {
        order,
        expires_in,
        payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'PIX' }],
      });
      const created = await store.createSession(made);
      if (created.kind !== 'created') {
        throw orderProblem(created.kind, holderOf(await store.order(account.id, made.order_no)));
      }
      return made.id;
    },
    async pay(id, method, hasHungUp) {
      const order = await orderOfSession(id);
      const current = sessionOf(order, id);
      const facts = {
        user_agent: 'Browser',
        accept: '*/*',
        accept_language: 'en',
        shopper_ip: addressOf(current.order_no),
      };
      const body = { ...(method === 'card' ? card : { payment_method: 'PIX' }), revision: current.revision };
      return pay(context, { session: current, order, account, body, facts, deviceId: 'dv_1', hasHungUp });
    },
    async payFromServer(order, method, key, hasHungUp) {
      const body = { ...order, ...(method === 'card' ? card : { payment_method: 'PIX' }) };
      const reply = await underKey(
        claim('/v1/payments', key),
        (use) => payFromServer(context, body, use, { hasHungUp }),
        (id) => paymentAgain(context, account, id),
      );
      return reply.body;
    },
    async view(id) {
      const order = await orderOfSession(id);
      return checkoutView(context, await sessionForShopper(context, sessionOf(order, id), order), id);
    },
    async comeBack(id) {
      const { state } = sessionOf(await comeBack(context, await session(id)), id);
      return { status: state.status, ...('reason' in state && state.reason ? { reason: state.reason } : {}) };
    },
    async notified(id, text) {
      await session(id);
      await keepNotification(context, { kind: 'payment', isKept: true, account, id }, Buffer.from(text));
      context.wakeUps.reconciliation.wake();
    },
    async changeOrder(id, change) {
      await changeOrder(context, account, id, { order: change });
    },
    settle: (id, body) => settleSession(context, account, id, body, 'person'),
    async expire(id) {
      await withdrawSession(context, account, id, 'all');
    },
    abandon: async (id) => abandon(context, await session(id)),
    reconcile: (orderNo) => reconcileNow(context, account, orderNo),
    async operate(name, message, key) {
      await underKey(
        claim(`/v1/${name}`, key),
        async (use) => {
          const reply = await runOperation(context, name, message, use);
          await keepReply(context, use, reply);
          return reply;
        },
        async (id) => {
          const operation = await store.operation(id);
          return operation ? replyAgain(context, operation) : 'again';
        },
      );
    },
  };
}

const card = { card: '4111111111111111', expiration_month: '12', expiration_year: '2030', first_name: 'Ada' } as const;

/** The shopper of an order has an address of its own. */
function addressOf(orderNo: string): string {
  const number = Number(orderNo.slice(1));
  return `10.0.${number >> 8}.${number & 255}`;
}

function accountIn(config: Config): Account {
  const [account] = config.accounts;
  if (!account) throw new Error('no account is configured');
  return account;
}

/** What a store holds of an order, for those who check invariants: with its sessions as their shop sees them. */
export type OrderState = { order: Order; sessions: { session: Session; answer: SessionAnswer }[] };

export async function orderState(store: Store, orderNo: string, now: Date): Promise<OrderState> {
  const order = await store.order('demo', orderNo);
  return {
    order,
    sessions: order.sessions.map((session) => ({ session, answer: sessionAnswer(order, session, now) })),
  };
}

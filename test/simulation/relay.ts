import { createHash } from 'node:crypto';
import { ProblemError } from '../../relay/base/errors.ts';
import { createIds } from '../../relay/base/ids.ts';
import type { Logger } from '../../relay/base/log.ts';
import { createMetrics } from '../../relay/base/metrics.ts';
import { createBell } from '../../relay/base/rounds.ts';
import { takenProblem } from '../../relay/checkout/conflicts.ts';
import { pay } from '../../relay/checkout/pay.ts';
import { changeOrder } from '../../relay/checkout/server/change-order.ts';
import { newSession } from '../../relay/checkout/server/create.ts';
import { payFromServer, paymentAgain } from '../../relay/checkout/server/payment.ts';
import { checkoutView } from '../../relay/checkout/view.ts';
import type { Account, Config } from '../../relay/config/load.ts';
import type { Call } from '../../relay/gateway/call.ts';
import type { Signer } from '../../relay/gateway/signing/signer.ts';
import { keepReply, type Reply, type Use } from '../../relay/http/idempotency.ts';
import { metricLabels } from '../../relay/operating/metric-labels.ts';
import { startRetention } from '../../relay/operating/retention.ts';
import { replyAgain, runOperation } from '../../relay/operations/run.ts';
import { type Attempt, nextLookAt, type Session } from '../../relay/payments/session.ts';
import { startHousekeeping } from '../../relay/reconciliation/housekeeping.ts';
import { lookForShopper } from '../../relay/reconciliation/look.ts';
import { startLookingUp } from '../../relay/reconciliation/look-up.ts';
import { startNotified } from '../../relay/reconciliation/notified.ts';
import { startResolver } from '../../relay/reconciliation/resolver.ts';
import { startWritingLater } from '../../relay/reconciliation/unwritten.ts';
import type { Context } from '../../relay/store/context.ts';
import type { Claim, Store } from '../../relay/store/store.ts';
import { startDelivery } from '../../relay/webhooks/delivery.ts';
import { createOutboxBells, ringing } from '../../relay/webhooks/outbox-bells.ts';
import type { Send } from '../../relay/webhooks/send-webhook.ts';
import { sessionAnswer } from '../../relay/webhooks/session-answer.ts';
import type { OrderAnswer } from '../../shared/api/order.ts';
import type { SessionAnswer, SettleSession } from '../../shared/api/session.ts';
import type { PayAnswer } from '../../shared/checkout/pay.ts';
import type { CheckoutView } from '../../shared/checkout/view.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { Method } from './steps.ts';

/**
 * The one file that knows the relay's own functions: its use cases as a world calls them, and its background work. What a
 * relay cannot do yet is left out.
 */
export type Relay = {
  createSession(body: { order: OrderBody; expires_in: number }): Promise<string>;
  pay(session: string, method: Method, hasHungUp: () => boolean): Promise<PayAnswer>;
  payFromServer(order: OrderBody, method: Method, key: string): Promise<string>;
  view(session: string): Promise<CheckoutView>;
  comeBack(session: string): Promise<string>;
  notified(session: string, text: string): Promise<void>;
  changeOrder(session: string, amount: string): Promise<void>;
  operate(name: 'refund' | 'capture' | 'cancel' | 'payout', message: Message, key: string): Promise<void>;
  settle?(session: string, body: SettleSession): Promise<void>;
  expire?(session: string): Promise<void>;
  abandon?(session: string): Promise<void>;
  reconcile?(orderNo: string): Promise<OrderAnswer>;
};

export type OrderBody = { order_no: string; amount: string; currency: string };

export type RelayParts = {
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
export function startRelay({ config, store: bare, call, send, signer, random, fill, now }: RelayParts): Relay {
  const bells = createOutboxBells();
  const store = ringing(bare, bells);
  const newId = createIds(now, fill);
  const context: Context = { config, store, call, signer, log, metrics, notified: createBell(), newId, now };
  for (const start of [startResolver, startNotified, startHousekeeping, startLookingUp, startRetention]) start(context);
  startWritingLater(context);
  startDelivery(context, { bells, random, sender: { send, close: async () => undefined } });
  const account = accountIn(config);
  const session = async (id: string): Promise<Session> => {
    const found = await store.session(id);
    if (!found) throw new ProblemError('not_found', 'There is no such session.');
    return found;
  };
  const forKey = (key: Claim | undefined): Use => ({
    account,
    key,
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
          await store.releaseKey(key).catch(silent);
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
      if (created.kind !== 'created') throw await takenProblem(context, created.kind, made);
      return made.id;
    },
    async pay(id, method) {
      const current = await session(id);
      const facts = { user_agent: 'Browser', accept: '*/*', accept_language: 'en', shopper_ip: '' };
      const body = { ...(method === 'card' ? card : { payment_method: 'PIX' }), revision: current.revision };
      return pay(context, { session: current, account, body, facts, deviceId: 'dv_1' });
    },
    async payFromServer(order, method, key) {
      const body = { ...order, ...(method === 'card' ? card : { payment_method: 'PIX' }) };
      const reply = await underKey(
        claim('/v1/payments', key),
        (use) => payFromServer(context, body, use),
        (id) => paymentAgain(context, account, id),
      );
      return reply.body;
    },
    async view(id) {
      const current = await session(id);
      return checkoutView(
        context,
        current.state.status === 'unknown' ? current : await lookForShopper(context, current),
      );
    },
    async comeBack(id) {
      return (await lookForShopper(context, await session(id))).state.status;
    },
    async notified(id, text) {
      await session(id);
      const sha256 = createHash('sha256').update(text).digest('hex');
      const received_at = now().toISOString();
      const about = { kind: 'payment', subject: id, account: account.id } as const;
      await store.addNotification({ ...about, received_at, bytes: text.length, sha256, fields: {} });
      context.notified.ring();
    },
    async changeOrder(id, amount) {
      await changeOrder(context, account, id, { order: { amount } });
    },
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

export function accountIn(config: Config): Account {
  const [account] = config.accounts;
  if (!account) throw new Error('no account is configured');
  return account;
}

/** What a store holds of an order, for those who check invariants: attempts, and sessions as their shop sees them. */
export type OrderState = {
  attempts: Attempt[];
  sessions: { session: Session; answer: SessionAnswer; nextLook?: string }[];
};

export async function orderState(
  store: Store,
  order: string,
  sessionIds: readonly string[],
  now: Date,
): Promise<OrderState> {
  const attempts = await store.attemptsOfOrder('demo', order);
  const ids = new Set([...sessionIds, ...attempts.map(({ session_id }) => session_id)]);
  const sessions: OrderState['sessions'] = [];
  for (const id of ids) {
    const session = await store.session(id);
    if (!session) continue;
    const nextLook = nextLookAt(session);
    sessions.push({ session, answer: sessionAnswer(session, attempts, now), ...(nextLook ? { nextLook } : {}) });
  }
  return { attempts, sessions };
}

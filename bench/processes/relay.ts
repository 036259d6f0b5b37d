import { Client } from 'pg';
import { z } from 'zod';
import { clientSecret } from '../../relay/base/keys.ts';
import type { Polling } from '../../relay/base/polling.ts';
import { newSession } from '../../relay/checkout/server/session.ts';
import type { Account } from '../../relay/config/load.ts';
import type { Context } from '../../relay/context/context.ts';
import { startRetention } from '../../relay/operating/retention.ts';
import { refreshNow } from '../../relay/orders/find.ts';
import { queryOrders } from '../../relay/reconciliation/query-orders.ts';
import { createSession } from '../../shared/checkout/session.ts';
import { confirmSteps } from '../harness/confirm-steps.ts';
import { sessionBody } from '../harness/payment.ts';
import { CONFIRM_MS } from '../harness/settings.ts';
import { answerQuestions, cpuUsage, sayListening } from './ipc.ts';
import { startFromSettings } from './start-relay.ts';

let ahead = 0;

/** The relay as `relay/main.ts` starts it. Over IPC it also creates sessions, confirms payments, and reports its CPU. */
const relay = await startFromSettings({ now: () => new Date(Date.now() + ahead) });

const questions = z.union([
  z.enum(['cpu', 'list', 'memory', 'stop']),
  z.object({ sessions: z.int() }),
  z.object({ confirm: confirmSteps }),
  z.object({ retain: z.int() }),
]);

answerQuestions(async (message) => {
  const question = questions.parse(message);
  if (typeof question === 'object') {
    if ('retain' in question) return retain(question.retain);
    return 'confirm' in question ? confirm(question.confirm) : makeSessions(question.sessions);
  }
  if (question === 'cpu') return cpuUsage();
  if (question === 'memory') return { mb: process.memoryUsage.rss() / 1e6 };
  if (question === 'list') return cpuOf(() => listAll(relay.context));
  await relay.stop();
  setImmediate(() => process.exit(0));
  return 'stopped';
});
sayListening(Number(new URL(relay.url).port));

let retention: Polling | undefined;

/** Starts a retention of this many days, or ends it with 0. The relay's own retention has a longer setting, and finds nothing. */
async function retain(days: number): Promise<'ok'> {
  await retention?.stop();
  const { context } = relay;
  retention =
    days > 0 ? startRetention({ ...context, config: { ...context.config, retention_days: days } }) : undefined;
  return 'ok';
}

let orders = 0;

/** The order numbers of the sessions that `makeSessions` created last. */
let last: string[] = [];

/** Creates open sessions and gives their client secrets. */
async function makeSessions(count: number): Promise<string[]> {
  const { context } = relay;
  const [account] = context.config.accounts;
  if (!account) throw new TypeError('no account');
  const secrets: string[] = [];
  last = [];
  while (secrets.length < count) {
    const made = Array.from({ length: Math.min(500, count - secrets.length) }, () => {
      orders += 1;
      const body = createSession.parse(sessionBody(`B-${process.pid}-${Date.now()}-${orders}`));
      return newSession(context, account, body);
    });
    await Promise.all(made.map((session) => context.store.sessions.create(session)));
    secrets.push(...made.map(({ id }) => clientSecret(account, id)));
    last.push(...made.map(({ order_no }) => order_no));
  }
  return secrets;
}

/** Makes the queries of the last orders due now, because this process cannot set the clock of a PostgreSQL server. */
async function makeDue(address: string): Promise<void> {
  const client = new Client(address);
  await client.connect();
  const due = "UPDATE turnpike.orders SET next_query_at = '2000-01-01T00:00:00.000Z' WHERE order_no = ANY($1)";
  await client.query(due, [last]);
  await client.end();
}

/** Queries the last orders at the gateway, and drops the answers; or confirms them. Returns the CPU that this used. */
async function confirm(step: z.infer<typeof confirmSteps>): Promise<{ cpu_us: number }> {
  const { context } = relay;
  const [account] = context.config.accounts;
  if (!account) throw new TypeError('no account');
  const isAsked = step === 'asked';
  if (!isAsked && context.config.store.startsWith('postgres')) await makeDue(context.config.store);
  const used = await cpuOf(() => (isAsked ? ask(context, account) : confirmAll(context)));
  const orders = isAsked ? [] : await context.store.orders.getMany(account.id, last);
  if (orders.some(({ payments: [payment] }) => payment?.record === undefined)) throw new Error('not confirmed');
  return used;
}

async function cpuOf(work: () => Promise<void>): Promise<{ cpu_us: number }> {
  const before = cpuUsage();
  await work();
  return { cpu_us: cpuUsage().cpu_us - before.cpu_us };
}

/** Updates the list with the last orders, as a relay does within two seconds. */
async function listAll(context: Context): Promise<void> {
  for (let at = 0; at <= last.length; at += 250) await refreshNow(context);
}

async function ask(context: Context, account: Account): Promise<void> {
  for (let at = 0; at < last.length; at += 100) {
    const asking = { apply: async () => undefined, keep: async () => undefined };
    await queryOrders(context, account, last.slice(at, at + 100), asking);
  }
}

/** Lets the relay confirm the last orders: each is written once. */
async function confirmAll({ store, wakeUps }: Context): Promise<void> {
  const { write } = store.orders;
  let left = last.length;
  const written = Promise.withResolvers<void>();
  store.orders.write = async (...terms) => {
    const result = await write(...terms);
    left -= 1;
    if (left === 0) written.resolve();
    return result;
  };
  ahead += CONFIRM_MS + 10_000;
  wakeUps.reconciliation.wake();
  await written.promise;
  store.orders.write = write;
}

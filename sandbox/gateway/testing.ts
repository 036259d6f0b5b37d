import { SaxesParser } from 'saxes';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type OperationName, operations, type RoutedName } from '../../shared/gateway/operations.ts';
import { queryAnswer } from '../../shared/gateway/query.ts';
import { type Message, sign } from '../../shared/gateway/signature.ts';
import { demoMerchant, parts } from '../demo.ts';
import { listen } from '../listen.ts';
import type { After } from './base/clock.ts';
import { createGateway, type GatewayOptions } from './gateway.ts';

const { merchant_id, account_id, signing_secret } = demoMerchant;

/** A gateway on a free port for one test, and the helpers of a merchant. */
export async function startGateway(options: Partial<GatewayOptions> = {}) {
  const gateway = createGateway({ merchants: [demoMerchant], publicUrl: () => server.url, ...options });
  const server = await listen(gateway.app, 0, parts.gateway);
  onTestFinished(() => server.close());

  const post = (path: string, body: string, type = 'application/json', signal?: AbortSignal) =>
    fetch(`${server.url}${path}`, { method: 'POST', body, headers: { 'Content-Type': type }, signal: signal ?? null });
  const authorise = (message: Message, signal?: AbortSignal) =>
    post('/v1/authorise', JSON.stringify(signed(message)), 'application/json', signal);
  /** Pays by card; returns the names of the payment in a batch. */
  const pay = async (fields: Message = {}) => {
    const { transaction_id, order_no, currency, amount } = await elements(await authorise(cardPayment(fields)));
    return { transaction_id, order_no, currency, amount };
  };
  const send = (name: OperationName, fields: Message) => {
    const message = signed({ merchant_id, account_id, ...fields });
    const { path, encoding } = operations[name];
    if (encoding === 'json') return post(path, JSON.stringify(message));
    const form = new URLSearchParams(Object.entries(message).map(([field, value]) => [field, String(value)]));
    return post(path, form.toString(), 'application/x-www-form-urlencoded');
  };
  /** The answer of an operation in JSON, after a check of its form and its signature. */
  const ask = async (name: RoutedName, fields: Message) => {
    const response = await send(name, fields);
    expect(response.status).toBe(200);
    const answer: Message = operations[name].answer.parse(await response.json());
    expect(answer).toMatchObject({ merchant_id, account_id, encryption_data: sign(answer, signing_secret) });
    return answer;
  };
  const query = async (filters: Record<string, string>) => {
    const answer = queryAnswer.parse(await ask('query', filters));
    return { ...answer, orders_list: answer.orders_list ?? [] };
  };
  const admin = async (method: string, path: string, body?: unknown) => {
    const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/admin/${path}`, { method, ...(body !== undefined && json) });
    return { status: response.status, body: z.record(z.string(), z.unknown()).parse(await response.json()) };
  };
  return { ...gateway, url: server.url, post, authorise, pay, send, ask, query, admin };
}

/** A message with the demo merchant's right signature. */
export function signed(message: Message): Message {
  return { ...message, encryption_data: sign(message, signing_secret) };
}

/** A minimal card payment. */
export function cardPayment(fields: Message = {}): Message {
  return {
    merchant_id,
    account_id,
    order_no: 'A-1',
    currency: 'BRL',
    amount: '129.90',
    card: '4111111111111111',
    expiration_month: '12',
    expiration_year: '2030',
    security_code: '737',
    ...fields,
  };
}

/** A minimal APM payment. */
export function pixPayment(fields: Message = {}): Message {
  const payment = { merchant_id, account_id, order_no: 'P-1', currency: 'BRL', amount: '129.90' };
  return { ...payment, payment_method: 'PIX', return_url: 'http://127.0.0.1:9/return', ...fields };
}

/** The elements of `respon` and their exact text. Throws if the document is not well formed. */
export async function elements(response: Response): Promise<Record<string, string>> {
  const parser = new SaxesParser();
  const found: Record<string, string> = {};
  const path: string[] = [];
  parser.on('opentag', ({ name }) => {
    path.push(name);
    if (path.length === 2) found[name] = '';
  });
  parser.on('text', (text) => {
    const name = path.length === 2 ? path.at(-1) : undefined;
    if (name !== undefined) found[name] = `${found[name]}${text}`;
  });
  parser.on('closetag', () => path.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(await response.text()).close();
  return found;
}

export const DAY = 86_400_000;
const start = new Date('2026-11-21T10:00:00Z');

/** A gateway at a fixed time with one subscription of the order S-1, begun by a payment of BRL 10.00. */
export async function withSubscription(terms = {}, fields = {}) {
  const gateway = await startGateway({ now: () => start });
  const subscription = { contract_name: 'Tea club', interval: 'day', contract_amount: '50.00', ...terms };
  const payment = cardPayment({ order_no: 'S-1', amount: '10.00', subscription, ...fields });
  const { recurring_id = '' } = await elements(await gateway.authorise(payment));
  const charges = () =>
    gateway.payments.list().map(({ order, at }) => [order.order_no, order.amount, at.toISOString()]);
  const numbers = () => gateway.payments.list().map(({ order }) => order.order_no);
  const unsubscribe = (more = {}) => gateway.ask('subscription_cancel', { recurring_id, ...more });
  const recurringStatus = async () => {
    const { orders_list } = await gateway.query({ orders: 'S-1' });
    return orders_list[0]?.subscription_result?.recurring_status;
  };
  return { ...gateway, recurring_id, charges, numbers, unsubscribe, recurringStatus };
}

type Timer = { at: number; run: () => void };

/** Timers for tests, which fire when the test advances the time. */
export function manualTimers() {
  let now = 0;
  let timers: Timer[] = [];
  const after: After = (ms, run) => {
    const timer = { at: now + ms, run };
    timers.push(timer);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  };
  return {
    after,
    /** The remaining time of each timer, in milliseconds, the next one first. */
    waiting: () => timers.map(({ at }) => at - now).sort((one, other) => one - other),
    /** Fires the timers that are due within this many milliseconds, in order. */
    pass(ms: number): void {
      now += ms;
      const due = timers.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
    },
  };
}

/** A notification as received. */
type Got = { path: string; type: string; body: string };
/** The answer of a merchant's server to one notification; `nothing` leaves it waiting. */
export type Reaction = { status: number; headers?: Record<string, string>; body?: string } | 'nothing';

/**
 * A merchant's server for one test. It answers notifications with `reactions` in order and then repeats the last one.
 * `received` are the JSON messages.
 */
export async function startListener(...reactions: Reaction[]) {
  const got: Got[] = [];
  const received: Message[] = [];
  const server = await listen(
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const type = request.headers['content-type'] ?? '';
      got.push({ path: request.url ?? '', type, body });
      if (type === 'application/json') received.push(z.record(z.string(), z.unknown()).parse(JSON.parse(body)));
      const reaction = reactions[Math.min(got.length, reactions.length) - 1] ?? { status: 200 };
      if (reaction === 'nothing') return;
      response.writeHead(reaction.status, reaction.headers).end(reaction.body ?? 'OK');
    },
    0,
    parts.shop,
  );
  onTestFinished(() => server.close());
  return { got, received, url: `${server.url}/notify/payment/cs_1/SECRET-TOKEN`, origin: server.url };
}

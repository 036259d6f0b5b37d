import { listIn } from '../../../relay/payments/operations/answered-state.ts';
import { orderDetail } from '../../../shared/api/order.ts';
import { sessionAnswer } from '../../../shared/api/session.ts';
import { type Operation, type OperationName, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { account, apiKey, card, startTestRelay } from '../relays/relay.ts';
import { identity, operationCases } from './operation-cases.ts';
import {
  approval,
  type Received,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
  xml,
} from './scripted-gateway.ts';

/** A profile as in the config file. */
export type Settings = Record<string, unknown>;

/** The operations with a separate route. */
export type Routed = keyof typeof operationCases;
export const isRouted = (name: OperationName): name is Routed => name in operationCases;
export const routed = operationNames.filter(isRouted);

/** The time at which these shops run; it is summer in the north. */
const moment = new Date('2026-07-15T12:00:00Z');

const device = { browser_lang: 'pt-BR', time_zone: 'America/Sao_Paulo' };
const methods = { payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: 'PIX', label: 'Pix' }] };

/** A gateway with this script and a relay with this profile. */
export async function setUp(profile: Settings, script: Script, clock = true) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, profile, ...(clock ? { now: () => moment } : {}) });
  return { gateway, relay };
}

/** A card payment as received by the gateway. */
export async function paidOnWire(profile: Settings, order: object = {}): Promise<Received> {
  const { gateway, relay } = await setUp(profile, approveUnsigned);
  const { secret } = await relay.session({ order: { birth_date: '31-12-1990', service: 'tea', ...order } });
  await relay.pay(secret, { ...card, device });
  const [received] = gateway.authorised();
  if (!received) throw new Error('the gateway got no payment');
  return received;
}

/**
 * The shopper's answer to a card payment that the gateway answers this way; signed by the default scheme, or
 * unsigned.
 */
export async function paidAs(profile: Settings, change: Record<string, string>, isSigned = true) {
  const { relay } = await setUp(profile, (received, res) => {
    const elements = { ...approval(received), ...change };
    sendXml(res, xml(isSigned ? { ...elements, encryption_data: sign(elements, account.signingSecret) } : elements));
  });
  const { secret } = await relay.session({ order: { order_no: 'P-1' } });
  const { body } = await relay.pay(secret, card);
  return body.advice === undefined ? body.status : `${body.status}: ${body.advice}`;
}

/** The same for a payment by an alternative method, whose answer contains an issuer_url. */
export async function paidByPixAs(profile: Settings, change: Record<string, string>): Promise<unknown> {
  const { relay } = await setUp(profile, ({ message }, res) => {
    const { merchant_id, account_id, order_no, amount, currency } = message;
    const echo = Object.entries({ merchant_id, account_id, order_no, amount, currency });
    const texts = Object.fromEntries(echo.map(([name, value]) => [name, String(value)]));
    sendXml(res, xml({ ...texts, issuer_url: 'https://issuer.example/', ...change }));
  });
  const { secret } = await relay.session(methods);
  return (await relay.pay(secret, { payment_method: 'PIX' })).body.status;
}

/** The state of a lost payment after a query: the session's status, or the reason why it is unknown. */
export async function foundAs(profile: Settings, record: object, change: object = {}): Promise<unknown> {
  const { relay, id } = await unknownPayment(profile, record, change);
  for (;;) {
    const { status, unknown } = sessionAnswer.parse(await relay.truth(id));
    if (status !== 'unknown') return status;
    // Within two seconds, a query may show a state from before the attempt: the payment is absent in it.
    if (unknown?.last_query && unknown.last_query.found !== 'absent') return unknown.reason;
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** The result of three queries about an unknown payment: the first result other than an absent record. */
export async function queriedAs(profile: Settings, record: object, change: object = {}): Promise<unknown> {
  const { relay, id } = await unknownPayment(profile, record, change);
  for (;;) {
    const { unknown } = sessionAnswer.parse(await relay.truth(id));
    const found = unknown?.last_query?.found;
    if (found !== undefined && (found !== 'absent' || (unknown?.queries ?? 0) >= 3)) return found;
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** A payment with a lost answer, at a gateway whose queries return this record of it. */
async function unknownPayment(profile: Settings, record: object, change: object) {
  const { relay } = await setUp(
    profile,
    ({ path, message }, res) => {
      if (path === '/v1/authorise') res.writeHead(500).end();
      else
        sendRecords(
          res,
          [{ order_no: message.orders, amount: '129.90', currency: 'BRL', transaction_id: 'T', ...record }],
          change,
        );
    },
    false,
  );
  const { id, secret } = await relay.session();
  await relay.pay(secret, card);
  return { relay, id };
}

/** The relay's answer to a request of the server-side API, and the message that the gateway received. */
export async function sendRequest(profile: Settings, name: Routed, body: object = operationCases[name].least) {
  const { gateway, relay } = await setUp(profile, (received, res) => send(res, signed(faithful(name, received))));
  const answer = await relay.post(pathOf(name), apiKey, body);
  return { answer, received: gateway.received };
}

/** The relay's HTTP status for an operation whose answer the gateway changes after signing it. */
export async function forgedAs(profile: Settings, name: Routed, change: object): Promise<number> {
  const { relay } = await setUp(profile, (received, res) =>
    send(res, { ...signed(faithful(name, received)), ...change }),
  );
  return (await relay.post(pathOf(name), apiKey, operationCases[name].least)).status;
}

/** The outcome of an operation's only item whose result, or whose answer if it has no list, has these fields. */
export async function outcomeOf(profile: Settings, name: Routed, change: object): Promise<unknown> {
  const { relay } = await setUp(profile, (received, res) => send(res, signed(faithful(name, received, change))));
  const answer = await relay.post(pathOf(name), apiKey, operationCases[name].least);
  const operation = await relay.get(`/v1/operations/${answer.headers.get('x-operation-id')}`, apiKey);
  return operation.body.items;
}

/** A card payment that can be reviewed. */
async function reviewable(profile: Settings, clock = true) {
  const script: Script = (received, res) =>
    received.path === '/v1/authorise'
      ? sendXml(res, xml(approval(received)))
      : send(res, signed(faithful('review', received)));
  const { gateway, relay } = await setUp(profile, script, clock);
  const { id, secret } = await relay.session();
  await relay.pay(secret, card);
  return { gateway, relay, ...sessionAnswer.parse(await relay.truth(id)) };
}

/** The flag with which the relay accepts a payment. */
export async function acceptedBy(profile: Settings): Promise<unknown> {
  const { gateway, relay, order_no } = await reviewable(profile);
  await relay.post(`/v1/orders/${order_no}/review`, apiKey, { decision: 'accept' });
  return listIn(gateway.sent(operations.review.path)[0]?.message, 'review_orders')[0]?.review_flag;
}

/** The status of a card payment, after a review with this flag if given. */
export async function statusOf(profile: Settings, review_flag?: string): Promise<unknown> {
  const { relay, order_no, transaction_id } = await reviewable(profile);
  if (review_flag !== undefined) {
    const item = { transaction_id, order_no, currency: 'BRL', amount: '129.90', review_flag };
    await relay.post('/v1/review', apiKey, { review_orders: [item] });
  }
  const { body } = await relay.get(`/v1/orders/${order_no}`, apiKey);
  return orderDetail.parse(body).payments.map(({ status }) => status);
}

/** Whether an order that was paid by card three days ago needs a person. */
export async function needsPersonLater(profile: Settings): Promise<unknown> {
  const { relay, order_no } = await reviewable(profile, false);
  relay.pass(3 * 86_400_000);
  return (await relay.get(`/v1/orders/${order_no}`, apiKey)).body.needs_attention;
}

/** The status of a card payment after its approval, at a gateway whose queries return this record of it. */
export async function stoodAs(profile: Settings, record: object): Promise<unknown> {
  const { relay } = await setUp(profile, (received, res) => {
    const { path, message } = received;
    if (path === '/v1/authorise') return sendXml(res, signedXml({ ...approval(received), transaction_id: 'T' }));
    const defaults = { order_no: message.orders, amount: '129.90', currency: 'BRL', transaction_id: 'T' };
    return sendRecords(res, [{ ...defaults, ...record }]);
  });
  const { secret } = await relay.session({ order: { order_no: 'P-1' } });
  await relay.pay(secret, card);
  const { body } = await relay.post('/v1/orders/P-1/reconcile', apiKey, {});
  return orderDetail.parse(body).payments.map(({ status }) => status);
}

/** The body that acknowledges a notification of a payment. */
export async function acknowledged(profile: Settings): Promise<string> {
  const { gateway, relay } = await setUp(profile, approveUnsigned);
  await relay.pay((await relay.session()).secret, card);
  const { pathname } = new URL(String(gateway.authorised()[0]?.message.notify_url));
  return (await relay.send(pathname, { method: 'POST', body: 'x' })).text;
}

const approveUnsigned: Script = (received, res) => sendXml(res, xml(approval(received)));

function pathOf(name: Routed): string {
  const { route }: Operation = operations[name];
  return route?.path ?? '';
}

/**
 * An answer about the requested items, by the default code book. `change` applies to each result, or to the answer if
 * that contains or adds no list.
 */
function faithful(name: Routed, { message }: Received, change: object = {}): object {
  const { batch, encoding }: Operation = operations[name];
  if (batch) {
    const items = message[batch.list];
    const done = { [batch.status]: '1', refund_message: 'V0000:OK', ...change };
    const results = Array.isArray(items) ? items.map((item) => ({ ...item, ...done })) : [];
    const isWhole = batch.list in change;
    return { ...identity, return_status: '1', return_message: 'OK', [batch.list]: results, ...(isWhole ? change : {}) };
  }
  const { encryption_data: _, ...echo } = message;
  return { ...identity, ...operationCases[name].answer, ...(encoding === 'json' ? echo : {}), ...change };
}

function signed(message: object): object {
  return { ...message, encryption_data: sign({ ...message }, account.signingSecret) };
}

function send(res: Parameters<Script>[1], body: object): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

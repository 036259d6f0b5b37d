import type { Client, Deadline } from '../../../../relay/gateway/client.ts';
import type { OperationName } from '../../../../shared/gateway/operations.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';
import type { GatewayVariant } from '../../gateway-variant.ts';
import { defaultOperationPlan, defaultPaymentPlan, type PaymentPlan } from '../../plans.ts';
import type { Outage } from '../../steps.ts';
import { accountOf, nameIn, wireName } from '../orders.ts';
import type { Owner } from '../owner.ts';
import { renamed } from '../renamed.ts';
import type { World } from '../world.ts';
import { type GatewayAnswer, httpError, refused } from './answers.ts';
import { type Books, createBooks } from './books.ts';
import { chargeLater } from './contracts.ts';
import { type Execution, effect, refundSearch } from './effects.ts';
import { localDates } from './local-dates.ts';
import { type Course, payment } from './payments.ts';
import { noSuccess, query, type Spoiled } from './queries.ts';
import { asReceived, asWritten } from './variants.ts';
import { readRequest, writeAnswer } from './wire.ts';

/** One message to the gateway. `received`: the answer that its relay received. */
export type Sending = {
  began: number;
  at: number;
  name: OperationName;
  message: Message;
  owner: Owner;
  /** It is a repetition within one call, because the previous answer was unusable. */
  isAgain: boolean;
  /** The attempt of a payment. */
  attempt?: string;
  received?: { at: number; moment: number; answer: GatewayAnswer };
};

type Watcher = {
  sent?(sending: Sending): void | Promise<void>;
  received?(sending: Sending): void;
};

/** The simulated gateway. */
export type Gateway = {
  books: Books;
  executions: readonly Execution[];
  /** The present outage, and its end. */
  outage: { what: 'queries' | 'payments' | 'everything'; how: Outage; until: number };
  spoiled: Map<string, Spoiled>;
  watch(watcher: Watcher): void;
  post: Client['post'];
};

export const TIMEOUT_MS = 10_000;

const unasked = { id: 'unasked', about: '', fate: defaultOperationPlan };

const approvedPlan: PaymentPlan = { ...defaultPaymentPlan, says: 'approved', book: [{ after: 0, status: 'approved' }] };

export function createGateway(world: World, variant: GatewayVariant): Gateway {
  const { clock, say } = world;
  const dates = localDates(variant);
  const books = createBooks(world, dates);
  chargeLater(world, books);
  const executions: Execution[] = [];
  const watchers: Watcher[] = [];
  const spoiled = new Map<string, Spoiled>();
  /** The deadlines of calls whose message was sent. */
  const begun = new WeakSet<Deadline>();
  const outage: Gateway['outage'] = { what: 'everything', how: 'slow', until: 0 };

  const course = ({ name, message, owner: { request }, attempt }: Sending): Course => {
    switch (name) {
      case 'direct_payment':
      case 'apm_payment':
        return payment(world, books, { message, attempt }, request?.fate ?? approvedPlan);
      case 'query':
        return query(world, books, message, { spoiled, dates });
      case 'refund_search':
        return refundSearch(world, executions, message);
      case 'refund':
      case 'capture':
      case 'cancel':
      case 'review':
      case 'payout':
        return effect(world, books, executions, { name, message, request, intent: request?.intent ?? unasked });
      default:
        throw new Error(`the simulated gateway does not know ${name}`);
    }
  };
  const inOutage = ({ name, message }: Sending, one: Course): Course => {
    if (outage.until <= clock.now()) return one;
    const isQuery = name === 'query' || name === 'refund_search';
    if (outage.what !== 'everything' && (outage.what === 'queries') !== isQuery) return one;
    switch (outage.how) {
      case 'not_sent':
        return { ...one, way: 'not_sent' };
      case 'timeout':
        return { ...one, way: 'lost' };
      case 'slow':
        return { ...one, answers: one.answers + 3000 };
      case 'http_500':
        return { ...one, act: () => httpError };
      case 'no_success':
        return isQuery ? { ...one, act: () => noSuccess(message) } : one;
      case 'refused_400':
        return { ...one, act: () => refused(400) };
    }
  };

  const post: Gateway['post'] = async (posted, deadline) => {
    const owner = clock.owner();
    if (!owner) throw new Error('no owner calls the gateway');
    const { name, merchant, isSigned, ...read } = readRequest(posted, owner.life.config.accounts);
    const message = renamed(read.message, (one) => nameIn(merchant?.id, one));
    if (!merchant || !isSigned) world.breach('messages are signed', `${name} ${subject(message)} is not`);
    const strange = namedOrders(message).find((order) => accountOf(order) !== merchant?.id);
    if (strange) world.breach('messages are signed', `${name} of ${strange} is by ${merchant?.id}`);
    const isAgain = begun.has(deadline);
    begun.add(deadline);
    const sending: Sending = { began: world.next(), at: clock.now(), name, message, owner, isAgain };
    if (name !== 'query' && name !== 'refund_search') clock.stir();
    say(`${owner.life.name}: ${name} ${subject(message)}${owner.request ? ` for ${owner.request.name}` : ''}`);
    for (const { sent } of watchers) await sent?.(sending);
    const answered = await run(inOutage(sending, course(sending)), deadline.endsAt - clock.now());
    const answer = asReceived(name, answered, variant);
    if (!owner.life.dead) {
      sending.received = { at: clock.now(), moment: world.next(), answer };
      say(`${owner.life.name}: ${name} ${subject(message)} answered ${outcomeOf(answer)}`);
      for (const { received } of watchers) received?.(sending);
    }
    return writeAnswer(name, asWritten(name, onWire(answer), read.message, variant), merchant?.signingSecret ?? '');
  };

  const run = async ({ way, acts, answers, act }: Course, limit: number): Promise<GatewayAnswer> => {
    const answered = Promise.withResolvers<GatewayAnswer>();
    const timedOut = (): void => answered.resolve({ kind: 'unusable', fault: 'timeout' });
    const start = clock.now();
    if (way === 'not_sent') {
      clock.at(start + 5, () => answered.resolve({ kind: 'not_sent' }));
    } else if (way === 'lost') {
      clock.at(start + limit, timedOut);
    } else {
      clock.at(start + acts, () => {
        const answer = act();
        if (answer && acts + answers < limit) clock.at(clock.now() + answers, () => answered.resolve(answer));
        else clock.at(start + limit, timedOut);
      });
      if (acts >= limit) clock.at(start + limit, timedOut);
    }
    return answered.promise;
  };

  return { books, executions, outage, spoiled, watch: (watcher) => void watchers.push(watcher), post };
}

/** The answer with the order numbers of the interface. */
function onWire(answer: GatewayAnswer): GatewayAnswer {
  return 'message' in answer ? { ...answer, message: renamed(answer.message, wireName) } : answer;
}

function namedOrders({ order_no, orders }: Message): string[] {
  const list = typeof orders === 'string' ? orders.split(',') : [];
  return [...list, ...(typeof order_no === 'string' ? [order_no] : [])];
}

function subject({ order_no, orders, request_id, refund_orders }: Message): string {
  if (refund_orders !== undefined) return JSON.stringify(refund_orders);
  return String(order_no ?? orders ?? request_id ?? '');
}

function outcomeOf(answer: GatewayAnswer): string {
  if (answer.kind === 'answer') return JSON.stringify(answer.message.orders_list ?? answer.message);
  return answer.kind === 'unusable' ? answer.fault : answer.kind;
}

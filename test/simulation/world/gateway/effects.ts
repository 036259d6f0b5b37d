import { toMinor } from '../../../../shared/gateway/amounts.ts';
import type { OperationName } from '../../../../shared/gateway/operations.ts';
import type { Message } from '../../../../shared/gateway/signature.ts';
import type { OperationPlan } from '../../plans.ts';
import type { Intent, Request } from '../owner.ts';
import type { World } from '../world.ts';
import { answerOf, type GatewayAnswer, httpError, refused, wronglySigned } from './answers.ts';
import type { Books } from './books.ts';
import type { Course } from './payments.ts';

/** A refund, capture, cancel, review or payout that the gateway accepted. */
export type Execution = {
  name: OperationName;
  intent: string;
  /** The number of its request, and the index of its item in the message. */
  asked: number | undefined;
  item: number;
  reference: string;
  transaction_id: string;
  order_no: string;
  currency: string;
  amount: string;
  refund_amount: string;
  /** The review_flag of a review. */
  flag: string;
  at: number;
  visibleAt: number;
  /** Whether it moves money, and since when a search shows it. */
  moves: boolean;
  reportedFrom: number;
  /** The gateway refused it at first. */
  isLate?: true;
  /** The time at which a capture, cancellation or review was refused that is carried out nevertheless. */
  refusedAt?: number;
};

const lists = {
  ...{ refund: 'refund_orders', capture: 'capture_orders' },
  ...{ cancel: 'cancel_orders', review: 'review_orders' },
} as const;
type Batch = keyof typeof lists;

/** A status that the profile does not list. */
const UNLISTED = '5';

type Asked = {
  name: Batch | 'payout';
  message: Message;
  intent: Intent;
  request: Request | undefined;
  isLate?: true;
  refusedAt?: number;
};

/** The course of a call that changes something at the gateway, by its plan. */
export function effect(world: World, books: Books, done: Execution[], asked: Asked): Course {
  const { name, message, intent } = asked;
  const { fate } = intent;
  const act = (): GatewayAnswer | undefined => {
    const items = name === 'payout' ? [message] : itemsOf(message, lists[name]);
    const executed = items.map((_, at) => execute(world, done, asked, at));
    const refusedAt = world.clock.now();
    if (fate.does === 'refused_400' && fate.booked !== undefined)
      world.clock.at(refusedAt + fate.booked, () => bookLate(world, books, done, { ...asked, refusedAt }));
    if (fate.answer === 'lost') return undefined;
    if (fate.answer === 'http_500') return httpError;
    if (fate.does === 'refused_400') return refused(400);
    const told = name === 'payout' ? payoutAnswer(message, fate) : batchAnswer(name, message, executed, fate);
    return fate.answer === 'unsigned' ? wronglySigned(told) : answerOf(told);
  };
  return { way: fate.way, acts: fate.slow, answers: fate.answerSlow, act };
}

/** Carries out a refused operation later; not beyond the rest of the payment, unless the plan says `beyond`. */
function bookLate(world: World, { transactions }: Books, done: Execution[], asked: Asked): void {
  const { message, intent, name } = asked;
  const late: Asked = { ...asked, intent: { ...intent, fate: { ...intent.fate, does: 'done' } }, isLate: true };
  if (name !== 'refund') {
    const count = name === 'payout' ? 1 : itemsOf(message, lists[name]).length;
    for (let at = 0; at < count; at++) execute(world, done, late, at);
    return;
  }
  for (const [at, item] of itemsOf(message, lists.refund).entries()) {
    const paid = transactions.find(({ id }) => id === item.transaction_id);
    const before = done.filter((one) => one.name === 'refund' && one.moves && one.transaction_id === paid?.id);
    const minor = (amount: unknown): bigint => toMinor(String(amount), String(item.currency));
    const sum = before.reduce((total, one) => total + minor(one.refund_amount), minor(item.refund_amount));
    const { bookedAs } = intent.fate;
    if (!paid || (sum > minor(paid.amount) && bookedAs !== 'beyond')) continue;
    const fate: OperationPlan = {
      ...intent.fate,
      does: bookedAs === 'unlisted' ? 'unlisted' : 'done',
      more: intent.fate.more?.map((one) => ({ ...one, does: 'done' })),
    };
    execute(world, done, { ...asked, intent: { ...intent, fate }, isLate: true }, at);
  }
}

/** A refund search (§4.2): of payments, named by order_no or transaction_id, or of refunds by their refund_reference_ids. */
export function refundSearch({ clock, random }: World, done: readonly Execution[], message: Message): Course {
  const payments = namesIn(message.refund_orders);
  const references = namesIn(message.refund_references);
  const act = (): GatewayAnswer => {
    const found = done.filter(
      (one) =>
        one.name === 'refund' &&
        one.visibleAt <= clock.now() &&
        (references.includes(one.reference) ||
          payments.includes(one.transaction_id) ||
          payments.includes(one.order_no)),
    );
    const { merchant_id, account_id } = message;
    const refund_orders = found.map((one) => {
      const { reference, transaction_id, order_no, currency, amount, refund_amount } = one;
      return {
        ...{ transaction_id, order_no, currency, amount, refund_amount },
        refund_reference_id: reference,
        refund_status: refundStatus(one, clock.now()),
      };
    });
    return answerOf({ merchant_id, account_id, return_status: '1', return_message: 'OK', refund_orders });
  };
  return { way: 'arrives', acts: random('queries').between(5, 100), answers: random('queries').between(5, 100), act };
}

function namesIn(list: unknown): string[] {
  return typeof list === 'string' ? list.split(',') : [];
}

function refundStatus({ moves, reportedFrom }: Execution, now: number): string {
  if (now < reportedFrom) return UNLISTED;
  return moves ? '1' : '0';
}

/** The effect of a batch on one of its items. */
function doesTo({ does, more }: OperationPlan, item: number): OperationPlan['does'] {
  return does === 'refused_400' || item === 0 ? does : (more?.[item - 1]?.does ?? does);
}

function execute(
  { clock, say }: World,
  done: Execution[],
  { name, message, intent, request, isLate, refusedAt }: Asked,
  at: number,
): string {
  const { fate, id } = intent;
  const does = doesTo(fate, at);
  const moves = does !== 'unlisted_failed';
  const isToldLater = does === 'unlisted' || !moves;
  if (does === 'failed' || does === 'refused_400') return '';
  const item = name === 'payout' ? message : (itemsOf(message, lists[name])[at] ?? {});
  const reference = `X${done.length + 1}`;
  const text = (field: string): string => String(item[field] ?? '');
  done.push({
    name,
    intent: id,
    asked: request?.began,
    item: at,
    reference,
    transaction_id: text('transaction_id'),
    order_no: text('order_no'),
    currency: text('currency'),
    amount: text('amount'),
    refund_amount: text('refund_amount'),
    flag: text('review_flag'),
    at: clock.now(),
    visibleAt: clock.now() + (isToldLater ? fate.hidden / 2 : fate.hidden),
    moves,
    reportedFrom: clock.now() + fate.hidden,
    ...(isLate ? { isLate } : {}),
    ...(isLate && refusedAt !== undefined ? { refusedAt } : {}),
  });
  say(`gateway: ${name} ${reference} ${moves ? 'done' : 'fails'} for ${id}`);
  return reference;
}

function itemsOf(message: Message, list: string): Message[] {
  const items = message[list];
  return Array.isArray(items) ? items : [];
}

const codes = { done: '1', failed: '0', unlisted: UNLISTED, unlisted_failed: UNLISTED, refused_400: '0' };

function batchAnswer(name: Batch, message: Message, references: readonly string[], fate: OperationPlan): Message {
  const { merchant_id, account_id } = message;
  const results = itemsOf(message, lists[name]).map((item, at) => {
    const does = doesTo(fate, at);
    const refund_message = does === 'done' ? 'V0000:OK' : 'E0001:No';
    const refund = { refund_message, refund_reference_id: references[at] || undefined };
    return { ...item, [`${name}_status`]: codes[does], ...(name === 'refund' ? refund : {}) };
  });
  if (fate.turned) results.reverse();
  return { merchant_id, account_id, return_status: '1', return_message: 'OK', [lists[name]]: results };
}

function payoutAnswer(message: Message, { does }: OperationPlan): Message {
  const unlisted = does === 'unlisted' || does === 'unlisted_failed';
  const status = does === 'done' ? 'COMPLETED' : unlisted ? 'PROCESSING' : 'FAILED';
  return { ...message, transaction_id: `P${String(message.request_id)}`, status };
}

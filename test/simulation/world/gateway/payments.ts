import type { Message } from '../../../../shared/gateway/signature.ts';
import type { PaymentPlan, Phase } from '../../plans.ts';
import type { World } from '../world.ts';
import { type GatewayAnswer, httpError, refused, wronglySigned } from './answers.ts';
import { type Books, recurringIdOf, type Transaction } from './books.ts';

/**
 * The course of a call: the gateway acts after `acts` milliseconds, if it gets the message, and answers `answers`
 * later.
 */
export type Course = {
  way: 'arrives' | 'not_sent' | 'lost';
  acts: number;
  answers: number;
  /** Acts and returns the answer, or undefined if the answer is lost. */
  act: () => GatewayAnswer | undefined;
};

/** A payment's message, and its attempt. */
type Sent = { message: Message; attempt: string | undefined };

/** The course of a payment's call by its plan. */
export function payment(world: World, books: Books, sent: Sent, fate: PaymentPlan): Course {
  const { way, slow, answerSlow } = fate;
  return {
    way,
    acts: slow,
    answers: answerSlow,
    act: () => answer(sent.message, fate, charge(world, books, sent, fate)),
  };
}

function charge(
  { clock }: World,
  books: Books,
  { message, attempt }: Sent,
  fate: PaymentPlan,
): Transaction | undefined {
  const now = clock.now();
  const details = {
    order_no: String(message.order_no),
    amount: String(message.amount),
    currency: String(message.currency),
    visibleAt: now + fate.hidden,
    changesLate: fate.changesLate ?? 0,
    twice: fate.twice,
    nameless: fate.nameless ?? false,
    ...(fate.contract === undefined ? {} : { contract: { told: fate.contract, later: fate.later ?? [] } }),
    notices: fate.notices,
    session: /notify\/payment\/([^/]+)/.exec(String(message.notify_url))?.[1] ?? '',
    ...(attempt === undefined ? {} : { attempt }),
  };
  const add = (phases: readonly Phase[]): Transaction =>
    books.add({ ...details, dated: clock.now() + fate.dated * 60_000 }, phases, fate.life);
  if (fate.says !== 'redirect') {
    if (fate.book.length === 0) return undefined;
    const [first, ...later] = fate.book;
    if (!first || first.after === 0) return add(fate.book);
    clock.at(now + first.after, () => void add([first, ...later]));
    return undefined;
  }
  let transaction: Transaction | undefined;
  let at = now;
  for (const { after, status, same } of fate.tries) {
    at += after;
    clock.at(at, () => {
      if (same && transaction) books.turn(transaction, status);
      else transaction = add([{ after: 0, status }, ...fate.book]);
    });
  }
  return undefined;
}

const codes = {
  approved: { order_status: '1', result_info: '0000:Success' },
  declined: { order_status: '0', result_info: '2001:Declined' },
  pending: { order_status: '2', result_info: '0001:Pending' },
  unlisted: { order_status: '9', result_info: '9999:Wait' },
} as const;

function answer(
  message: Message,
  { says, answer: how }: PaymentPlan,
  transaction: Transaction | undefined,
): GatewayAnswer | undefined {
  if (how === 'lost') return undefined;
  if (how === 'http_500') return httpError;
  if (says === 'refused_400' || says === 'refused_429') return refused(says === 'refused_400' ? 400 : 429);
  const told = (fields: Message): GatewayAnswer => {
    if (how !== 'unsigned' && how !== 'unsigned_other') return { kind: 'answer', message: fields };
    // Answers to payments by card must be signed.
    return message.payment_method === undefined
      ? wronglySigned(fields)
      : { kind: 'answer', message: fields, unsigned: true };
  };
  const { merchant_id, account_id, order_no, currency, amount } = message;
  const echo = { merchant_id, account_id, order_no, currency, amount: how === 'other_amount' ? '0.01' : amount };
  if (how === 'other_order')
    return told({ ...echo, order_no: `${order_no}0`, transaction_id: `T of ${order_no}0`, ...codes.approved });
  if (says === 'redirect') return told({ ...echo, issuer_url: 'https://issuer.example/page' });
  const id = how === 'unsigned_other' ? `U of ${order_no}` : transaction?.id;
  const named = id !== undefined && how !== 'no_id' ? { transaction_id: id } : {};
  const began =
    transaction?.contract?.told === 'answer' && says === 'approved' ? { recurring_id: recurringIdOf(transaction) } : {};
  return told({ ...echo, ...named, ...began, ...codes[says] });
}

/** Whether a message of this operation is a payment of an order. */
export function isPayment(name: string): boolean {
  return name === 'direct_payment' || name === 'apm_payment';
}

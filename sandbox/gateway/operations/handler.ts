import type { z } from 'zod';
import { sameAmount } from '../../../shared/gateway/amounts.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { Account } from '../base/ids.ts';
import { InvalidInput } from '../base/refusals.ts';
import type { Payment, Payments } from '../books/payments.ts';
import type { FaultName } from '../faults/faults.ts';
import { reasonsOf } from '../messages/mask.ts';

/** What the gateway knows about a message beside its fields: who sent it, and the faults asked for with it. */
type Circumstances = {
  /** The IP address of the connection. */
  address: string;
  faults: ReadonlySet<FaultName>;
};

/** What the gateway answers: the fields without the signature, and the faults that what was asked for brings with it. */
type Answer = { fields: Message; faults?: readonly FaultName[] };

/** A message of the right form: who sent it, and what to do once its signature proved right. */
type Accepted = { merchant_id: string; account_id: string; answer: (circumstances: Circumstances) => Answer };

/** Reads one operation's message. Throws InvalidInput when it does not have the form of §2. */
export type Handler = (message: Message) => Accepted;

type Identified = { merchant_id: string; account_id: string };

/** Makes the handler of an operation from its request schema and what it does. */
export function handler<Request extends Identified>(
  schema: z.ZodType<Request>,
  answer: (request: Request, circumstances: Circumstances) => Answer,
): Handler {
  return (message) => {
    const parsed = schema.safeParse(message);
    if (!parsed.success) throw new InvalidInput(reasonsOf(parsed.error));
    const { merchant_id, account_id } = parsed.data;
    return { merchant_id, account_id, answer: (circumstances) => answer(parsed.data, circumstances) };
  };
}

/** What every item of a batch names (§2.5, §2.6). */
export type Item = { transaction_id: string; order_no?: string | undefined; currency: string; amount: string };

type Batch<AnItem> = { list: string; limit: number; items: readonly AnItem[] };

/**
 * §2.7: the answer to a batch, with one result for each item, in their order. A batch over its limit (§8) is refused as a
 * whole, and nothing of it is done.
 */
export function answerBatch<AnItem>(
  { merchant_id, account_id }: Account,
  { list, limit, items }: Batch<AnItem>,
  resultOf: (item: AnItem) => Message,
): Answer {
  const account = { merchant_id, account_id };
  if (items.length > limit) {
    const return_message = `At most ${limit} orders in one request`;
    return { fields: { ...account, return_status: '0', return_message, [list]: [] } };
  }
  return { fields: { ...account, return_status: '1', return_message: 'OK', [list]: items.map(resultOf) } };
}

/** Does what an item asks for; gives what came of it, or why it is refused. */
export function tried<Done>(attempt: () => Done): Done | ItemRefused {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof ItemRefused) return error;
    throw error;
  }
}

/** Does what an item asks for; gives why it is refused, or undefined when it was done. */
export function whyRefused(attempt: () => unknown): ItemRefused | undefined {
  const done = tried(attempt);
  return done instanceof ItemRefused ? done : undefined;
}

/** What every result repeats of its item; the order's number from the books when the item does not name it. */
export function echoOf(item: Item, account: Account, payments: Payments) {
  const { transaction_id, currency, amount } = item;
  const payment = ownPayment(payments, account, transaction_id);
  return { transaction_id, order_no: item.order_no ?? payment?.order.order_no ?? '', currency, amount };
}

/** The approved payment that an item names. Throws ItemRefused when there is none, or when the item names it wrongly. */
export function approvedPayment(item: Item, account: Account, payments: Payments) {
  const payment = ownPayment(payments, account, item.transaction_id);
  if (!payment) throw new ItemRefused('V0001');
  if (item.order_no !== undefined && item.order_no !== payment.order.order_no) throw new ItemRefused('V0002');
  if (item.currency !== payment.order.currency) throw new ItemRefused('V0003');
  const { state } = payment;
  switch (state.status) {
    case 'undecided':
      throw new ItemRefused('V0001');
    case 'declined':
      throw new ItemRefused('V0005');
    case 'cancelled':
      throw new ItemRefused('V0006');
    case 'approved':
      return { payment, state };
  }
}

/** Throws ItemRefused when an item's amount is not the one that the payment was made with. */
export function checkOriginalAmount(item: Item, payment: Payment): void {
  if (!sameAmount(item.amount, payment.order.amount)) throw new ItemRefused('V0004');
}

function ownPayment(payments: Payments, account: Account, transaction_id: string): Payment | undefined {
  const payment = payments.withTransaction(transaction_id);
  return payment?.merchant_id === account.merchant_id && payment.account_id === account.account_id
    ? payment
    : undefined;
}

/** Why an item of a batch is refused: the code that a refund_message shows (§2.5), and the text of any error_message. */
const itemRefusals = {
  V0001: 'No such transaction',
  V0002: 'The transaction belongs to another order',
  V0003: 'The transaction is in another currency',
  V0004: 'The amount is not the original amount',
  V0005: 'The payment was declined',
  V0006: 'The payment was cancelled',
  V0007: 'The payment is held for review',
  V0008: 'The refund amount must be more than zero',
  V0009: 'The refund amount is more than what is left to refund',
  V0010: 'The payment is already captured',
  V0011: 'The payment was refunded',
  V0012: 'The amount must be more than zero',
  V0013: 'The amount is more than what was authorised',
  V0014: 'The payment was already reviewed',
  V0015: 'The review_flag is none of 1, ACCEPT, APPROVE, 0, REJECT, DECLINE',
} as const;

type ItemRefusal = keyof typeof itemRefusals;

/** The gateway does not do what one item of a batch asks for; the other items are not touched by that. */
export class ItemRefused extends Error {
  readonly code: ItemRefusal;
  override readonly name = 'ItemRefused';

  constructor(code: ItemRefusal) {
    super(itemRefusals[code]);
    this.code = code;
  }
}

import type { z } from 'zod';
import { sameAmount } from '../../../shared/gateway/amounts.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { After, Clock } from '../base/clock.ts';
import type { Account, Merchant, Random } from '../base/ids.ts';
import { InvalidInput } from '../base/refusals.ts';
import type { Books } from '../books/books.ts';
import type { Payment, Payments } from '../books/payments.ts';
import type { RegisteredAddresses } from '../books/registered-addresses.ts';
import type { AnswerStyles } from '../faults/answer-style.ts';
import type { ArmedFaults, FaultName } from '../faults/faults.ts';
import type { IssuerBehaviours } from '../faults/issuer-behaviours.ts';
import { reasonsOf } from '../messages/mask.ts';
import type { MessageLog } from '../messages/messages.ts';
import type { NotificationLog } from '../notifications/notification-log.ts';
import type { Notifier } from '../notifications/notifier.ts';

/** The parts of the gateway. */
export type Parts = {
  merchants: readonly Merchant[];
  /**
   * The address of this gateway for shoppers and the relay, without a slash at the end. Called when a payment needs it.
   */
  publicUrl: () => string;
  random: Random;
  /** The delay of a late answer, in milliseconds. */
  lateMs: number;
  /** The timer of late answers and of notifications. */
  after: After;
  /** The gateway's time, which tests move. */
  clock: Clock;
  /** The received messages and their answers, masked. */
  messages: MessageLog;
  /** The notifications sent to notify_urls, masked. */
  notifications: NotificationLog;
  /** The sender of notifications. */
  notifier: Notifier;
  /** The armed faults. */
  armed: ArmedFaults;
  /** The issuer's behaviours. */
  issuers: IssuerBehaviours;
  books: Books;
  /** The addresses from which queries are accepted; loopback at first. */
  registeredAddresses: RegisteredAddresses;
  /** The style of its answers. */
  styles: AnswerStyles;
};

/** The data about a message besides its fields: its sender, and the requested faults. */
type Circumstances = {
  /** The IP address of the connection. */
  address: string;
  faults: ReadonlySet<FaultName>;
};

/** The gateway's answer: the fields without the signature, and the faults that the request causes. */
type Answer = { fields: Message; faults?: readonly FaultName[] };

/** A well-formed message: its sender, and the function that answers it after its signature was verified. */
type Accepted = Account & { answer: (circumstances: Circumstances) => Answer };

/** Reads a message of one operation. Throws InvalidInput if it does not have the form of §2. */
export type Handler = (message: Message) => Accepted;

/** Creates the handler of an operation from its request schema and its effect. */
export function handler<Request extends Account>(
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

/** The names in every item of a batch (§2.5, §2.6). */
export type Item = { transaction_id: string; order_no?: string | undefined; currency: string; amount: string };

/** An answer with a list: its entries, or an empty list and why the whole request is refused. */
export function listAnswer(
  { merchant_id, account_id }: Account,
  list: string,
  refusal: string | undefined,
  entries: () => readonly Message[],
): Answer {
  const status = { return_status: refusal === undefined ? '1' : '0', return_message: refusal ?? 'OK' };
  return { fields: { merchant_id, account_id, ...status, [list]: refusal === undefined ? entries() : [] } };
}

/** A batch in the operation table. */
type BatchOperation<Request> = {
  request: z.ZodType<Request>;
  batch: { list: string };
  lists: Readonly<Record<string, number>>;
};

/**
 * §2.7: creates the handler of a batch, which answers with one result for each item, in their order. A batch over its
 * limit (§8) is refused completely.
 */
export function batchHandler<Request extends Account, AnItem>(
  { request, batch: { list }, lists: { [list]: limit = 1 } }: BatchOperation<Request>,
  itemsOf: (request: Request) => readonly AnItem[],
  resultOf: (item: AnItem, account: Account, circumstances: Circumstances) => Message,
): Handler {
  return handler(request, (message, circumstances) => {
    const items = itemsOf(message);
    const refusal = items.length > limit ? `At most ${limit} orders in one request` : undefined;
    return listAnswer(message, list, refusal, () => items.map((item) => resultOf(item, message, circumstances)));
  });
}

/** Executes an item, and returns its result, or why it is refused. */
export function tried<Done>(attempt: () => Done): Done | ItemRefused {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof ItemRefused) return error;
    throw error;
  }
}

/** The fields that every result repeats from its item. If the item has no order number, that of the record is used. */
export function echoOf(item: Item, account: Account, payments: Payments) {
  const { transaction_id, currency, amount } = item;
  const payment = ownPayment(payments, account, transaction_id);
  return { transaction_id, order_no: item.order_no ?? payment?.order.order_no ?? '', currency, amount };
}

/** The approved payment of an item. Throws ItemRefused if there is none, or if the item's names do not match. */
export function approvedPayment(item: Item, account: Account, payments: Payments) {
  const payment = ownPayment(payments, account, item.transaction_id);
  if (!payment) throw new ItemRefused('V0001');
  if (item.order_no !== undefined && item.order_no !== payment.order.order_no) throw new ItemRefused('V0002');
  if (item.currency !== payment.order.currency) throw new ItemRefused('V0003');
  const { state } = payment;
  switch (state.status) {
    case 'undecided':
      throw new ItemRefused('V0001');
    case 'pending':
      throw new ItemRefused('V0018');
    case 'declined':
      throw new ItemRefused('V0005');
    case 'cancelled':
      throw new ItemRefused(state.cause === 'expiry' ? 'V0017' : 'V0006');
    case 'charged_back':
      throw new ItemRefused('V0006');
    case 'approved':
      return { payment, state };
  }
}

/** Throws ItemRefused if an item's amount differs from the payment's. */
export function checkOriginalAmount(item: Item, payment: Payment): void {
  if (!sameAmount(item.amount, payment.order.amount)) throw new ItemRefused('V0004');
}

function ownPayment(payments: Payments, account: Account, transaction_id: string): Payment | undefined {
  const payment = payments.withTransaction(transaction_id);
  return payment?.merchant_id === account.merchant_id && payment.account_id === account.account_id
    ? payment
    : undefined;
}

/** Why an item of a batch is refused: the code in a refund_message (§2.5), and the text of any error_message. */
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
  V0016: 'The rest of the authorisation was cancelled',
  V0017: 'The authorisation has expired',
  V0018: 'The payment is pending',
} as const;

type ItemRefusal = keyof typeof itemRefusals;

/** The gateway refuses one item of a batch. The other items are not affected. */
export class ItemRefused extends Error {
  readonly code: ItemRefusal;
  override readonly name = 'ItemRefused';

  constructor(code: ItemRefusal) {
    super(itemRefusals[code]);
    this.code = code;
  }
}

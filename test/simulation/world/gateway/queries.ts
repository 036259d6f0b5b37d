import type { Message } from '../../../../shared/gateway/signature.ts';
import type { Step } from '../../steps.ts';
import type { World } from '../world.ts';
import { answerOf, type GatewayAnswer, httpError, refused } from './answers.ts';
import { type BookRecord, type Books, recordsOf } from './books.ts';
import type { LocalDates } from './local-dates.ts';
import type { Course } from './payments.ts';

/** A fault that makes every query about an order fail, or one record of it unreadable. */
export type Spoiled = {
  how: Extract<Step, { do: 'spoil records' }>['how'];
  until: number;
};

/** The order_no of a record that no query names. */
const FOREIGN = 'foreign';

/** A query of a relay (§4.1). If it names spoiled orders, they decide its answer. */
export function query(
  { clock, random }: World,
  books: Books,
  message: Message,
  { spoiled, dates }: { spoiled: ReadonlyMap<string, Spoiled>; dates: LocalDates },
): Course {
  const orders = ordersOf(books, message);
  const draw = random('queries');
  const act = (): GatewayAnswer | undefined => {
    const troubles = orders.flatMap((order) => spoiled.get(order) ?? []).filter(({ until }) => until > clock.now());
    const has = (how: Spoiled['how']): boolean => troubles.some((one) => one.how === how);
    if (has('timeout')) return undefined;
    if (has('http_500')) return httpError;
    if (has('refused')) return refused(400);
    if (has('no_success')) return noSuccess(message);
    if (has('too_large')) return { kind: 'unusable', fault: 'answer_too_large' };
    const records = recordsOf(
      orders.flatMap((order) => books.visible(order)),
      dates,
    );
    const other = { amount: '1.00', currency: 'BRL', payment_status: '3000', transaction_date: '' };
    if (has('unreadable')) {
      const broken = orders.find((order) => spoiled.get(order)?.how === 'unreadable') ?? '';
      records.push({ ...other, order_no: broken, transaction_id: { no: 7 } });
    }
    if (has('foreign')) records.push({ ...other, order_no: FOREIGN, transaction_id: FOREIGN });
    const { merchant_id, account_id } = message;
    return answerOf({ merchant_id, account_id, return_status: '1', return_message: 'OK', orders_list: records });
  };
  return { way: 'arrives', acts: draw.between(5, 150), answers: draw.between(5, 150), act };
}

/** A refusal of a query or search that only the gateway understands (§7). */
export function noSuccess({ merchant_id, account_id }: Message): GatewayAnswer {
  return answerOf({ merchant_id, account_id, return_status: '0', return_message: 'IP address not registered' });
}

/** Whether a query or search was answered with success. */
export function isSuccess(answer: GatewayAnswer | undefined): answer is Extract<GatewayAnswer, { kind: 'answer' }> {
  return answer?.kind === 'answer' && answer.message.return_status === '1';
}

/** Whether an answer has a record of an order that was not queried: such an answer proves no absence. */
export function isBesideForeign(answer: Extract<GatewayAnswer, { kind: 'answer' }>): boolean {
  const { orders_list } = answer.message;
  return Array.isArray(orders_list) && orders_list.some(({ order_no }: BookRecord) => order_no === FOREIGN);
}

/**
 * Whether a query names orders. A query by transactions only informs a shop about its notification, and settles
 * nothing.
 */
export function isAboutOrders({ name, message }: { name: string; message: Message }): boolean {
  return name === 'query' && message.orders !== undefined;
}

/** The orders that a query is about, also by the names of their transactions. */
export function ordersOf(books: Books, { orders, trades }: Message): string[] {
  const named = typeof orders === 'string' ? orders.split(',') : [];
  const ids = typeof trades === 'string' ? trades.split(',') : [];
  const traded = books.transactions.filter(({ id }) => ids.includes(id)).map(({ order_no }) => order_no);
  return [...new Set([...named, ...traded])].filter((order) => order !== '');
}

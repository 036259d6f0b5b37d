import { formatDate, parseDate } from '../../../shared/gateway/dates.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import type { OrderRecord, QueryRequest } from '../../../shared/gateway/query.ts';
import { utc } from '../base/clock.ts';
import { overLimit, split } from '../base/wire.ts';
import type { Payment, StatusOf } from '../books/payments.ts';
import { orderStatus, reasonOf, recurringStatus } from '../books/states.ts';
import { type Handler, handler, listAnswer, type Parts } from './handler.ts';

const { lists } = operations.query;

/**
 * §4.1: returns the records of the account that match all filters. An undecided payment is not listed, because it is no
 * transaction yet. `order_status` is that of §2.2: 1 approved, 2 pending, 0 neither. A query from an address that is
 * not registered finds nothing.
 */
export function query({ books, registeredAddresses, styles }: Parts): Handler {
  return handler(operations.query.request, (request, { address }) => {
    const refusal = registeredAddresses.includes(address) ? unanswerable(request) : 'IP address not registered';
    return listAnswer(request, 'orders_list', refusal, () => {
      const records = books.payments.list().filter((payment) => asked(payment, request));
      const madeUp = periodPayments(request, styles.current.period_records);
      return [...records, ...madeUp].map((payment) => recordOf(payment, books.statusOf));
    });
  });
}

function unanswerable(request: QueryRequest): string | undefined {
  const { orders, trades, query_start, query_end } = request;
  if (!orders && !trades && !(query_start && query_end)) {
    return 'Give orders, trades, or both query_start and query_end';
  }
  return overLimit(request, lists);
}

function asked(payment: Payment, request: QueryRequest): boolean {
  const { order, state } = payment;
  if (payment.merchant_id !== request.merchant_id || payment.account_id !== request.account_id) return false;
  if (state.status === 'undecided') return false;
  if (request.orders && !split(request.orders).includes(order.order_no)) return false;
  if (request.trades && !split(request.trades).includes(payment.transaction_id)) return false;
  if (request.order_status && request.order_status !== orderStatus(payment)) return false;
  if (request.platform_source && request.platform_source !== order.platform_source) return false;
  const at = formatDate('YYYY-MM-DD HH:MM:SS', utc(payment.at));
  return !(request.query_start && at < request.query_start) && !(request.query_end && at > request.query_end);
}

function recordOf(payment: Payment, statusOf: StatusOf): OrderRecord {
  const { order, review, subscription, transaction_id } = payment;
  return {
    amount: order.amount,
    currency: order.currency,
    order_no: order.order_no,
    service: order.service ?? '',
    platform_source: order.platform_source ?? '',
    shopper_email: order.shopper_email ?? '',
    shopper_phone: order.shopper_phone ?? '',
    decline_reason: reasonOf(payment),
    delivery_information: {
      delivery_address: order.delivery_address ?? '',
      delivery_city: order.delivery_city ?? '',
      delivery_country: order.delivery_country ?? '',
      delivery_firstname: order.delivery_firstname ?? '',
      delivery_lastname: order.delivery_lastname ?? '',
      delivery_postal_code: order.delivery_postal_code ?? '',
      delivery_state: order.delivery_state ?? '',
    },
    antifraud_provider: 'sandbox',
    fraud_check_result: [
      { check_items: 'sandbox rules', status: review === 'held' || review === 'rejected' ? 'REJECT' : 'ACCEPT' },
    ],
    is3ds: '0',
    payment_status: statusOf(payment),
    query_result: '1',
    reference_no: transaction_id.slice(-10),
    transaction_id,
    transaction_date: formatDate('YYYYMMDDHHMMSS', utc(payment.at)),
    ...(subscription && {
      subscription_result: {
        contract_name: subscription.contract.contract_name,
        recurring_deduction_period: subscription.contract.period_word,
        recurring_deduction_time: formatDate('YYYY-MM-DD', utc(payment.at)),
        recurring_id: subscription.contract.recurring_id,
        recurring_status: recurringStatus(subscription.contract),
      },
    }),
  };
}

/** Made-up payments for a query over a whole period, spread evenly over it; none for any other query. */
function periodPayments(request: QueryRequest, count: number): Payment[] {
  const { orders, trades, order_status, platform_source, query_start, query_end } = request;
  if (orders || trades || order_status || platform_source || !query_start || !query_end) return [];
  const [start, end] = [timeOf(query_start), timeOf(query_end)];
  const step = Math.max(0, end - start) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, at) => madeUp(request, at + 1, new Date(start + at * step)));
}

function timeOf(text: string): number {
  const date = parseDate('YYYY-MM-DD HH:MM:SS', text);
  return date ? Date.UTC(date.year, date.month - 1, date.day, date.hour, date.minute, date.second) : 0;
}

function madeUp({ merchant_id, account_id }: QueryRequest, number: number, at: Date): Payment {
  return {
    ...{ merchant_id, account_id, at, review: 'not_held', state: { status: 'approved' } },
    transaction_id: `9${String(number).padStart(19, '0')}`,
    order: {
      amount: `${10 + (number % 490)}.90`,
      currency: 'BRL',
      order_no: `PERIOD-${number}`,
      platform_source: 'sandbox',
      shopper_email: `shopper${number}@example.com`,
      shopper_phone: '+55 81 5550100',
      delivery_address: 'Rua das Flores, 12',
      delivery_city: 'São Paulo',
      delivery_country: 'BR',
      delivery_firstname: 'Ada',
      delivery_lastname: 'Byron',
      delivery_postal_code: '01310-100',
      delivery_state: 'SP',
    },
  };
}

import { formatDate } from '../../shared/gateway/dates.ts';
import { operations } from '../../shared/gateway/operations.ts';
import type { OrderRecord, QueryRequest } from '../../shared/gateway/query.ts';
import { utc } from './dates.ts';
import { type Handler, handler } from './handler.ts';
import type { Payment, Payments } from './payments.ts';

const SEPARATOR = ',';
const { lists } = operations.query;

/**
 * §4.1: tells what the books hold of the asking account. All filters must hold. An undecided payment is not listed: it is
 * no transaction yet. `order_status` is the one of §2.2: 1 approved, 0 declined.
 */
export function query({ payments }: { payments: Payments }): Handler {
  return handler(operations.query.request, (request) => {
    const { merchant_id, account_id } = request;
    const refusal = refusalOf(request);
    const records = refusal === undefined ? payments.list().filter((payment) => asked(payment, request)) : [];
    return {
      kind: 'now',
      fields: {
        merchant_id,
        account_id,
        return_status: refusal === undefined ? '1' : '0',
        return_message: refusal ?? 'OK',
        orders_list: records.map(recordOf),
      },
    };
  });
}

function refusalOf(request: QueryRequest): string | undefined {
  const { orders, trades, query_start, query_end } = request;
  if (!orders && !trades && !(query_start && query_end)) {
    return 'Give orders, trades, or both query_start and query_end';
  }
  if (split(orders).length > lists.orders) return `At most ${lists.orders} orders in one query`;
  if (split(trades).length > lists.trades) return `At most ${lists.trades} trades in one query`;
  return undefined;
}

function asked(payment: Payment, request: QueryRequest): boolean {
  const { order, state } = payment;
  if (payment.merchant_id !== request.merchant_id || payment.account_id !== request.account_id) return false;
  if (state.status === 'undecided') return false;
  if (request.orders && !split(request.orders).includes(order.order_no)) return false;
  if (request.trades && !split(request.trades).includes(payment.transaction_id)) return false;
  if (request.order_status && request.order_status !== (state.status === 'approved' ? '1' : '0')) return false;
  if (request.platform_source && request.platform_source !== order.platform_source) return false;
  const at = formatDate('YYYY-MM-DD HH:MM:SS', utc(payment.at));
  return !(request.query_start && at < request.query_start) && !(request.query_end && at > request.query_end);
}

function recordOf(payment: Payment): OrderRecord {
  const { order, state, contract, transaction_id } = payment;
  const declined = state.status === 'declined';
  return {
    amount: order.amount,
    currency: order.currency,
    order_no: order.order_no,
    service: order.service ?? '',
    platform_source: order.platform_source ?? '',
    shopper_email: order.shopper_email ?? '',
    shopper_phone: order.shopper_phone ?? '',
    decline_reason: declined ? state.reason : '',
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
    fraud_check_result: [{ check_items: 'sandbox rules', status: 'ACCEPT' }],
    is3ds: '0',
    payment_status: declined ? '4100' : '3000',
    query_result: '1',
    reference_no: transaction_id.slice(-10),
    transaction_id,
    transaction_date: formatDate('YYYYMMDDHHMMSS', utc(payment.at)),
    ...(contract?.recurring_id && {
      subscription_result: {
        contract_name: contract.contract_name,
        recurring_deduction_period: contract.period,
        recurring_deduction_time: formatDate('YYYY-MM-DD', utc(payment.at)),
        recurring_id: contract.recurring_id,
        recurring_status: '1',
      },
    }),
  };
}

function split(list: string | undefined): string[] {
  return list ? list.split(SEPARATOR) : [];
}

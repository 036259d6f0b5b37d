import { formatDate, parseDate } from '../../../shared/gateway/dates.ts';
import type { OrderRecord, QueryRequest } from '../../../shared/gateway/query.ts';
import { utc } from '../base/clock.ts';

/** Made-up payments for a query over a whole period, evenly over it; none where the query asks for anything else. */
export function periodRecords(request: QueryRequest, count: number): OrderRecord[] {
  const { orders, trades, order_status, platform_source, query_start, query_end } = request;
  if (orders || trades || order_status || platform_source || !query_start || !query_end) return [];
  const [start, end] = [timeOf(query_start), timeOf(query_end)];
  const step = Math.max(0, end - start) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, at) => recordOf(at + 1, new Date(start + at * step)));
}

function timeOf(text: string): number {
  const date = parseDate('YYYY-MM-DD HH:MM:SS', text);
  return date ? Date.UTC(date.year, date.month - 1, date.day, date.hour, date.minute, date.second) : 0;
}

function recordOf(number: number, at: Date): OrderRecord {
  const transaction_id = `9${String(number).padStart(19, '0')}`;
  return {
    amount: `${10 + (number % 490)}.90`,
    currency: 'BRL',
    order_no: `PERIOD-${number}`,
    service: '',
    platform_source: 'sandbox',
    shopper_email: `shopper${number}@example.com`,
    shopper_phone: '+55 81 5550100',
    decline_reason: '',
    delivery_information: {
      delivery_address: 'Rua das Flores, 12',
      delivery_city: 'São Paulo',
      delivery_country: 'BR',
      delivery_firstname: 'Ada',
      delivery_lastname: 'Byron',
      delivery_postal_code: '01310-100',
      delivery_state: 'SP',
    },
    antifraud_provider: 'sandbox',
    fraud_check_result: [{ check_items: 'sandbox rules', status: 'ACCEPT' }],
    is3ds: '0',
    payment_status: '3000',
    query_result: '1',
    reference_no: transaction_id.slice(-10),
    transaction_id,
    transaction_date: formatDate('YYYYMMDDHHMMSS', utc(at)),
  };
}

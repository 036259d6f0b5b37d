import type { AnswerOf, ProfileAnswer } from '../../client/index.ts';
import { parseDate } from '../../shared/gateway/dates.ts';
import type { OrderThere, PaymentMeaning, PaymentThere, RefundMeaning, RefundThere } from './compare/sides.ts';

export type QueryRecord = NonNullable<AnswerOf<'query'>['orders_list']>[number];
export type RefundRecord = NonNullable<AnswerOf<'refund_search'>['refund_orders']>[number];
export type Codes = ProfileAnswer['codes'];

/** A payment in the gateway's books, as a query's record tells of it. */
export function paymentThere(record: QueryRecord, { payment_status }: Codes): PaymentThere {
  const { transaction_id, amount, currency, payment_status: code, transaction_date, subscription_result } = record;
  const date = parseDate('YYYYMMDDHHMMSS', transaction_date ?? '');
  const contract = subscription_result?.recurring_id;
  return {
    ...{ transaction_id: transaction_id ?? '', amount: amount ?? '', currency: currency ?? '' },
    ...{ code: code ?? '', meaning: meaningOf(code ?? '', payment_status) },
    ...(date ? { date: Date.UTC(date.year, date.month - 1, date.day, date.hour, date.minute, date.second) } : {}),
    ...(contract ? { contract } : {}),
  };
}

function meaningOf(code: string, { approved, declined, pending }: Codes['payment_status']): PaymentMeaning {
  if (approved.includes(code)) return 'approved';
  if (declined.includes(code)) return 'declined';
  return pending.includes(code) ? 'pending' : 'unlisted';
}

/** A refund in the gateway's books, as a refund search's record tells of it. */
export function refundThere(record: RefundRecord, { refund_status }: Codes): RefundThere {
  const { transaction_id, refund_amount, currency, refund_reference_id, refund_status: code } = record;
  const status = code ?? '';
  const meaning: RefundMeaning = refund_status.success.includes(status)
    ? 'succeeded'
    : refund_status.failed.includes(status)
      ? 'failed'
      : 'unlisted';
  return {
    ...{ transaction_id: transaction_id ?? '', amount: refund_amount ?? '', currency: currency ?? '' },
    ...{ refund_reference_id: refund_reference_id ?? '', meaning },
  };
}

/** The payments of each order, by its number. */
export function byOrder(records: readonly QueryRecord[], codes: Codes): Map<string, PaymentThere[]> {
  const found = new Map<string, PaymentThere[]>();
  for (const record of records) {
    const orderNo = record.order_no ?? '';
    const payments = found.get(orderNo) ?? [];
    payments.push(paymentThere(record, codes));
    found.set(orderNo, payments);
  }
  return found;
}

/** What the gateway has of one order. A gateway that is asked by order_no and by transaction_id may tell of a refund twice. */
export function orderThere(payments: readonly PaymentThere[], refunds: readonly RefundThere[]): OrderThere {
  const own = new Set(payments.map(({ transaction_id }) => transaction_id));
  const seen = new Set<string>();
  const once = refunds.filter(({ transaction_id, refund_reference_id }) => {
    const isNew = refund_reference_id === '' || !seen.has(refund_reference_id);
    if (own.has(transaction_id)) seen.add(refund_reference_id);
    return own.has(transaction_id) && isNew;
  });
  return { payments, refunds: once };
}

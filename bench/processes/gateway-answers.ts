import { z } from 'zod';
import { sign } from '../../shared/gateway/signature.ts';
import { orderAmount } from '../harness/payment.ts';
import { benchAccount } from '../harness/settings.ts';

const { merchant_id, account_id, signing_secret } = benchAccount;

/** The transaction that pays an order. */
const transactionOf = (orderNo: string): string => `T-${orderNo}`;

/** The signed answer to an approved payment (§2.2), some 900 bytes of XML. */
export function paymentAnswer(message: string): string {
  const order_no = field(message, 'order_no');
  const elements: Record<string, string> = {
    merchant_id,
    account_id,
    order_no,
    amount: field(message, 'amount'),
    currency: field(message, 'currency'),
    transaction_id: transactionOf(order_no),
    card: '411111******1111',
    order_status: '1',
    result_info: '0000:Success',
    contract_name: '',
    recurring_id: '',
    recurring_deduction_period: '',
    recurring_deduction_time: '',
    note: 'Thank you for your payment. It will appear on your statement as FOLHA TEA.',
    connector: 'acme-acquiring-2',
  };
  const signed = { ...elements, encryption_data: sign(elements, signing_secret) };
  const inner = Object.entries(signed).map(([name, value]) => `  <${name}>${value}</${name}>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<respon>\n${inner.join('')}</respon>\n`;
}

/** Reads a field of a JSON text without parsing the whole text. */
function field(message: string, name: string): string {
  const start = message.indexOf(`"${name}":"`);
  return start < 0 ? '-' : message.slice(start + name.length + 4, message.indexOf('"', start + name.length + 4));
}

const refundRequest = z.object({ refund_orders: z.array(z.record(z.string(), z.unknown())) });

/** The signed answer to refunds that succeed (§2.5). */
export function refundAnswer(message: string): string {
  const refund_orders = refundRequest.parse(JSON.parse(message)).refund_orders.map((item) => ({
    ...item,
    refund_reference: '',
    refund_reference_id: `${item.transaction_id}-01`,
    refund_status: '1',
    refund_message: 'V0000:OK',
  }));
  return signedJson({ refund_orders });
}

/** The signed answer to a refund search that finds nothing (§4.2). */
export function refundSearchAnswer(): string {
  return signedJson({ refund_orders: [] });
}

/** The answer to a query (§2.4): the record of each order, approved a moment ago. */
export function queryAnswer(form: string): string {
  const transaction_date = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const orders = new URLSearchParams(form).get('orders') ?? '';
  const orders_list = orders.split(',').map((order_no) => ({
    ...{ order_no, transaction_id: transactionOf(order_no), transaction_date, currency: 'BRL', amount: orderAmount },
    ...{ payment_status: '3000', payment_method: 'card', card: '411111******1111', decline_reason: '', is3ds: '0' },
    ...{ antifraud_provider: 'acme', reference_no: `R-${order_no}`, connector: 'acme-acquiring-2' },
    fraud_check_result: [{ provider: 'acme', status: 'ACCEPT' }],
  }));
  return JSON.stringify({ merchant_id, account_id, return_status: '1', return_message: 'OK', orders_list });
}

function signedJson(fields: object): string {
  const message = { merchant_id, account_id, return_status: '1', return_message: 'OK', ...fields };
  return JSON.stringify({ ...message, encryption_data: sign(message, signing_secret) });
}

import { parseDate } from '../../shared/gateway/dates.ts';

const identifiers = [
  'transaction_id',
  'trades',
  'refund_reference_id',
  'refund_references',
  'merchant_refunds',
  'refund_orders',
  'recurring_id',
  'request_id',
];
const dates = ['transaction_date', 'refund_date', 'refund_processing_date'];
const totals = ['item_total', 'shipping', 'handling', 'tax_total', 'insurance', 'shipping_discount', 'discount'];

/** As this gateway forms them; anything else in those fields may be anything. */
const identifier = /^(\d{20}(-\d\d)?|R[0-9a-f]{12}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const amount = /^\d{1,13}(\.\d{1,2})?$/;
const signature = /^[0-9a-f]{64}$/;

/**
 * True for a value of one of the interface's own fields that has that field's form: an identifier of this gateway, a date,
 * an amount or a signature. Digits that pass Luhn in it do so by chance.
 */
export function isOwnValue(name: string, text: string): boolean {
  if (name === 'encryption_data') return signature.test(text);
  if (identifiers.includes(name)) return identifier.test(text);
  if (dates.includes(name)) return parseDate('YYYYMMDDHHMMSS', text) !== undefined;
  return (totals.includes(name) || /(^|_)amount(_|$)/.test(name)) && amount.test(text);
}

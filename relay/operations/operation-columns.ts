import type { OperationSummary } from '../../shared/api/operation.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import type { CsvColumns } from '../http/csv.ts';

/** One item of an operation, with its index. */
type Item = { operation: OperationSummary; at: number; request: Readonly<Record<string, unknown>> };

/** The items of an operation. An operation that is no batch counts as one item. */
export function itemsIn(operation: OperationSummary): Item[] {
  const list = Object.values(operation.request).find((value) => Array.isArray(value) && value.every(isObject));
  const requests: Item['request'][] = Array.isArray(list) ? list : [operation.request];
  return requests.map((request, at) => ({ operation, at, request }));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * The amount and the currency of an item: of a refund the returned amount, of a payout the amount that the payee
 * receives or that leaves the account.
 */
function sumOf({ request }: Item): { amount?: string | undefined; currency?: string | undefined } {
  const { refund_amount, amount, currency } = request;
  const { payment_amount, payment_currency, source_amount, source_currency } = request;
  if (payment_amount !== undefined) return { amount: text(payment_amount), currency: text(payment_currency) };
  if (source_amount !== undefined) return { amount: text(source_amount), currency: text(source_currency) };
  return { amount: text(refund_amount ?? amount), currency: text(currency) };
}

/** The name of a payout's payee, and the last characters of the account number. */
function payeeOf({ request: { beneficiary } }: Item): { name?: string | undefined; account?: string | undefined } {
  if (!isObject(beneficiary)) return {};
  const known: Readonly<Record<string, unknown>> = { ...beneficiary };
  const bank: Readonly<Record<string, unknown>> = isObject(known.bank_details) ? { ...known.bank_details } : {};
  const names = [known.company_name, known.first_name, known.last_name].flatMap((name) => text(name) ?? []);
  return { name: names.join(' '), account: text(bank.iban ?? bank.account_number) };
}

/** Operations as CSV, one line for each item. */
export const operationColumns: CsvColumns<Item> = [
  ['operation_id', ({ operation }) => operation.id],
  ['operation', ({ operation }) => operation.operation],
  ['status', ({ operation }) => operation.status],
  ['created_at', ({ operation }) => operation.created_at],
  ['by', ({ operation }) => operation.by],
  ['settled_at', ({ operation }) => operation.settled_at],
  ['item', ({ at }) => at + 1],
  ['outcome', ({ operation, at }) => operation.items?.[at]],
  ['order_no', ({ request }) => text(request.order_no)],
  ['transaction_id', ({ request }) => text(request.transaction_id)],
  ['recurring_id', ({ request }) => text(request.recurring_id)],
  ['amount', (item) => sumOf(item).amount],
  ['currency', (item) => sumOf(item).currency],
  ['reason', ({ request }) => text(request.refund_reason ?? request.reason)],
  ['review_flag', ({ request }) => text(request.review_flag)],
  ['reference', ({ operation, at }) => operation.references?.[at]],
  ['request_id', ({ request }) => text(request.request_id)],
  ['payee', (item) => payeeOf(item).name],
  ['account', (item) => payeeOf(item).account],
  ['payout_status', ({ operation }) => operation.payout?.payout_status],
];

import { isObject } from '../../../shared/checkout/is-object.ts';
import { type OperationName, operations } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { maskMessage } from './mask.ts';

/** What the list of messages says of one that came: all of it masked. */
type Description = { operation: string; order_no: string; request: string };

/** Describes a message without its secrets. */
export function describe(name: OperationName, message: Message): Description {
  const known = Object.keys(operations[name].request.shape);
  const masked = maskMessage(message, known);
  const fields = Object.fromEntries(Object.entries(masked).filter(([field]) => known.includes(field)));
  return { operation: name, order_no: namesIn(fields), request: JSON.stringify(masked, undefined, 2) };
}

/** What the list says of a message that could not be read. */
export function unread(path: string): Description {
  return { operation: path, order_no: '', request: '(could not be read)' };
}

const LISTS = ['orders', 'trades', 'refund_orders', 'refund_references', 'merchant_refunds'];
const NAMES = ['order_no', 'transaction_id', 'recurring_id', 'request_id'];

/** What a message is about: its order, those of its batch or list, or whatever else names it. */
function namesIn(message: Message): string {
  const parts = [message, ...Object.values(message).flatMap((value) => (Array.isArray(value) ? value : []))];
  const named = parts.filter(isObject).map((part) => NAMES.map((name) => part[name]).find(isName));
  const listed = LISTS.map((name) => message[name]);
  return [...new Set([...named, ...listed].filter(isName))].join(', ');
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

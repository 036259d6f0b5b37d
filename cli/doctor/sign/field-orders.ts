import { type OperationName, operations } from '../../../shared/gateway/operations.ts';
import { printedOrder } from '../../../shared/gateway/printed-order.ts';
import type { Message } from '../../../shared/gateway/signature.ts';

/** A message of an operation, and its direction. */
export type Subject = { operation: OperationName; direction: 'request' | 'answer'; message: Message };

/** The fields of an operation's message in the interface's order, including those that the message lacks. */
export function interfaceFields({ operation, direction }: Omit<Subject, 'message'>): readonly string[] {
  const printed = direction === 'request' ? printedOf(operation) : undefined;
  return printed ?? Object.keys(operations[operation][direction].shape).filter(isSigned);
}

function printedOf(operation: OperationName): readonly string[] | undefined {
  return Object.entries(printedOrder).find(([name]) => name === operation)?.[1];
}

/** The message's own fields, in its order. */
export function ownFields({ message }: Pick<Subject, 'message'>): string[] {
  return Object.keys(message).filter(isSigned);
}

function isSigned(name: string): boolean {
  return name !== 'encryption_data';
}

const IDENTIFICATION = ['merchant_id', 'account_id', 'order_no'];

/** Fields that gateways sign, the most usual first. Other fields follow them. */
const usualFields = [
  ...IDENTIFICATION,
  ...['orders', 'amount', 'currency', 'transaction_id', 'order_status', 'result_info', 'return_status'],
  ...['return_message', 'request_id', 'payment_amount', 'payment_currency', 'recurring_id', 'cancel_status', 'status'],
  ...['contract_name', 'issuer_url', 'refund_orders', 'capture_orders', 'cancel_orders', 'review_orders', 'trades'],
  ...['payment_method', 'card', 'shopper_email', 'notify_url', 'return_url', 'query_start', 'query_end'],
];

/** The message's fields, the most usual first. */
export function byUse(subject: Subject): string[] {
  return sortedBy(inInterfaceOrder(ownFields(subject), subject), usualFields);
}

/** Sorts names by their places in a list. Names that the list lacks follow in their order. */
function sortedBy(names: readonly string[], list: readonly string[]): string[] {
  const place = (name: string): number => {
    const at = list.indexOf(name);
    return at === -1 ? list.length : at;
  };
  return names.toSorted((one, other) => place(one) - place(other));
}

function inInterfaceOrder(names: readonly string[], subject: Subject): string[] {
  return sortedBy(names, interfaceFields(subject));
}

/**
 * The orders in which gateways usually sign a set of fields: that of the interface, the given one, alphabetical,
 * identification first.
 */
export function ordersOf(names: readonly string[], subject: Subject): string[][] {
  const sorted = names.toSorted();
  return [
    inInterfaceOrder(names, subject),
    [...names],
    sorted,
    sortedBy(names, IDENTIFICATION),
    sortedBy(sorted, IDENTIFICATION),
  ];
}

/**
 * The usual sets of fields in their usual orders, each once: all, texts only, all but one, identification and amount,
 * and these with one more.
 */
export function* usualOrders(subject: Subject): Generator<readonly string[]> {
  const seen = new Set<string>();
  for (const set of usualSets(subject)) {
    for (const order of ordersOf(set, subject)) {
      const key = order.join();
      if (order.length === 0 || seen.has(key)) continue;
      seen.add(key);
      yield order;
    }
  }
}

function* usualSets(subject: Subject): Generator<readonly string[]> {
  const { message } = subject;
  const own = ownFields(subject);
  const texts = own.filter((name) => typeof message[name] !== 'object' || message[name] === null);
  yield own;
  yield texts;
  const core = own.filter((name) => [...IDENTIFICATION, 'orders', 'amount', 'currency'].includes(name));
  yield core;
  for (const name of own) if (!core.includes(name)) yield [...core, name];
  for (const left of own) yield own.filter((name) => name !== left);
  for (const left of texts) yield texts.filter((name) => name !== left);
  yield* withoutGroups(texts);
  yield interfaceFields(subject);
}

/** Without all fields of one group, such as those of the delivery. */
function* withoutGroups(names: readonly string[]): Generator<readonly string[]> {
  const groups = new Set(names.flatMap((name) => /^[a-z]+_(?=.)/.exec(name) ?? []));
  for (const group of groups) yield names.filter((name) => !name.startsWith(group));
}

/** All orders of this many of the names, starting with the order of the names. */
export function* permutations(names: readonly string[], size: number): Generator<readonly string[]> {
  if (size === 0) return yield [];
  for (const first of names) {
    const rest = names.filter((name) => name !== first);
    for (const others of permutations(rest, size - 1)) yield [first, ...others];
  }
}

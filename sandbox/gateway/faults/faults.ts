import { isObject } from '../../../shared/checkout/is-object.ts';
import { type OperationName, operationNames } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { InvalidInput } from '../base/refusals.ts';

/** The target of a fault: the answer to a message, or the notification after it; of every operation, or `only` of these. */
export type Fault = {
  title: string;
  does: string;
  target: 'message' | 'notification';
  only?: readonly OperationName[];
};

/** The subjects of notifications. A review, capture, cancellation or chargeback is notified as a payment. */
const notified = ['direct_payment', 'apm_payment', 'refund', 'payout'] as const;
/** The one answer without an amount is a subscription cancel's. */
const withMoney = operationNames.filter((name) => name !== 'subscription_cancel');

const message = { target: 'message' } as const;
const notification = { target: 'notification', only: notified } as const;

/** The faults of this gateway. With all but error_before, the requested action is really done. */
export const faults = {
  error_before: { ...message, title: 'Error, nothing done', does: 'Answers 500 before anything happened.' },
  refund_pending: {
    ...message,
    only: ['refund'],
    title: 'Refund not processed',
    does: 'Accepts a refund; its refund_processing_date stays empty.',
  },
  late: { ...message, title: 'Late answer', does: 'Answers late.' },
  never: { ...message, title: 'No answer', does: 'Keeps the connection open and never answers.' },
  reset: { ...message, title: 'Connection reset', does: 'Resets the connection instead of an answer.' },
  truncated: { ...message, title: 'Answer cut off', does: 'Sends half of the answer and hangs up.' },
  wrong_signature: { ...message, title: 'Wrong signature', does: 'Signs the answer with another secret.' },
  missing_signature: { ...message, title: 'No signature', does: 'Leaves encryption_data out of the answer.' },
  wrong_order: {
    ...message,
    title: 'Another order',
    does: 'Answers, well signed, for another order_no, transaction_id, recurring_id or request_id.',
  },
  wrong_amount: {
    ...message,
    only: withMoney,
    title: 'Another amount',
    does: 'Answers, well signed, with another amount.',
  },
  wrong_currency: {
    ...message,
    only: withMoney,
    title: 'Another currency',
    does: 'Answers, well signed, with another currency.',
  },
  wrong_account: { ...message, title: 'Another account', does: 'Answers, well signed, for another account_id.' },
  long_name: {
    ...message,
    only: ['direct_payment', 'query', 'refund_search'],
    title: 'Name too long',
    does: 'Answers, well signed, with a transaction_id, recurring_id or refund_reference_id of more than 255 characters.',
  },
  card_in_texts: {
    ...message,
    title: 'Card number in texts',
    does: 'Answers, well signed, with a card number and its code in every message, note and reason, and the number in issuer_url.',
  },
  server_error: { ...message, title: 'Error, all done', does: 'Answers 500 after it happened.' },
  html: { ...message, title: 'HTML page', does: 'Answers 200 with a web page.' },
  notification_duplicate: { ...notification, title: 'Notified twice', does: 'Sends the notification twice.' },
  notification_late: { ...notification, title: 'Notified late', does: 'Sends the notification late.' },
  notification_reordered: {
    ...notification,
    title: 'Notified out of order',
    does: 'Sends the notification after the next one of its order, or late when none follows.',
  },
  notification_lost: { ...notification, title: 'Not notified', does: 'Never sends the notification.' },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** The same as a list. */
export const faultNames = Object.keys(faults).filter(isFaultName);

/** True for the name of a fault. */
function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faults, name);
}

/** Whether a fault applies to this target, in one of these operations. */
export function appliesTo(name: FaultName, what: Fault['target'], operations: readonly OperationName[]): boolean {
  return faults[name].target === what && operations.some((operation) => canApplyTo(name, operation));
}

/** True when a fault can spoil something in an operation or in its notifications. */
export function canApplyTo(name: FaultName, operation: OperationName): boolean {
  const { only }: Fault = faults[name];
  return only === undefined || only.includes(operation);
}

/** A fault that waits for the next messages of an operation, or of any. */
type ArmedFault = { operation: OperationName | '*'; fault: FaultName; times: number };

/** Faults that a person or a test armed for the next messages. */
export class ArmedFaults {
  #armed: ArmedFault[] = [];

  arm(fault: ArmedFault): void {
    this.#armed.push({ ...fault });
  }

  list(): readonly ArmedFault[] {
    return this.#armed.map((armed) => ({ ...armed }));
  }

  clear(): void {
    this.#armed = [];
  }

  /** The armed faults that apply to this target, in one of these operations. Each is used up. */
  take(what: Fault['target'], operations: readonly OperationName[]): FaultName[] {
    const taken = this.#armed.filter(
      ({ operation, fault }) =>
        (operation === '*' || operations.includes(operation)) && appliesTo(fault, what, operations),
    );
    for (const armed of taken) armed.times -= 1;
    this.#armed = this.#armed.filter(({ times }) => times > 0);
    return taken.map(({ fault }) => fault);
  }
}

/** Where a message may ask for a fault, in itself or in the items of its batch. */
const FIELDS = ['order_no', 'orders', 'refund_orders', 'reference', 'client_data', 'contract_name'];

const SPELLED = /fault:(?:([a-z_]+)\.)?([a-z_]+)/g;

/**
 * The faults that texts ask for. `fault:never` applies to every operation of the order except queries, so that lost answers can be
 * settled; `fault:query.never` applies to queries.
 */
export function spelledFaults(
  texts: readonly string[],
  what: Fault['target'],
  operations: readonly OperationName[],
): FaultName[] {
  return spelledIn(texts).flatMap(({ name, only }) => {
    const meant =
      only === undefined ? operations.some((operation) => !isQuery(operation)) : operations.some((one) => one === only);
    return meant && isFaultName(name) && appliesTo(name, what, operations) ? [name] : [];
  });
}

/** Throws InvalidInput when texts ask for a fault, or for a fault of an operation, that does not exist. */
export function checkFaultNames(texts: readonly string[]): void {
  for (const { name, only } of spelledIn(texts)) {
    if (!isFaultName(name)) throw new InvalidInput(`no fault is called ${name}`);
    if (only === undefined) continue;
    const operation = operationNames.find((one) => one === only);
    if (!operation) throw new InvalidInput(`no operation is called ${only}`);
    if (!canApplyTo(name, operation)) throw new InvalidInput(`the fault ${name} never strikes ${operation}`);
  }
}

/** The texts of a message, or of the items of its batch, in which it may ask for faults. */
export function triggersIn(message: Message): string[] {
  return Object.entries(message).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.flatMap((item: unknown) => (isObject(item) ? triggersIn(item) : []));
    return FIELDS.includes(name) && typeof value === 'string' ? [value] : [];
  });
}

function spelledIn(texts: readonly string[]): { name: string; only: string | undefined }[] {
  return texts.flatMap((text) => [...text.matchAll(SPELLED)].map(([, only, name = '']) => ({ name, only })));
}

function isQuery(operation: OperationName): boolean {
  return operation === 'query' || operation === 'refund_search';
}

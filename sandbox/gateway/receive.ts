import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { isObject } from '../../shared/checkout/is-object.ts';
import { type Operation, type OperationName, operationNames, operations } from '../../shared/gateway/operations.ts';
import { type Message, sameText, sign } from '../../shared/gateway/signature.ts';
import { type Account, merchantOf } from './base/ids.ts';
import { InvalidInput, notTaken, Refusal, recordNotFound, sandboxFault } from './base/refusals.ts';
import { split } from './base/wire.ts';
import type { Books } from './books/books.ts';
import type { Payment } from './books/payments.ts';
import { appliesTo, checkFaultNames, type FaultName, spelledFaults, triggersIn } from './faults/faults.ts';
import { describe, unread } from './messages/messages.ts';
import { reply, type Verdict } from './messages/reply.ts';
import { writeAnswer } from './messages/written-answer.ts';
import type { Handler, Parts } from './operations/handler.ts';

type Handlers = Record<OperationName, Handler>;

/** The paths of the gateway, each with the encoding of its messages (§4). */
export const endpoints: ReadonlyMap<string, Operation['encoding']> = new Map(
  operationNames.map((name) => [operations[name].path, operations[name].encoding]),
);

/** Handles the messages of one path: reads, checks, answers and logs each. Needs the body as bytes. */
export function receive(
  path: string,
  encoding: Operation['encoding'],
  handlers: Handlers,
  parts: Parts,
): RequestHandler {
  return (request, response) => {
    const at = parts.clock.now();
    let description = unread(path);
    // Notifications are sent after the answer. A lost answer must not make them wait for the end of its connection.
    const { result: verdict, send } = parts.notifier.collect((): Verdict => {
      try {
        const message = readBody(encoding, request.body);
        const name = operationOf(path, message);
        description = describe(name, message);
        return judge(name, message, request, handlers, parts);
      } catch (error) {
        return refusal(error);
      }
    });
    const { faults } = verdict;
    if (faults.has('never')) send();
    else response.once('close', send);
    const tell = parts.messages.add({ at, ...description, faults: [...faults] });
    reply(response, verdict, tell, parts);
  };
}

/** Two operations share a path: a payment with payment_method is an APM's (§2.3). */
function operationOf(path: string, message: Message): OperationName {
  const names = operationNames.filter((name) => operations[name].path === path);
  if (names.includes('apm_payment')) return 'payment_method' in message ? 'apm_payment' : 'direct_payment';
  const [only] = names;
  if (only === undefined) throw new TypeError(`no operation has the path ${path}`);
  return only;
}

function judge(name: OperationName, message: Message, request: Request, handlers: Handlers, parts: Parts): Verdict {
  const { merchants, books, armed, styles } = parts;
  const style = styles.current;
  if (style.refuse_with !== 'none') throw notTaken(Number(style.refuse_with));
  const accepted = handlers[name](message);
  const merchant = merchantOf(merchants, accepted);
  if (!merchant) throw recordNotFound();
  checkSignature(message, merchant.signing_secret);
  const triggers = triggersIn(message);
  checkFaultNames(triggers);
  const named = namedPayments(message, accepted, books);
  const texts = [...triggers, ...named.flatMap(triggersOf)];
  const later = named.flatMap(({ faults = [] }) => faults).filter((fault) => appliesTo(fault, 'message', [name]));
  const ordered = [...spelledFaults(texts, 'message', [name]), ...later, ...armed.take('message', [name])];
  if (ordered.includes('error_before')) throw sandboxFault();
  const address = request.socket.remoteAddress ?? '';
  const { fields, faults: brought = [] } = accepted.answer({ address, faults: new Set(ordered) });
  const faults = new Set([...ordered, ...brought]);
  return {
    kind: 'accepted',
    answer: writeAnswer(name, fields, { faults, style, secret: merchant.signing_secret }),
    faults,
  };
}

function triggersOf({ order, subscription }: Payment): string[] {
  return [order.order_no, ...(subscription ? [subscription.contract.contract_name] : [])];
}

function checkSignature(message: Message, secret: string): void {
  const { encryption_data } = message;
  if (typeof encryption_data !== 'string' || encryption_data === '') {
    throw new InvalidInput('encryption_data is missing');
  }
  if (!sameText(encryption_data, sign(message, secret))) throw new InvalidInput('encryption_data is wrong');
}

function refusal(error: unknown): Verdict {
  if (!(error instanceof Refusal)) throw error;
  const faults = new Set<FaultName>(error.code === 'sandbox_fault' ? ['error_before'] : []);
  return { kind: 'refused', status: error.status, reason: error.message, faults };
}

/** The fields in which a form names payments by transaction_id, or by the refund_reference_id of their refunds. */
const LISTS = ['trades', 'refund_orders', 'refund_references', 'merchant_refunds'];

/**
 * The payments of an account that a message is about without their order_no: those that the message, an item of its
 * batch or one of its lists names by the gateway's names, and the first payment of a subscription.
 */
function namedPayments(message: Message, account: Account, { payments, refunds, contracts }: Books): Payment[] {
  const found = namesIn(message).flatMap((name) => [
    payments.withTransaction(name) ?? refunds.withReference(name)?.payment,
    contracts.firstPayment(name),
  ]);
  const own = found
    .filter((payment) => payment !== undefined)
    .filter(({ merchant_id, account_id }) => merchant_id === account.merchant_id && account_id === account.account_id);
  return [...new Set(own)];
}

function namesIn(message: Message): string[] {
  return Object.entries(message).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.flatMap((item: unknown) => (isObject(item) ? namesIn(item) : []));
    if (typeof value !== 'string') return [];
    if (name === 'transaction_id' || name === 'recurring_id') return [value];
    return LISTS.includes(name) ? split(value) : [];
  });
}

/**
 * Reads the bytes of a request as the signed message. The content type does not matter, because the spec does not say
 * which one is binding for JSON (§4.6). Throws InvalidInput.
 */
function readBody(encoding: Operation['encoding'], body: unknown): Message {
  const text = decoded(body);
  return encoding === 'json' ? readJson(text) : readForm(text);
}

function decoded(body: unknown): string {
  if (!(body instanceof Uint8Array)) throw new InvalidInput('the body is empty');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new InvalidInput('the body is not UTF-8');
  }
}

function readJson(text: string): Message {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInput('the body is not a JSON object');
  }
  return Object.fromEntries(Object.entries(value));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput('the body is not JSON');
  }
}

function readForm(text: string): Message {
  // Read as a form, JSON would be one parameter whose name is the whole text, including the card.
  if (/^\s*[{[]/.test(text)) throw new InvalidInput('the body is not a form');
  const pairs = [...new URLSearchParams(text)];
  const message = Object.fromEntries(pairs);
  if (Object.keys(message).length !== pairs.length) throw new InvalidInput('a parameter is given twice');
  return message;
}

/** The fields may include a document's file. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A body that could not be received (too long, incomplete, in an unknown encoding) is invalid input, too. */
export function refuseUnread(parts: Parts): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const tooLong = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
    const readable = !(error instanceof Error && 'status' in error && typeof error.status === 'number');
    if (readable) return next(error);
    const { message } = new InvalidInput(
      tooLong ? `the body is over ${MAX_BODY_BYTES} bytes` : 'the body cannot be read',
    );
    const tell = parts.messages.add({ at: parts.clock.now(), faults: [], ...unread(request.path) });
    reply(response, { kind: 'refused', status: 400, reason: message, faults: new Set() }, tell, parts);
  };
}

import type { Request, RequestHandler } from 'express';
import { type Operation, type OperationName, operationNames, operations } from '../../shared/gateway/operations.ts';
import { sameText } from '../../shared/gateway/same-text.ts';
import { type Message, sign } from '../../shared/gateway/signature.ts';
import { type Merchant, merchantOf } from './base/merchant.ts';
import { InvalidInput, NotTaken, RecordNotFound, SandboxFault } from './base/refusals.ts';
import type { Books } from './books/books.ts';
import type { Payment } from './books/payments.ts';
import type { AnswerStyles } from './faults/answer-style.ts';
import type { ArmedFaults } from './faults/armed-faults.ts';
import { checkFaultNames, spelledFaults, triggersIn } from './faults/fault-triggers.ts';
import { type FaultName, strikes } from './faults/faults.ts';
import { describe, unread } from './messages/describe.ts';
import type { MessageLog } from './messages/messages.ts';
import { readBody } from './messages/read-body.ts';
import { type Lateness, reply, type Verdict } from './messages/reply.ts';
import { writeAnswer } from './messages/written-answer.ts';
import { namedPayments } from './named-payments.ts';
import type { Notifier } from './notifications/notifier.ts';
import type { Handler } from './operations/handler.ts';

type Surroundings = {
  merchants: readonly Merchant[];
  handlers: Record<OperationName, Handler>;
  books: Books;
  messages: MessageLog;
  armed: ArmedFaults;
  notifier: Notifier;
  styles: AnswerStyles;
  now: () => Date;
} & Lateness;

/** The paths that the gateway answers, each with the encoding of what is sent there (§4). */
export const endpoints: ReadonlyMap<string, Operation['encoding']> = new Map(
  operationNames.map((name) => [operations[name].path, operations[name].encoding]),
);

/** Takes the messages of one path: reads, checks and answers each, and writes it down. Needs the body as bytes. */
export function receive(path: string, encoding: Operation['encoding'], surroundings: Surroundings): RequestHandler {
  return (request, response) => {
    const at = surroundings.now();
    let description = unread(path);
    // What happens is told to notify_url after the answer: a lost one is no reason to wait for its connection's end.
    const { result: verdict, send } = surroundings.notifier.collect((): Verdict => {
      try {
        const message = readBody(encoding, request.body);
        const name = operationOf(path, message);
        description = describe(name, message);
        return judge(name, message, request, surroundings);
      } catch (error) {
        return refusal(error);
      }
    });
    const { faults } = verdict;
    if (faults.has('never')) send();
    else response.once('close', send);
    const tell = surroundings.messages.add({ at, ...description, faults: [...faults] });
    reply(response, verdict, tell, surroundings);
  };
}

/** Two operations share a path: a payment that carries payment_method is an APM's (§2.3). */
function operationOf(path: string, message: Message): OperationName {
  const names = operationNames.filter((name) => operations[name].path === path);
  if (names.includes('apm_payment')) return 'payment_method' in message ? 'apm_payment' : 'direct_payment';
  const [only] = names;
  if (only === undefined) throw new TypeError(`no operation has the path ${path}`);
  return only;
}

function judge(name: OperationName, message: Message, request: Request, surroundings: Surroundings): Verdict {
  const { merchants, handlers, books, armed, styles } = surroundings;
  const style = styles.current;
  if (style.refuse_with !== 'none') throw new NotTaken(Number(style.refuse_with));
  const accepted = handlers[name](message);
  const merchant = merchantOf(merchants, accepted);
  if (!merchant) throw new RecordNotFound();
  checkSignature(message, merchant.signing_secret);
  const triggers = triggersIn(message);
  checkFaultNames(triggers);
  const named = namedPayments(message, accepted, books);
  const texts = [...triggers, ...named.flatMap(triggersOf)];
  const later = named.flatMap(({ faults = [] }) => faults).filter((fault) => strikes(fault, 'message', [name]));
  const ordered = [...spelledFaults(texts, 'message', [name]), ...later, ...armed.take('message', [name])];
  if (ordered.includes('error_before')) throw new SandboxFault();
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
  const known =
    error instanceof InvalidInput ||
    error instanceof RecordNotFound ||
    error instanceof SandboxFault ||
    error instanceof NotTaken;
  if (!known) throw error;
  const faults = new Set<FaultName>(error instanceof SandboxFault ? ['error_before'] : []);
  return { kind: 'refused', status: error.status, reason: error.message, faults };
}

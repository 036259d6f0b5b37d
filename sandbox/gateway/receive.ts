import type { RequestHandler } from 'express';
import { type Operation, type OperationName, operationNames, operations } from '../../shared/gateway/operations.ts';
import { type Message, sameText, sign } from '../../shared/gateway/signature.ts';
import type { Handler } from './handler.ts';
import { maskMessage } from './mask.ts';
import type { MessageLog } from './messages.ts';
import { readBody } from './read-body.ts';
import { InvalidInput, RecordNotFound } from './refusals.ts';
import { reply, type Verdict } from './reply.ts';

/** Whoever may send messages, and the secret they sign with. */
export type Merchant = { merchant_id: string; account_id: string; signing_secret: string };

type Surroundings = {
  merchants: readonly Merchant[];
  handlers: Record<OperationName, Handler>;
  messages: MessageLog;
  now: () => Date;
};

/** The paths that the gateway answers, each with the encoding of what is sent there (§4). */
export const endpoints: ReadonlyMap<string, Operation['encoding']> = new Map(
  operationNames.map((name) => [operations[name].path, operations[name].encoding]),
);

/** Takes the messages of one path: reads, checks and answers each, and writes it down. Needs the body as bytes. */
export function receive(path: string, encoding: Operation['encoding'], surroundings: Surroundings): RequestHandler {
  return (request, response) => {
    const at = surroundings.now();
    let description = unread(path);
    let verdict: Verdict;
    try {
      const message = readBody(encoding, request.body);
      const name = operationOf(path, message);
      description = describe(name, message);
      verdict = judge(name, message, surroundings);
    } catch (error) {
      verdict = refusal(error);
    }
    reply(response, verdict, surroundings.messages.add({ at, ...description }));
  };
}

/** What the list of messages says of one that could not be read. */
export function unread(path: string) {
  return { operation: path, order_no: '', request: '(could not be read)' };
}

/** Two operations share a path: a payment that carries payment_method is an APM's (§2.3). */
function operationOf(path: string, message: Message): OperationName {
  const names = operationNames.filter((name) => operations[name].path === path);
  if (names.includes('apm_payment')) return 'payment_method' in message ? 'apm_payment' : 'direct_payment';
  const [only] = names;
  if (only === undefined) throw new TypeError(`no operation has the path ${path}`);
  return only;
}

function judge(name: OperationName, message: Message, { merchants, handlers }: Surroundings): Verdict {
  const accepted = handlers[name](message);
  const merchant = merchants.find(
    ({ merchant_id, account_id }) => merchant_id === accepted.merchant_id && account_id === accepted.account_id,
  );
  if (!merchant) throw new RecordNotFound();
  checkSignature(message, merchant.signing_secret);
  return { kind: 'accepted', name, answer: accepted.answer(), secret: merchant.signing_secret };
}

function checkSignature(message: Message, secret: string): void {
  const { encryption_data } = message;
  if (typeof encryption_data !== 'string' || encryption_data === '') {
    throw new InvalidInput('encryption_data is missing');
  }
  if (!sameText(encryption_data, sign(message, secret))) throw new InvalidInput('encryption_data is wrong');
}

function refusal(error: unknown): Verdict {
  if (!(error instanceof InvalidInput || error instanceof RecordNotFound)) throw error;
  return { kind: 'refused', status: error.status, reason: error.message };
}

function describe(name: OperationName, message: Message) {
  const named = message[name === 'query' ? 'orders' : 'order_no'];
  return {
    operation: name,
    order_no: typeof named === 'string' ? named : '',
    request: JSON.stringify(maskMessage(message, Object.keys(operations[name].request.shape)), undefined, 2),
  };
}

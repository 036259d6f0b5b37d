import { z } from 'zod';
import { readJsonAnswer } from '../../../relay/gateway/answers/json-answer.ts';
import { readXmlAnswer } from '../../../relay/gateway/answers/read-answer.ts';
import { XmlAnswerError } from '../../../relay/gateway/answers/xml-answer.ts';
import { type Operation, type OperationName, operationNames, operations } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { UsageError } from '../../base/errors.ts';
import type { Subject } from './field-orders.ts';
import { canonicalText } from './search.ts';

/** A message as the gateway has it, and the form in which it was written. */
export type ReadMessage = { message: Message; form: 'json' | 'form' | 'xml' };

const AS_SENT = 'Give the body as it was sent: JSON, the XML of an answer, or name=value&name=value.';

/**
 * Reads a message from a file: the body, with or without its HTTP head. Throws UsageError, which says what to do and
 * quotes nothing of the message.
 */
export function readMessage(bytes: Uint8Array, file: string): ReadMessage {
  const read = readBody(withoutHead(bytes), file);
  if (canonicalText(read.message) !== undefined) return read;
  throw new UsageError(
    `${file} has text that is not Unicode: half a surrogate pair.`,
    'No gateway signs such a message.',
  );
}

function readBody(body: Uint8Array, file: string): ReadMessage {
  const start = new TextDecoder().decode(body.subarray(0, 64)).trimStart();
  if (start === '') throw new UsageError(`${file} is empty.`, AS_SENT);
  if (start.startsWith('<')) return { message: xmlIn(body, file), form: 'xml' };
  if (start.startsWith('{') || start.startsWith('[')) return { message: jsonIn(body, file), form: 'json' };
  return { message: formIn(new TextDecoder().decode(body).trim(), file), form: 'form' };
}

/** The body without the head of an HTTP message and without leading white space. */
function withoutHead(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const head = /^(?:[A-Z]+ \S+ HTTP\/|HTTP\/)[\s\S]*?\r?\n\r?\n/.exec(text)?.[0].length ?? 0;
  const blank = /^\s*/.exec(text.slice(head))?.[0].length ?? 0;
  return bytes.subarray(head + blank);
}

const jsonAdvice: Readonly<Record<string, string>> = {
  not_json: 'is not JSON of one object',
  repeated_field: 'has a field twice',
  nested_too_deep: 'is nested too deep',
};

function jsonIn(body: Uint8Array, file: string): Message {
  const read = readJsonAnswer(body);
  if (typeof read !== 'string') return read;
  throw new UsageError(`${file} ${jsonAdvice[read]}.`, AS_SENT);
}

function xmlIn(body: Uint8Array, file: string): Message {
  try {
    return readXmlAnswer(body);
  } catch (error) {
    if (!(error instanceof XmlAnswerError)) throw error;
    throw new UsageError(
      `${file} is no XML answer of the gateway (${error.code}).`,
      'Give the whole document, whose root element is respon.',
    );
  }
}

function formIn(text: string, file: string): Message {
  const pairs = [...new URLSearchParams(text)];
  if (!text.includes('=') || /\s/.test(text)) {
    throw new UsageError(`${file} is neither JSON, nor XML, nor a form.`, AS_SENT);
  }
  const message = Object.fromEntries(pairs);
  if (Object.keys(message).length < pairs.length) throw new UsageError(`${file} has a field twice.`, AS_SENT);
  return message;
}

/** The operations' names, as an option takes them. */
export const operationOption = z.enum(operationNames, { error: `must be one of ${operationNames.join(', ')}` });

/**
 * Finds the operation of a message by its form and its fields. Throws UsageError if it cannot be a message of the named
 * operation.
 * @param named the only operation to consider, if one is named
 */
export function recognise({ message, form }: ReadMessage, named?: OperationName): Subject {
  const candidates = (named ? [named] : operationNames).flatMap((operation) =>
    directionsOf(operations[operation], form).map((direction) => ({ operation, direction, message })),
  );
  const [best] = candidates
    .map((subject) => ({ subject, strangeness: strangeness(subject) }))
    .sort((one, other) => one.strangeness - other.strangeness);
  if (best) return best.subject;
  throw new UsageError(
    `No message of ${named} is ${form === 'form' ? 'a form' : form.toUpperCase()}.`,
    'Leave --operation out, or name another.',
  );
}

function directionsOf({ encoding, answerFormat }: Operation, form: ReadMessage['form']): Subject['direction'][] {
  return [
    ...(encoding === form ? (['request'] as const) : []),
    ...(answerFormat === form ? (['answer'] as const) : []),
  ];
}

/** How little the fields match the operation: unknown fields count most, then missing required fields. */
function strangeness({ operation, direction, message }: Subject): number {
  const { shape } = operations[operation][direction];
  const unknown = Object.keys(message).filter((name) => !Object.hasOwn(shape, name));
  const missing = Object.entries<z.ZodType>(shape).filter(
    ([name, field]) => !Object.hasOwn(message, name) && !field.safeParse(undefined).success,
  );
  const absent = Object.keys(shape).filter((name) => !Object.hasOwn(message, name));
  return unknown.length * 1e6 + missing.length * 1e3 + absent.length;
}

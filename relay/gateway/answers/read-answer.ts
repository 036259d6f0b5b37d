import { isObject } from '../../../shared/checkout/is-object.ts';
import { type Operation, type OperationName, operations } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { checkSignature, type SignatureFault, type Verifier } from '../signing/signer.ts';
import { decodeAnswer, isTrueEncoding } from './decode-answer.ts';
import { type JsonFault, readJsonAnswer } from './json-answer.ts';
import { readXmlText, XmlAnswerError, type XmlFault } from './xml-answer.ts';

/** Why what the gateway sent is no answer. */
export type AnswerFault = XmlFault | JsonFault | SignatureFault | 'wrong_shape';

/** What was received. `contentType` is the HTTP header. */
type Body = { bytes: Uint8Array; contentType: string };

/** How an answer's signature is checked: with the account's secret, knowing the signature of the request. */
export type Check = Verifier & { secret: string; own: string };

/** An answer that counts. `unsigned`: the profile lets it count without a signature of the gateway's own. */
export type ReadAnswer = { message: Message; unsigned?: true };

/**
 * Reads an answer as the operation table says: in the encoding that it declares, of the right shape, rightly signed. Codes
 * come as text, even where the gateway wrote them as numbers. Never throws.
 */
export async function readAnswer(name: OperationName, body: Body, check: Check): Promise<ReadAnswer | AnswerFault> {
  const { answer, envelope = answer, answerFormat }: Operation = operations[name];
  const message = answerFormat === 'xml' ? readXml(body) : readJsonAnswer(body.bytes, body.contentType);
  if (typeof message === 'string') return message;
  const read = withStatusTexts(message);
  if (!envelope.safeParse(read).success) return 'wrong_shape';
  // What was signed is what was sent.
  const signature = await checkSignature(check, name, message, check.secret, check.own);
  if (signature === 'proved') return { message: read };
  return signature === 'unproved' ? { message: read, unsigned: true } : signature;
}

/**
 * Reads an XML answer in the encoding that it declares; see `readXmlText`. Throws XmlAnswerError.
 * @param contentType the HTTP header, which may name the encoding
 */
export function readXmlAnswer(bytes: Uint8Array, contentType?: string): Record<string, string> {
  const decoded = decodeAnswer(bytes, contentType);
  if (!decoded) throw new XmlAnswerError('not_well_formed');
  const { elements, encoding } = readXmlText(decoded.text);
  if (!isTrueEncoding(encoding, decoded)) throw new XmlAnswerError('not_well_formed');
  return Object.fromEntries(elements);
}

function readXml({ bytes, contentType }: Body): Message | XmlFault {
  try {
    return readXmlAnswer(bytes, contentType);
  } catch (error) {
    if (error instanceof XmlAnswerError) return error.code;
    throw error;
  }
}

/** The fields of §2 and §3 that hold a code, which the spec types as a string. */
const codes = new Set([
  'return_status',
  'order_status',
  'payment_status',
  'refund_status',
  'review_status',
  'review_flag',
  'capture_status',
  'cancel_status',
  'recurring_status',
  'status',
  'is3ds',
  'query_result',
]);

/**
 * The same message with the text of each code that came as a whole JSON number, in itself, its records and their objects.
 * @returns the message itself where there is none
 */
export function withStatusTexts(message: Message): Message {
  let changed: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(message)) {
    const text = codes.has(name) && Number.isSafeInteger(value) ? String(value) : inner(value);
    if (text === value) continue;
    changed ??= { ...message };
    changed[name] = text;
  }
  return changed ?? message;
}

function inner(value: unknown): unknown {
  if (!Array.isArray(value)) return isObject(value) ? withStatusTexts(value) : value;
  const entries: unknown[] = value.map(inner);
  return entries.every((entry, at) => entry === value[at]) ? value : entries;
}

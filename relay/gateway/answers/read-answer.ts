import { type Operation, type OperationName, operations } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { checkSignature, signatureFaults, type Verifier } from '../signing/signer.ts';
import { decodeAnswer, isTrueEncoding } from './decode-answer.ts';
import { type JsonDigits, jsonFaults, readJsonDigits, withNumberTexts } from './json-answer.ts';
import { readXmlText, XmlAnswerError, type XmlFault, xmlFaults } from './xml-answer.ts';

/** Why the received bytes are not a usable answer. */
export const answerFaults = [...xmlFaults, ...jsonFaults, ...signatureFaults, 'wrong_shape'] as const;

export type AnswerFault = (typeof answerFaults)[number];

/** What was received. `contentType` is the HTTP header. */
type Body = { bytes: Uint8Array; contentType: string };

/** Checks the signature of an answer with the account's secret and the signature of the request. */
export type Check = Verifier & { secret: string; own: string };

/** An answer that counts. `unsigned`: the profile accepts it without a signature of the gateway. */
export type ReadAnswer = { message: Message; unsigned?: true };

/**
 * Reads an answer by the operation table: in the encoding that it declares, with the right shape and a right signature. A number in a field
 * that is text in the spec is returned as the text of the number. Never throws.
 */
export async function readAnswer(name: OperationName, body: Body, check: Check): Promise<ReadAnswer | AnswerFault> {
  const { answer, envelope = answer, answerFormat }: Operation = operations[name];
  const found = answerFormat === 'xml' ? readXml(body) : readJsonDigits(body.bytes, body.contentType);
  if (typeof found === 'string') return found;
  const { message, digits } = found;
  const read = withNumberTexts(answer, message, digits);
  if (!envelope.safeParse(read).success) return 'wrong_shape';
  // The signature covers the bytes as sent.
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

function readXml({ bytes, contentType }: Body): JsonDigits | XmlFault {
  try {
    const message = readXmlAnswer(bytes, contentType);
    return { message, digits: message };
  } catch (error) {
    if (error instanceof XmlAnswerError) return error.code;
    throw error;
  }
}

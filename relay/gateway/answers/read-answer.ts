import { type Operation, type OperationName, operations } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { checkSignature, signatureFaults, type Verifier } from '../signing/signer.ts';
import { decodeAnswer, isTrueEncoding } from './decode-answer.ts';
import { type JsonDigits, jsonFaults, readJsonDigits, withNumberTexts } from './json-answer.ts';
import { readXmlText, XmlAnswerError, type XmlFault, xmlFaults } from './xml-answer.ts';

/** Why what the gateway sent is no answer. */
export const answerFaults = [...xmlFaults, ...jsonFaults, ...signatureFaults, 'wrong_shape'] as const;

export type AnswerFault = (typeof answerFaults)[number];

/** What was received. `contentType` is the HTTP header. */
type Body = { bytes: Uint8Array; contentType: string };

/** How an answer's signature is checked: with the account's secret, knowing the signature of the request. */
export type Check = Verifier & { secret: string; own: string };

/** An answer that counts. `unsigned`: the profile lets it count without a signature of the gateway's own. */
export type ReadAnswer = { message: Message; unsigned?: true };

/**
 * Reads an answer as the operation table says: in the encoding that it declares, of the right shape, rightly signed. Where the
 * spec has text and the gateway wrote a number, it comes as the text of that number. Never throws.
 */
export async function readAnswer(name: OperationName, body: Body, check: Check): Promise<ReadAnswer | AnswerFault> {
  const { answer, envelope = answer, answerFormat }: Operation = operations[name];
  const found = answerFormat === 'xml' ? readXml(body) : readJsonDigits(body.bytes, body.contentType);
  if (typeof found === 'string') return found;
  const { message, digits } = found;
  const read = withNumberTexts(answer, message, digits);
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

function readXml({ bytes, contentType }: Body): JsonDigits | XmlFault {
  try {
    const message = readXmlAnswer(bytes, contentType);
    return { message, digits: message };
  } catch (error) {
    if (error instanceof XmlAnswerError) return error.code;
    throw error;
  }
}

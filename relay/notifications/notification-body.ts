import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Message } from '../../shared/gateway/signature.ts';
import { readJsonAnswer } from '../gateway/answers/json-answer.ts';
import { readXmlAnswer, XmlAnswerError } from '../gateway/answers/xml-answer.ts';

/** A notification that is longer when it is decompressed is not read. */
const MAX_BYTES = 65_536;

const decoders = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

/**
 * What a notification says. The spec does not show its form (§6), so it may be a JSON object, an XML `respon` or a form, and
 * is told by its first character: senders' content types are not to be relied on. Undefined when it is none of them.
 * @param encoding the request's Content-Encoding
 */
export async function readNotification(body: Buffer, encoding = 'identity'): Promise<Message | undefined> {
  const decoded = await decode(body, encoding.trim().toLowerCase());
  if (!decoded) return undefined;
  const start = new TextDecoder().decode(decoded.subarray(0, 64)).trimStart()[0];
  if (start === '{') return readJson(decoded);
  return start === '<' ? readXml(decoded) : readForm(decoded);
}

async function decode(body: Buffer, encoding: string): Promise<Buffer | undefined> {
  if (encoding === 'identity' || encoding === '') return body;
  if (encoding !== 'gzip' && encoding !== 'deflate' && encoding !== 'br') return undefined;
  return decoders[encoding](body, { maxOutputLength: MAX_BYTES }).catch(() => undefined);
}

function readJson(body: Uint8Array): Message | undefined {
  const message = readJsonAnswer(body);
  return typeof message === 'string' ? undefined : message;
}

function readXml(body: Uint8Array): Message | undefined {
  try {
    return readXmlAnswer(body);
  } catch (error) {
    if (error instanceof XmlAnswerError) return undefined;
    throw error;
  }
}

function readForm(body: Buffer): Message | undefined {
  if (!isUtf8(body)) return undefined;
  const text = body.toString('utf8');
  const parameters = [...new URLSearchParams(text)];
  const message = Object.fromEntries(parameters);
  const isForm = text.includes('=') && Object.keys(message).length === parameters.length;
  return isForm ? message : undefined;
}

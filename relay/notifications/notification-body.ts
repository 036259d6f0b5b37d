import { isUtf8 } from 'node:buffer';
import type { Message } from '../../shared/gateway/signature.ts';
import { readJsonAnswer } from '../gateway/answers/json-answer.ts';
import { readXmlAnswer } from '../gateway/answers/read-answer.ts';
import { XmlAnswerError } from '../gateway/answers/xml-answer.ts';

/**
 * What a notification says. The spec does not show its form (§6), so it may be a JSON object, an XML `respon` or a form, and
 * is told by its first character: senders' content types are not to be relied on. Undefined when it is none of them.
 */
export function readNotification(body: Buffer): Message | undefined {
  const start = new TextDecoder().decode(body.subarray(0, 64)).trimStart()[0];
  if (start === '{') return readJson(body);
  return start === '<' ? readXml(body) : readForm(body);
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

import express, { type Request, type Response } from 'express';
import type { Message } from '../../shared/gateway/signature.ts';
import { readJsonAnswer } from '../gateway/json-answer.ts';
import { readXmlAnswer, XmlAnswerError } from '../gateway/xml-answer.ts';

const MAX_BYTES = 65_536;

const readRaw = express.raw({ limit: MAX_BYTES, type: () => true });

/** The bytes of a notification of up to 64 KiB, empty ones too; undefined for one that is larger or cannot be read. */
export function notificationBody(req: Request, res: Response): Promise<Buffer | undefined> {
  return new Promise((done) => {
    readRaw(req, res, (error?: unknown) => {
      const body: unknown = req.body;
      if (error !== undefined) done(undefined);
      else done(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    });
  });
}

/**
 * What a notification says. The spec does not show its form (§6), so it may be a JSON object, an XML `respon` or a form, and
 * is told by its first character: senders' content types are not to be relied on. Undefined when it is none of them.
 */
export function readNotification(body: Uint8Array): Message | undefined {
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

function readForm(body: Uint8Array): Message | undefined {
  const text = new TextDecoder().decode(body);
  const parameters = [...new URLSearchParams(text)];
  const message = Object.fromEntries(parameters);
  const isForm = text.includes('=') && Object.keys(message).length === parameters.length;
  return isForm ? message : undefined;
}

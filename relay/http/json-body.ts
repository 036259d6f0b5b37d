import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express, { type Request, type Response } from 'express';
import { isObject } from '../../shared/checkout/is-object.ts';
import { ProblemError } from '../base/errors.ts';
import { refuseLonger } from './refused-body.ts';

const MAX_BODY_BYTES = 1_048_576;

/**
 * The JSON body of a request, of at most 1 MiB. Throws ProblemError for anything else.
 * @param fileRoom the number of further bytes for the text of a document's file, in a payment or its order
 */
export async function readJsonBody(req: Request, res: Response, fileRoom = 0): Promise<unknown> {
  const { body, length } = await readUpTo(MAX_BODY_BYTES + fileRoom, req, res);
  if (length > MAX_BODY_BYTES && length - fileLength(body) > MAX_BODY_BYTES) throw bodyTooLarge();
  return body;
}

async function readUpTo(max: number, req: Request, res: Response): Promise<{ body: unknown; length: number }> {
  // A POST of PHP without content names no length: it is read like one with Content-Length: 0.
  if (req.headers['transfer-encoding'] === undefined) req.headers['content-length'] ??= '0';
  const length = lengthOf(req);
  if (isPlain(req, max)) return { body: await readPlainBody(req), length };
  if (!req.is('application/json')) {
    throw new ProblemError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  }
  if (length > max) throw bodyTooLarge();
  return parseUpTo(max, req, res);
}

function parseUpTo(limit: number, req: Request, res: Response): Promise<{ body: unknown; length: number }> {
  // A body that cannot be unpacked has the length that was sent.
  let length = lengthOf(req);
  const parse = express.json({
    limit,
    type: 'application/json',
    verify: (_req, _res, bytes, charset) => {
      length = bytes.length;
      // The parser would replace each byte that is not UTF-8 by U+FFFD, and so change the request.
      if (charset === 'utf-8' && !isUtf8(bytes)) throw new TypeError('not UTF-8');
    },
  });
  return new Promise((fulfil, reject) => {
    parse(req, res, (error: unknown) =>
      error === undefined ? fulfil({ body: req.body, length }) : reject(bodyProblem(error, length)),
    );
    refuseLonger(req, limit, () => reject(bodyTooLarge()));
  });
}

/** The length of a document's file as text. It is in the person of a payment or of its order. */
function fileLength(body: unknown): number {
  const path = ['person', 'documents', 'file_data'];
  const found = memberAt(body, ['order', ...path]) ?? memberAt(body, path);
  return typeof found === 'string' ? found.length : 0;
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

/** Reads an optional body. If it is absent, its type may be absent, too. */
export async function readBodyIfAny(req: Request, res: Response): Promise<unknown> {
  const hasBody = req.headers['transfer-encoding'] !== undefined || lengthOf(req) > 0;
  return hasBody ? readJsonBody(req, res) : {};
}

/** Reads the body of a request for which `isPlain` is true. */
async function readPlainBody(req: IncomingMessage): Promise<object> {
  const body = await readPlainJson(req);
  if (body === undefined) throw unreadable(lengthOf(req));
  return body;
}

/** True for the body of nearly all clients: uncompressed JSON of a known length. */
function isPlain(req: IncomingMessage, maxBytes: number): boolean {
  const { headers } = req;
  const length = lengthOf(req);
  return (
    headers['content-type'] === 'application/json' &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    length > 0 &&
    length <= maxBytes
  );
}

/** The length of the (perhaps packed) body in bytes, as the request names it; 0 if it names none. */
function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * The object or list in a plain body; undefined if the body is not JSON in UTF-8, or the client has disconnected.
 * Express's parser, which reads every other body, takes three times as long (`npm run bench -- relay`).
 * json-body.test.ts checks that both read the same.
 */
export async function readPlainJson(request: IncomingMessage): Promise<object | undefined> {
  const bytes = await bytesOf(request);
  if (!bytes || !isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function bytesOf(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((read) => {
    // A request that is already destroyed emits no events.
    if (request.destroyed) return read(undefined);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => read(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', () => read(undefined));
  });
}

function bodyTooLarge(): ProblemError {
  return new ProblemError('body_too_large', 'Send at most 1 MiB, and a document’s file of at most 5 MB.');
}

/** A body that is not JSON has no file, so its limit is that of other bodies. */
function unreadable(length: number): ProblemError {
  if (length > MAX_BODY_BYTES) return bodyTooLarge();
  return new ProblemError('invalid_json', 'Send one well-formed JSON object in UTF-8.');
}

function bodyProblem(error: unknown, length: number): unknown {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return bodyTooLarge();
    case 'entity.parse.failed':
    case 'request.size.invalid':
    case 'request.aborted':
      return unreadable(length);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new ProblemError('unsupported_media_type', 'Send JSON in UTF-8, plain or compressed with gzip.');
    default:
      return isClientError(error) ? unreadable(length) : error;
  }
}

function isClientError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'status' in error &&
    typeof error.status === 'number' &&
    error.status >= 400 &&
    error.status < 500
  );
}

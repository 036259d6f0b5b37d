import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import manifest from '../../package.json' with { type: 'json' };
import type { ProblemCode } from '../../shared/checkout/problem-codes.ts';
import { ProblemError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import { problemAnswer } from './answer.ts';
import { drained } from './refused-body.ts';

/**
 * Answers requests that the HTTP parser refuses, and `CONNECT`, like every other refusal: with a problem, an `X-Request-Id` and the
 * relay's version. Node would write a bare status, or nothing. While an earlier request on the same connection has no complete answer,
 * the connection ends instead: a client would read the refusal as that answer.
 */
export function answerParserErrors(server: Server, log: Logger, newId: NewId): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (req, res) => void latest.set(req.socket, res));
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, code: Refusal | undefined): void => {
    if (refused.has(socket)) return void socket.destroy();
    const response = latest.get(socket);
    const isAnswered = response === undefined || response.writableFinished;
    // The parser refused the body of the request of this response.
    const isOwn = response?.socket === socket && !response.headersSent && !response.req.complete;
    if (code !== undefined && socket.writable && (isAnswered || isOwn)) {
      const request_id = isAnswered ? newId('req') : String(response.getHeader('X-Request-Id'));
      log.info({ request_id, code, http_status: refusals[code].status }, 'request refused by the HTTP parser');
      refused.add(socket);
      endWith(socket, answerText(code, request_id));
      return;
    }
    socket.destroy();
  };
  server.on('clientError', (error, socket) => refuse(socket, codeOf(error)));
  server.on('connect', (_request, socket) => refuse(socket, 'method_not_allowed'));
}

/** Sends the last answer of a connection, and reads the client's further bytes, which the parser must not get. */
function endWith(socket: Duplex, text: string): void {
  socket.removeAllListeners('data');
  socket.end(text);
  void drained(socket).then(() => socket.destroy());
}

const refusals = {
  malformed_request: problemAnswer(new ProblemError('malformed_request', 'Send well-formed HTTP (RFC 9112).')),
  headers_too_large: problemAnswer(new ProblemError('headers_too_large', 'Send at most 16 KiB of headers.')),
  body_too_large: problemAnswer(new ProblemError('body_too_large', 'Send chunks without long extensions.')),
  // The target of CONNECT has no methods here.
  method_not_allowed: problemAnswer(
    new ProblemError('method_not_allowed', 'The relay is no proxy.', { headers: { Allow: '' } }),
  ),
  request_timeout: problemAnswer(new ProblemError('request_timeout', 'Send the whole request within a minute.')),
} as const satisfies Partial<Record<ProblemCode, unknown>>;

type Refusal = keyof typeof refusals;

/** Undefined for a broken connection, which cannot get an answer. */
function codeOf(error: Error): Refusal | undefined {
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'body_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return code.startsWith('HPE_') ? 'malformed_request' : undefined;
  }
}

function answerText(code: Refusal, requestId: string): string {
  const { status, headers: own, body } = refusals[code];
  const text = JSON.stringify(body);
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    `Turnpike-Version: ${manifest.version}`,
    ...Object.entries(own).map(([name, value]) => `${name}: ${value}`),
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  return `${headers.join('\r\n')}\r\n\r\n${text}`;
}

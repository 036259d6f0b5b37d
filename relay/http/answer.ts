import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { maskText } from '../../shared/card-data/mask.ts';
import type { Problem } from '../../shared/checkout/problem.ts';
import { type ProblemCode, problems } from '../../shared/checkout/problem-codes.ts';
import { ProblemError, StoreError } from '../base/errors.ts';
import { failureFields, type Logger } from '../base/log.ts';
import type { Outages } from '../base/outages.ts';
import { drained, unreadBody } from './refused-body.ts';

/** A header of every page: none uses these devices. `payment` stays allowed for the shop's page. */
export const noDevices = { 'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), usb=()' } as const;

/**
 * Sends an answer as JSON that may not be cached. The head is written at once, because Express's `json` and `set`
 * search and write each header separately (`npm run bench -- relay`).
 */
export function sendJson(res: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
}

/** The headers of every answer with a code. If a standby takes over, the store is back in seconds. */
const headersOf: Partial<Record<ProblemCode, Readonly<Record<string, string>>>> = {
  store_unavailable: { 'Retry-After': '2' },
};

export const notFound: RequestHandler = () => {
  throw new ProblemError('not_found', 'Check the address and the method.');
};

/** Answers the errors of Express's handlers, and reports a lost store. */
export function problemHandler(log: Logger, outages?: Outages): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (error instanceof StoreError && error.reason !== undefined) outages?.failed('store', error.reason);
    res.locals.problem = answerError(log, res, req.route?.path, error);
  };
}

/**
 * Converts errors into HTTP answers, for all routes. Returns the code of the problem in the answer; undefined if
 * another answer had begun. `route` is the pattern of the path.
 */
function answerError(
  log: Logger,
  res: ServerResponse,
  route: string | undefined,
  error: unknown,
): ProblemCode | undefined {
  const problem = asProblem(error);
  if (problem.status >= 500) {
    const cause = problem.cause === undefined ? {} : failureFields(problem.cause);
    const fields = { route, ...cause, code: problem.code };
    // The outage has its own log line, at `error`.
    const isOutage = fields.reason !== undefined || problem.code === 'gateway_unreachable';
    if (isOutage) log.warn(fields, 'request failed');
    else log.error(fields, 'request failed');
  }
  if (res.headersSent) {
    res.destroy();
    return undefined;
  }
  const { status, headers, body } = problemAnswer(problem);
  const text = JSON.stringify(body);
  const { req } = res;
  const unread = unreadBody(req);
  res.writeHead(status, {
    ...headers,
    ...(unread === 'long' ? { Connection: 'close' } : {}),
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  if (unread === 'none') res.end(text);
  else {
    res.write(text);
    void drained(req).then(() => res.end());
  }
  return problem.code;
}

/** The HTTP answer for an error (RFC 9457). */
export function problemAnswer(error: ProblemError): {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Problem;
} {
  const { status, title } = problems[error.code];
  const { code, message, errors, operation_id, operation_ids, transaction_ids, result, session_id } = error;
  return {
    status,
    headers: {
      ...headersOf[code],
      ...error.headers,
      ...(operation_id === undefined ? {} : { 'X-Operation-Id': operation_id }),
    },
    body: {
      type: `urn:turnpike:problem:${code}`,
      title,
      status,
      // The message about a field may quote it.
      detail: maskText(message),
      code,
      ...(errors.length > 0 ? { errors: errors.map((error) => ({ ...error, message: maskText(error.message) })) } : {}),
      ...(operation_id === undefined ? {} : { operation_id }),
      ...(operation_ids.length > 0 ? { operation_ids: [...operation_ids] } : {}),
      ...(transaction_ids.length > 0 ? { transaction_ids: [...transaction_ids] } : {}),
      ...(result === undefined ? {} : { result: { ...result, message: maskText(result.message) } }),
      ...(session_id === undefined ? {} : { session_id }),
    },
  };
}

function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreError) {
    return new ProblemError('store_unavailable', 'Nothing was done. Try again in a moment.', { cause: error });
  }
  if (error instanceof URIError) return new ProblemError('not_found', 'Check the address.');
  return new ProblemError('internal', 'Try again; if it stays, give the operator the X-Request-Id.', { cause: error });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RequestHandler, Router } from 'express';
import manifest from '../../package.json' with { type: 'json' };
import { mayHoldCard } from '../../shared/card-data/mask.ts';
import type { ProblemCode } from '../../shared/checkout/problem-codes.ts';
import { ProblemError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import { type Logger, traced } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { noTracer, type Tracer } from '../base/tracing.ts';
import { allRoutes } from '../routes/all.ts';
import { expressPath, inOrder } from '../routes/route.ts';
import type { RunningHandlers } from './running-handlers.ts';

const BRACKETED = /^\[([0-9a-f:.]+)\](?::\d{1,5})?$/i;
const WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;

/**
 * `X-Forwarded-For` with bare addresses. Some proxies add the port, or write IPv6 in brackets. Express accepts neither, so it would trust
 * no proxy behind such an entry, and find no shopper's address. Other texts stay as they are.
 */
export function bareAddresses(forwardedFor: string): string {
  return forwardedFor
    .split(',')
    .map((entry) => {
      const text = entry.trim();
      return BRACKETED.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text;
    })
    .join(', ');
}

/** The form of a client's `X-Request-Id`. Any other value is replaced by an id of the relay. */
const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** Requested every few seconds by machines: not logged. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

/** The parts that the first handler needs. */
type Reception = {
  log: Logger;
  metrics: Metrics;
  tracer: Tracer;
  newId: NewId;
  handlers: RunningHandlers;
  isDraining: () => boolean;
};

/**
 * The first handler of every request. Sets the id of the answer and of every log line: the client's own if it is well formed. Names the
 * relay's version in the answer, stops browsers from guessing the answer's type, and measures and traces the request. Logs the answer:
 * failures always, others at the level `debug`. While the relay is draining, the answer closes its connection.
 */
export function incoming({ log, metrics, tracer, newId, handlers, isDraining }: Reception): RequestHandler {
  const findRoute = routeFinder();
  return (req, res, next) => {
    handlers.watch(res);
    const started = performance.now();
    const { 'x-forwarded-for': forwarded, 'x-request-id': given } = req.headers;
    if (typeof forwarded === 'string') req.headers['x-forwarded-for'] = bareAddresses(forwarded);
    const request_id = requestId(given, newId);
    res.setHeader('X-Request-Id', request_id);
    res.setHeader('Turnpike-Version', manifest.version);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    if (isDraining()) res.setHeader('Connection', 'close');
    const { method } = req;
    const refused = refusalOf(req);
    const span = (QUIET.has(req.url) ? noTracer : tracer).request(method, req.headers.traceparent);
    const trace_id = span.traceId;
    res.once('close', () => {
      const [route, problem] = [routeOf(req), res.locals.problem];
      const ms = performance.now() - started;
      const status = res.writableFinished ? res.statusCode : undefined;
      metrics.httpRequest(method, route, status, ms / 1000);
      const answered = { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status };
      span.end({ ...answered, 'error.type': problem }, status === undefined || status >= 500);
      if (route !== undefined && QUIET.has(route) && !refused) return;
      // Only the pattern of the path is logged: paths contain tokens, and queries tickets.
      logAnswer(log, res, { request_id, trace_id, method, route, ms: Math.round(ms) }, problem);
    });
    traced(trace_id === undefined ? { request_id } : { request_id, trace_id }, () => {
      if (!refused) return span.run(() => next());
      // The next bytes on the connection may be meant for another server.
      res.setHeader('Connection', 'close');
      span.run(() => findRoute(req, res, () => next(refused)));
    });
  };
}

/** Finds the route of a request that is refused before its handler, for its log line and the metrics. */
function routeFinder(): RequestHandler {
  const router = Router();
  for (const path of inOrder(allRoutes.map(({ path }) => path))) {
    router.route(expressPath(path)).all((_req, _res, next) => next('router'));
  }
  return router;
}

function routeOf({ route }: { route?: { path?: unknown } }): string | undefined {
  return typeof route?.path === 'string' ? route.path : undefined;
}

/** The refusal of a request that Node's parser accepts, or would refuse with a bare status. */
function refusalOf({ httpVersion, headers, rawHeaders }: IncomingMessage): ProblemError | undefined {
  const isHost = (name: string, at: number): boolean => at % 2 === 0 && name.length === 4 && /^host$/i.test(name);
  const hosts = rawHeaders.filter(isHost).length;
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    return new ProblemError('malformed_request', 'Send one Host header.');
  }
  const { expect } = headers;
  if (expect === undefined || httpVersion !== '1.1' || /(?:^|\W)100-continue(?:$|\W)/i.test(expect)) return undefined;
  return new ProblemError('expectation_failed', 'Send no Expect, or 100-continue.');
}

/** A card number is never used as a request id. */
function requestId(given: string | string[] | undefined, newId: NewId): string {
  return typeof given === 'string' && REQUEST_ID.test(given) && !mayHoldCard(given) ? given : newId('req');
}

type Answered = {
  request_id: string;
  trace_id: string | undefined;
  method: string;
  route: string | undefined;
  ms: number;
};

function logAnswer(log: Logger, res: ServerResponse, answered: Answered, code: ProblemCode | undefined): void {
  const fields = { ...answered, http_status: res.statusCode, code };
  if (!res.writableFinished) log.info(answered, 'caller disconnected before the answer');
  else if (res.statusCode >= 400) log.info(fields, 'request refused');
  else log.debug(fields, 'request answered');
}

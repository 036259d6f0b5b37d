import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { mayHoldCard } from '../../shared/card-data/mask.ts';
import { ProblemError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import { type Logger, traced } from '../base/log.ts';
import { bareAddresses } from './forwarded.ts';
import { problemOf } from './routes.ts';
import type { Work } from './work.ts';

/** What a caller may say in `X-Request-Id`; anything else gets an id of ours. */
const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** Asked for every few seconds by machines that nobody has to hear of. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * The first handler of every request. Gives it an id, the caller's own where it is well formed, which the answer and every
 * log line carry; keeps browsers from guessing the answer's type; and logs what was answered: failures always, the rest
 * where `debug` is logged. While draining, the answer closes its connection.
 */
export function incoming(log: Logger, newId: NewId, work: Work, isDraining: () => boolean): RequestHandler {
  return (req, res, next) => {
    const started = performance.now();
    const { 'x-forwarded-for': forwarded } = req.headers;
    if (typeof forwarded === 'string') req.headers['x-forwarded-for'] = bareAddresses(forwarded);
    const request_id = requestId(req.get('x-request-id'), newId);
    work.watch(res);
    res.setHeader('X-Request-Id', request_id);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    if (isDraining()) res.setHeader('Connection', 'close');
    res.once('close', () => {
      const route: unknown = req.route?.path;
      if (typeof route === 'string' && QUIET.has(route)) return;
      // The pattern of the path: the path itself has tokens in it, and the query tickets.
      const what = { request_id, method: req.method, route: typeof route === 'string' ? route : undefined };
      logAnswer(log, res, { ...what, ms: Math.round(performance.now() - started) });
    });
    traced({ request_id }, () => {
      const refused = refusalOf(req);
      // What follows on the connection may have been meant for somebody else.
      if (refused) res.setHeader('Connection', 'close');
      next(refused);
    });
  };
}

/** What Node's parser lets through, or would refuse with a bare status. */
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

/** A card number is no request id, whoever sends it. */
function requestId(given: string | undefined, newId: NewId): string {
  return given !== undefined && REQUEST_ID.test(given) && !mayHoldCard(given) ? given : newId('req');
}

type Answered = { request_id: string; method: string; route: string | undefined; ms: number };

function logAnswer(log: Logger, res: Response, answered: Answered): void {
  const fields = { ...answered, http_status: res.statusCode, code: problemOf(res) };
  if (!res.writableFinished) log.info(answered, 'caller disconnected before the answer');
  else if (res.statusCode >= 400) log.info(fields, 'request refused');
  else log.debug(fields, 'request answered');
}

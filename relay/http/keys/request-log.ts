import type { Request, Response } from 'express';
import { maskText } from '../../../shared/card-data/mask.ts';
import type { Context } from '../../context/context.ts';
import type { Route } from '../../routes/route.ts';

/** Longer than any path with an order number in it. */
const MAX_PATH = 400;

/**
 * Adds the requests of a route with a valid API key to the request log after their answers. Requests over the limit of their key
 * stay out: a flood must not become as many writes. Undefined if the log has no requests of the route.
 */
export function requestWatch(context: Context, route: Route): ((req: Request, res: Response) => void) | undefined {
  if (route.isUnlogged || context.config.request_log_days === 0) return undefined;
  const { requestLog, newId, now } = context;
  return (req, res) => {
    const started = performance.now();
    // Express removes them when the request leaves the route.
    const { params } = req;
    res.once('close', () => {
      const { principal, repliedProblem, problem = repliedProblem } = res.locals;
      if (principal?.kind !== 'key' || problem === 'rate_limited') return;
      const hasKey = route.repeatable !== undefined && req.headers['idempotency-key'] !== undefined;
      const isReplayed = res.getHeader('Idempotency-Replayed') !== undefined;
      requestLog.add({
        account: principal.account.id,
        id: newId('rl'),
        at: now().toISOString(),
        key: principal.by,
        method: req.method,
        path: pathOf(route, params),
        ...(res.writableFinished ? { status: res.statusCode } : {}),
        ...(problem === undefined ? {} : { problem }),
        ...(hasKey ? { idempotency: isReplayed ? 'replayed' : 'sent' } : {}),
        ms: Math.round(performance.now() - started),
        request_id: String(res.getHeader('X-Request-Id') ?? ''),
      });
    });
  };
}

/** The path with its ids, which the client chose: without card data, and valid for every store. */
function pathOf({ path }: Route, params: Request['params']): string {
  if (!path.includes('{')) return path;
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  return maskText(named).slice(0, MAX_PATH).toWellFormed().replaceAll('\0', '\ufffd');
}

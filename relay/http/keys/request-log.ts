import type { Request, Response } from 'express';
import { maskText } from '../../../shared/card-data/mask.ts';
import type { Context } from '../../context/context.ts';
import type { Route } from '../../routes/route.ts';

/** Longer than any path with an order number in it. */
const MAX_PATH = 400;

/**
 * Makes what has each request of a route to the request log, once it is answered and if it had a valid API key. What people ask for by
 * way of the console is not in it. Undefined where the log has no requests of the route.
 */
export function requestWatch(context: Context, route: Route): ((req: Request, res: Response) => void) | undefined {
  if (route.isUnlogged || context.config.request_log_days === 0) return undefined;
  const { requestLog, newId, now } = context;
  return (req, res) => {
    const started = performance.now();
    // They are no longer at the request when the route is left.
    const { params } = req;
    res.once('close', () => {
      const { principal, repliedProblem, problem = repliedProblem } = res.locals;
      if (principal?.kind !== 'key') return;
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

/** The path with its ids, which a caller chose: whatever they are, they hold no card data and are texts that every store takes. */
function pathOf({ path }: Route, params: Request['params']): string {
  if (!path.includes('{')) return path;
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  return maskText(named.slice(0, MAX_PATH)).toWellFormed().replaceAll('\0', '\ufffd');
}

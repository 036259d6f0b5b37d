import { Router } from 'express';
import { bounded } from '../base/bounded.ts';
import { addRoute } from '../http/routes.ts';
import type { Context } from '../store/context.ts';

/** Whoever asks, a load balancer mostly, waits no longer than this for a store that hangs. */
const CHECK_MS = 2000;

/** `/healthz` tells that the process runs, `/readyz` that it takes payments: its store reads and writes, and it stays. */
export function healthRoutes({ store }: Context, isDraining: () => boolean): Router {
  const router = Router();
  const isUsable = bounded(() => store.check().then(() => true), { withinMs: CHECK_MS, keepMs: 0 });
  addRoute(router, '/healthz', { get: [(_req, res) => void res.json({ status: 'up' })] });
  addRoute(router, '/readyz', {
    get: [
      async (_req, res) => {
        const isReady = !isDraining() && (await isUsable()) === true && !isDraining();
        res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not_ready' });
      },
    ],
  });
  return router;
}

import express, { type Express } from 'express';
import type { Assets } from './checkout/assets.ts';
import { browserRoutes } from './checkout/browser-routes.ts';
import { embedRoutes } from './checkout/embed-routes.ts';
import { pageRoutes } from './checkout/page-routes.ts';
import { serverRoutes } from './checkout/server-routes.ts';
import type { Context } from './context.ts';
import { notifyRoutes } from './events/notify-routes.ts';
import { addRoute, commonHeaders, notFound, problemHandler } from './http.ts';
import { openApiRoutes } from './openapi/serve.ts';
import { operationRoutes } from './operations/routes.ts';

/** The relay as an Express app. `isDraining` tells when it is about to stop, so that `/readyz` turns red. */
export function createApp(context: Context, assets: Assets, isDraining: () => boolean = () => false): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', context.config.trust_proxy);
  app.use(commonHeaders);

  addRoute(app, '/healthz', { get: [(_req, res) => void res.json({ status: 'up' })] });
  addRoute(app, '/readyz', {
    get: [
      async (_req, res) => {
        const ready =
          !isDraining() &&
          (await context.store.check().then(
            () => true,
            () => false,
          ));
        res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not_ready' });
      },
    ],
  });

  app.use(embedRoutes(context, assets));
  app.use(browserRoutes(context));
  app.use(pageRoutes(context, assets));
  app.use(serverRoutes(context));
  app.use(operationRoutes(context));
  app.use(notifyRoutes(context));
  app.use(openApiRoutes(context));
  app.use(notFound);
  app.use(problemHandler(context.log));
  return app;
}

import express, { type Express, type RequestHandler } from 'express';
import { browserRoutes } from './checkout/browser-routes.ts';
import { serverRoutes } from './checkout/server/routes.ts';
import { auditRoutes } from './console/audit-routes.ts';
import type { ConsolePage } from './console/page.ts';
import { reconciliationRoutes } from './console/reconciliation-routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { statsRoutes } from './console/stats-routes.ts';
import { incoming } from './http/incoming.ts';
import { notFound, problemHandler } from './http/routes.ts';
import { createWork, type Work } from './http/work.ts';
import { notifyRoutes } from './notifications/notify-routes.ts';
import { openApiRoutes } from './openapi/serve.ts';
import { healthRoutes, metricsRoute } from './operating/monitoring-routes.ts';
import { operationRoutes } from './operations/routes.ts';
import { attentionRoutes } from './orders/attention/attention.ts';
import { orderRoutes } from './orders/routes.ts';
import { subscriptionRoutes } from './orders/subscriptions/routes.ts';
import { logoRoutes } from './pages/appearance.ts';
import type { Assets } from './pages/assets.ts';
import { embedRoutes } from './pages/embed-routes.ts';
import { pageRoutes } from './pages/page-routes.ts';
import type { Context } from './store/context.ts';
import { eventRoutes } from './webhooks/event-routes.ts';

/**
 * How the app belongs to a running relay: `work` counts what is in flight, `isDraining` tells when it is about to stop.
 * `consolePage` is what the console's build made, if it was built.
 */
export type Running = { work: Work; isDraining: () => boolean; consolePage?: ConsolePage | undefined };

/** The relay as an Express app. */
export function createApp(context: Context, assets: Assets, running?: Running): Express {
  const known = running ?? { work: createWork(), isDraining: () => false };
  const { people, listen } = context.config.console;
  const app = bareApp(context, known);
  const api = apiRoutes(context);

  // First what is asked for most: every route before it is held against the path of each payment.
  app.use(browserRoutes(context));
  app.use(healthRoutes(context, known.isDraining));
  app.use(metricsRoute(context));
  app.use(embedRoutes(context, assets));
  app.use(pageRoutes(context, assets));
  app.use(logoRoutes(context));
  app.use(...api);
  app.use(notifyRoutes(context));
  app.use(openApiRoutes(context));
  if (people.length > 0 && !listen) app.use(consoleOf(context, known, api));
  app.use(notFound);
  app.use(problemHandler(context.log));
  return app;
}

/** The console alone, for an address of its own. */
export function createConsoleApp(context: Context, running: Running): Express {
  const app = bareApp(context, running);
  app.use(consoleOf(context, running, apiRoutes(context)));
  app.use(notFound);
  app.use(problemHandler(context.log));
  return app;
}

function bareApp(context: Context, running: Running): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', context.config.trust_proxy);
  const { log, metrics, tracer, newId } = context;
  app.use(incoming({ log, metrics, tracer, newId, ...running }));
  return app;
}

/** The HTTP API for shops' servers, and for people by way of the console. */
function apiRoutes(context: Context): RequestHandler[] {
  return [
    serverRoutes(context),
    operationRoutes(context),
    orderRoutes(context),
    subscriptionRoutes(context),
    eventRoutes(context),
    auditRoutes(context),
    attentionRoutes(context),
    reconciliationRoutes(context),
    statsRoutes(context),
  ];
}

function consoleOf(
  context: Context,
  { isDraining, consolePage }: Running,
  api: readonly RequestHandler[],
): RequestHandler {
  return consoleRoutes(context, { api, page: consolePage, isDraining });
}

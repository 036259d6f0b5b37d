import type { RequestListener } from 'node:http';
import express, { type Express } from 'express';
import { plainPayments } from './checkout/answer-payment.ts';
import { browserRoutes } from './checkout/browser-routes.ts';
import { serverRoutes } from './checkout/server/routes.ts';
import { auditRoutes } from './console/audit-routes.ts';
import { profileRoutes } from './console/profile-routes.ts';
import { statsRoutes } from './console/stats-routes.ts';
import { incoming, type Reception, shortWayBefore } from './http/incoming.ts';
import { notFound, problemHandler } from './http/routes.ts';
import { createWork, type Work } from './http/work.ts';
import { notifyRoutes } from './notifications/notify-routes.ts';
import { openApiRoutes } from './openapi/serve.ts';
import { healthRoutes } from './operating/health-routes.ts';
import { metricsRoute } from './operating/metrics-route.ts';
import { operationRoutes } from './operations/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import type { Assets } from './pages/assets.ts';
import { embedRoutes } from './pages/embed-routes.ts';
import { logoRoutes } from './pages/logo.ts';
import { pageRoutes } from './pages/page-routes.ts';
import type { Context } from './store/context.ts';
import { eventRoutes } from './webhooks/event-routes.ts';

/** How the app belongs to a running relay: `work` counts what is in flight, `isDraining` tells when it is about to stop. */
export type Running = { work: Work; isDraining: () => boolean };

/** The relay as it answers requests: an Express app, and before it the short way of plain payments. */
export function createListener(
  context: Context,
  assets: Assets,
  running: Running,
): { app: Express; listener: RequestListener } {
  const app = createApp(context, assets, running);
  return { app, listener: shortWayBefore(app, plainPayments(context), receptionOf(context, running)) };
}

function receptionOf({ log, newId }: Context, running: Running): Reception {
  return { log, newId, ...running };
}

/** The relay as an Express app. */
export function createApp(context: Context, assets: Assets, running?: Running): Express {
  const { work, isDraining } = running ?? { work: createWork(), isDraining: () => false };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', context.config.trust_proxy);
  app.use(incoming(receptionOf(context, { work, isDraining })));

  // First what is asked for most: every route before it is held against the path of each payment.
  app.use(browserRoutes(context));
  app.use(healthRoutes(context, isDraining));
  app.use(metricsRoute(context));
  app.use(embedRoutes(context, assets));
  app.use(pageRoutes(context, assets));
  app.use(logoRoutes(context));
  app.use(serverRoutes(context));
  app.use(operationRoutes(context));
  app.use(orderRoutes(context));
  app.use(eventRoutes(context));
  app.use(auditRoutes(context));
  app.use(statsRoutes(context));
  app.use(profileRoutes(context));
  app.use(notifyRoutes(context));
  app.use(openApiRoutes(context));
  app.use(notFound);
  app.use(problemHandler(context.log));
  return app;
}

import express, { type Express, type RequestHandler } from 'express';
import { serveForm } from './checkout/browser-routes.ts';
import { serveSessions } from './checkout/server/routes.ts';
import { serveAudit } from './console/audit-routes.ts';
import type { ConsolePage } from './console/page.ts';
import { serveReconciliations } from './console/reconciliation-routes.ts';
import { serveKey, serveRequests } from './console/request-routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { serveStats } from './console/stats-routes.ts';
import type { Context } from './context/context.ts';
import { notFound, problemHandler } from './http/answer.ts';
import { incoming } from './http/incoming.ts';
import { createRunningHandlers, type RunningHandlers } from './http/running-handlers.ts';
import { serveNotifications } from './notifications/notify-routes.ts';
import { serveDocument } from './openapi/serve.ts';
import { serveMonitoring } from './operating/monitoring-routes.ts';
import { serveApprovals } from './operations/approvals/routes.ts';
import { serveOrderActions } from './operations/order-actions.ts';
import { serveOperationState, serveOperations } from './operations/routes.ts';
import { serveAttention } from './orders/attention/attention.ts';
import { refreshNow } from './orders/find.ts';
import { serveOrders } from './orders/routes.ts';
import { serveSearch } from './orders/search/routes.ts';
import { serveSubscriptions } from './orders/subscriptions/routes.ts';
import type { Assets } from './pages/assets.ts';
import { servePages } from './pages/page-routes.ts';
import { serveScripts } from './pages/script-routes.ts';
import { serveEvents } from './webhooks/event-routes.ts';

/**
 * The state of the running relay that the app needs: its running handlers, whether it is about to stop (`isDraining`),
 * whether an app with a newer configuration has replaced this one (`isReplaced`), and the console's page, if it is
 * built.
 */
export type Running = {
  handlers: RunningHandlers;
  isDraining: () => boolean;
  isReplaced?: () => boolean;
  consolePage?: ConsolePage | undefined;
};

/** The relay as an Express app. */
export function createApp(context: Context, assets: Assets, running?: Running): Express {
  const known = running ?? { handlers: createRunningHandlers(), isDraining: () => false };
  const { people, listen } = context.config.console;
  const app = bareApp(context, known);
  const api = apiRoutes(context);

  // The most frequent routes come first: Express compares each request with every earlier route.
  app.use(serveForm(context));
  app.use(serveMonitoring(context, known.isDraining));
  // Before the pages of sessions, because the pattern of their paths matches the doctor's page, too.
  app.use(serveScripts(context, assets));
  app.use(servePages(context, assets));
  app.use(...api);
  app.use(serveNotifications(context));
  app.use(serveDocument(context));
  if (people.length > 0 && !listen) app.use(consoleOf(context, known, api));
  app.use(notFound);
  app.use(problemHandler(context.log, context.outages));
  return app;
}

/** The console on its own address. */
export function createConsoleApp(context: Context, running: Running): Express {
  const app = bareApp(context, running);
  app.use(consoleOf(context, running, apiRoutes(context)));
  app.use(notFound);
  app.use(problemHandler(context.log, context.outages));
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

/** The HTTP API for shops' servers and, through the console, for people. */
function apiRoutes(context: Context): RequestHandler[] {
  return [
    serveSessions(context),
    serveOperations(context),
    serveOperationState(context),
    serveOrders(context),
    serveSearch(context),
    serveOrderActions(context),
    serveSubscriptions(context),
    serveEvents(context),
    serveAudit(context),
    serveRequests(context),
    serveKey(context),
    serveAttention(context),
    serveReconciliations(context),
    serveStats(context, () => refreshNow(context)),
  ];
}

function consoleOf(
  context: Context,
  { isDraining, isReplaced = () => false, consolePage }: Running,
  api: readonly RequestHandler[],
): RequestHandler {
  // Only people request and give approvals; shops' servers do not have these routes.
  const forPeople = [...api, serveApprovals(context)];
  const isOver = (): boolean => isDraining() || isReplaced();
  return consoleRoutes(context, { api: forPeople, page: consolePage, isDraining: isOver });
}

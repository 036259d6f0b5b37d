import { attentionRoutes, reconciliationRoutes } from './attention.ts';
import { browserRoutes } from './browser.ts';
import { auditRoutes, profileRoutes, statsRoutes } from './console.ts';
import { eventRoutes } from './events.ts';
import { operationStateRoutes } from './operation-state.ts';
import { operationRoutes } from './operations.ts';
import { orderRoutes, subscriptionRoutes } from './orders.ts';
import { pageRoutes, scriptRoutes } from './pages.ts';
import { paymentRoutes } from './payments.ts';
import { aboutRoutes, documentRoutes, monitoringRoutes, notifyRoutes } from './relay.ts';
import type { NamedRoute, Routes } from './route.ts';
import { sessionRoutes } from './sessions.ts';

/** Every route of the relay, in the order in which the document and the page show them. */
export const allRoutes: readonly NamedRoute[] = [
  sessionRoutes,
  orderRoutes,
  subscriptionRoutes,
  attentionRoutes,
  reconciliationRoutes,
  paymentRoutes,
  operationRoutes,
  operationStateRoutes,
  profileRoutes,
  eventRoutes,
  auditRoutes,
  statsRoutes,
  browserRoutes,
  pageRoutes,
  scriptRoutes,
  notifyRoutes,
  aboutRoutes,
  monitoringRoutes,
  documentRoutes,
].flatMap((routes: Routes) => Object.entries(routes).map(([name, route]) => ({ ...route, id: camel(name) })));

/** `refund_search` as `refundSearch`. */
function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

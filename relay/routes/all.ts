import { attentionRoutes } from './attention.ts';
import { browserRoutes } from './browser.ts';
import { auditRoutes, profileRoutes, statsRoutes } from './console.ts';
import { eventRoutes } from './events.ts';
import { operationStateRoutes } from './operation-state.ts';
import { operationRoutes } from './operations.ts';
import { orderRoutes } from './orders.ts';
import { pageRoutes } from './pages.ts';
import { paymentRoutes } from './payments.ts';
import { relayRoutes } from './relay.ts';
import type { NamedRoute, Routes } from './route.ts';
import { sessionRoutes } from './sessions.ts';

/** Every route of the relay, in the order in which the document and the page show them. */
export const allRoutes: readonly NamedRoute[] = [
  sessionRoutes,
  orderRoutes,
  attentionRoutes,
  paymentRoutes,
  operationRoutes,
  operationStateRoutes,
  profileRoutes,
  eventRoutes,
  auditRoutes,
  statsRoutes,
  browserRoutes,
  pageRoutes,
  relayRoutes,
].flatMap((routes: Routes) => Object.entries(routes).map(([name, route]) => ({ ...route, id: camel(name) })));

/** `refund_search` as `refundSearch`. */
function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

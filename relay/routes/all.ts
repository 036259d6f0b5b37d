import { attentionRoutes } from './attention.ts';
import { browserRoutes } from './browser.ts';
import { auditRoutes, profileRoutes, statsRoutes } from './console.ts';
import { eventRoutes } from './events.ts';
import { operationStateRoutes } from './operation-state.ts';
import { operationRoutes, paymentRoutes } from './operations.ts';
import { orderRoutes } from './orders.ts';
import { pageRoutes } from './pages.ts';
import { relayRoutes } from './relay.ts';
import type { RouteDoc } from './route.ts';
import { sessionRoutes } from './sessions.ts';

/** Every route of the relay, in the order in which the document and the page show them. */
export const allRoutes: readonly RouteDoc[] = [
  ...sessionRoutes,
  ...orderRoutes,
  ...attentionRoutes,
  ...paymentRoutes,
  ...operationRoutes,
  ...operationStateRoutes,
  ...profileRoutes,
  ...eventRoutes,
  ...auditRoutes,
  ...statsRoutes,
  ...browserRoutes,
  ...pageRoutes,
  ...relayRoutes,
];

import { browserRoutes } from './browser.ts';
import { auditRoutes, profileRoutes, statsRoutes } from './console.ts';
import { eventRoutes } from './events.ts';
import { operationStateRoutes } from './operation-state.ts';
import { operationRoutes } from './operations.ts';
import { attentionRoutes, reconciliationRoutes } from './orders/attention.ts';
import { orderActionRoutes } from './orders/order-actions.ts';
import { orderRoutes, subscriptionRoutes } from './orders/orders.ts';
import { searchRoutes } from './orders/search.ts';
import { pageRoutes, scriptRoutes } from './pages.ts';
import { paymentRoutes } from './payments.ts';
import { aboutRoutes, documentRoutes, monitoringRoutes, notifyRoutes } from './relay.ts';
import { keyRoutes, requestRoutes } from './requests.ts';
import type { NamedRoute, Routes, Tag } from './route.ts';
import { sessionRoutes } from './sessions.ts';

/** The routes of each part of the API, in the order in which the document and the page show them. */
const parts: readonly (readonly [Tag, ...Routes[]])[] = [
  ['Sessions', sessionRoutes],
  ['Orders', orderRoutes, searchRoutes, orderActionRoutes, subscriptionRoutes, attentionRoutes, reconciliationRoutes],
  ['Payments', paymentRoutes],
  ['Operations', operationRoutes, operationStateRoutes, profileRoutes],
  ['Events', eventRoutes],
  ['Audit', auditRoutes, requestRoutes, keyRoutes],
  ['Stats', statsRoutes],
  ['Browser', browserRoutes, pageRoutes, scriptRoutes],
  ['Gateway', notifyRoutes],
  ['Relay', aboutRoutes, monitoringRoutes, documentRoutes],
];

/** Every route of the relay. */
export const allRoutes: readonly NamedRoute[] = parts.flatMap(([tag, ...groups]) =>
  groups.flatMap(Object.entries).map(([name, route]) => ({ ...route, id: camel(name), tag })),
);

/** `refund_search` as `refundSearch`. */
function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

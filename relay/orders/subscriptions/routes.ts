import { Router } from 'express';
import { type SubscriptionList, subscriptionQuery } from '../../../shared/api/subscription.ts';
import { accountIn, requireKey } from '../../http/api-keys.ts';
import { addRoute, parseBody } from '../../http/routes.ts';
import type { Context } from '../../store/context.ts';
import type { OrderSearch } from '../../store/listing.ts';
import { findOrders } from '../find.ts';
import { contractTermsOf, subscriptionSearchOf } from '../terms.ts';
import { subscriptionsOf } from './answer.ts';

/** What the relay knows of an account's contracts. */
export function subscriptionRoutes(context: Context): Router {
  const router = Router();
  addRoute(router, '/v1/subscriptions', {
    get: [
      requireKey(context, 'console'),
      async (req, res) => {
        const search = subscriptionSearchOf(parseBody(subscriptionQuery, { ...req.query }), accountIn(res));
        res.set('Cache-Control', 'no-store').json(await findSubscriptions(context, search));
      },
    ],
  });
  return router;
}

/** The newest notifications of a session that are read: those of a contract that is charged monthly for five years. */
const MAX_NOTIFICATIONS = 60;

/** Tries to end the contracts of one page. */
const MAX_ENDS = 1000;

/** A page of an account's contracts: those of the orders that the search finds, in their order. Throws StoreError. */
async function findSubscriptions(context: Context, search: OrderSearch): Promise<SubscriptionList> {
  const { store, config, now } = context;
  const { account } = search;
  const { orders: found, next } = await findOrders(context, search);
  const orders = await store.ordersOf(
    account,
    found.map(({ order_no }) => order_no),
  );
  const sessions = orders.flatMap(({ sessions }) => sessions.map(({ id }) => id));
  const [ends, notified] = await Promise.all([
    store.operationsOf(account, orders.flatMap(contractTermsOf), MAX_ENDS),
    store.notified(sessions, MAX_NOTIFICATIONS),
  ]);
  const { codes, gateway_time_zone: timeZone } = config.gateway.profile;
  const reading = { codes, timeZone, now: now() };
  return {
    subscriptions: orders.flatMap((order) => subscriptionsOf(order, { ends, notified }, reading)),
    ...(next ? { next: `${next.created_at}-${next.id}` } : {}),
  };
}

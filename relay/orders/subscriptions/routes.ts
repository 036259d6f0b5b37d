import type { Router } from 'express';
import type {
  AcknowledgeSubscription,
  SubscriptionAnswer,
  SubscriptionList,
} from '../../../shared/api/subscription.ts';
import { maskText } from '../../../shared/card-data/mask.ts';
import { ProblemError } from '../../base/errors.ts';
import { updateOrder } from '../../commit/commit.ts';
import type { Context } from '../../context/context.ts';
import { jsonReply, type Reply, type Use } from '../../http/idempotency/idempotency.ts';
import { changedOrder } from '../../http/idempotency/written-reply.ts';
import { createLists } from '../../http/list-or-file.ts';
import { serve } from '../../http/serve.ts';
import type { StoredOrder } from '../../payments/order.ts';
import { acknowledgeFailures } from '../../payments/settlement/contracts.ts';
import { contractOrder } from '../../reconciliation/renewals.ts';
import { subscriptionRoutes } from '../../routes/orders/orders.ts';
import type { OrderSearch } from '../../store/facets/listing.ts';
import { findOrders, refreshNow } from '../find.ts';
import { subscriptionSearchOf } from '../search-terms.ts';
import { subscriptionReader } from './answer.ts';
import { subscriptionColumns } from './columns.ts';

/** The routes of an account's contracts. */
export function serveSubscriptions(context: Context): Router {
  const listOrFile = createLists(context);
  return serve(context, subscriptionRoutes, {
    listSubscriptions: (asked) =>
      listOrFile(asked, {
        ...{ name: 'subscriptions', action: 'subscriptions.export', shown: ['status'], columns: subscriptionColumns },
        read: (query) => findSubscriptions(context, subscriptionSearchOf(query, asked.account)),
        entriesOf: ({ subscriptions }) => subscriptions,
      }),
    acknowledgeSubscription: {
      work: (body, use, req) => acknowledge(context, use, String(req.params.recurring_id), body),
      keepsReplies: true,
    },
  });
}

/** A page of an account's contracts: those of the orders that the search finds, in their order. Throws StoreError. */
async function findSubscriptions(context: Context, search: OrderSearch): Promise<SubscriptionList> {
  const { account } = search;
  const { orders: found, next } = await findOrders(context, search);
  const orders = await context.store.orders.getMany(
    account,
    found.map(({ order_no }) => order_no),
  );
  const subscriptionsOf = await subscriptionReader(context, account, orders);
  return {
    subscriptions: orders.flatMap(subscriptionsOf),
    ...(next ? { next: `${next.created_at}-${next.id}` } : {}),
  };
}

/**
 * Acknowledges the failed charges of a contract for a person: they need no attention any more. A repetition changes
 * nothing. Throws ProblemError `not_found`, and StoreError.
 */
async function acknowledge(
  context: Context,
  use: Use,
  recurringId: string,
  { note }: AcknowledgeSubscription,
): Promise<Reply> {
  const { account, by } = use;
  await refreshNow(context);
  const first = (await contractOrder(context, account.id, recurringId)) ?? unknownContract();
  const subscriptionsOf = await subscriptionReader(context, account.id, [first]);
  const replyOf = (order: StoredOrder): Reply => jsonReply(200, withId(subscriptionsOf(order), recurringId));
  const about = { action: 'subscription.acknowledge', subject: recurringId } as const;
  return changedOrder(context, use, about, async (more) => {
    const order = await updateOrder(
      context,
      first,
      (before) => {
        const at = context.now().toISOString();
        return acknowledgeFailures(before, recurringId, { by, at, note: maskText(note) });
      },
      (written) => more({ order: written, reply: replyOf(written) }),
    );
    return { order, reply: replyOf(order) };
  });
}

function withId(subscriptions: readonly SubscriptionAnswer[], recurringId: string): SubscriptionAnswer {
  return subscriptions.find(({ recurring_id }) => recurring_id === recurringId) ?? unknownContract();
}

function unknownContract(): never {
  throw new ProblemError('not_found', 'This account has no contract with this recurring_id.');
}

import {
  type AcknowledgeSubscription,
  type SubscriptionAnswer,
  type SubscriptionFilter,
  subscriptionAnswer,
  subscriptionList,
} from '../../shared/api/subscription.ts';
import { eachOf, type PostOptions, type Requests } from '../requests.ts';
import type { Call } from '../send.ts';
import { contractPathOf, textQueryOf } from '../settings.ts';

/** The requests of `/v1/subscriptions`. */
export function subscriptionsOf({ getAt, post }: Requests) {
  const listSubscriptions = (filter: SubscriptionFilter = {}) =>
    getAt(subscriptionList, '/v1/subscriptions', () => `/v1/subscriptions${textQueryOf(filter)}`);

  return {
    /** `GET /v1/subscriptions`: one page of contracts, newest first, each with its next expected charge. */
    list: listSubscriptions,
    /** Every contract that the filter finds, one page after the other: `for await (const contract of …)`. */
    each: (filter: SubscriptionFilter = {}) => eachOf(filter, listSubscriptions, ({ subscriptions }) => subscriptions),
    /** `POST /v1/subscriptions/:recurring_id/acknowledge`: a person acknowledges the failed charges of a contract. */
    acknowledge: (
      recurringId: string,
      body: AcknowledgeSubscription,
      postOptions?: PostOptions,
    ): Call<SubscriptionAnswer> => {
      const route = '/v1/subscriptions/:recurring_id/acknowledge';
      return post(subscriptionAnswer, { route, path: () => contractPathOf(route, recurringId) }, body, postOptions);
    },
  };
}

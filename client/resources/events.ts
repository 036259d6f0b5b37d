import type { z } from 'zod';
import { type EventFilter, eventAnswer, eventList, type redeliverEvents, redelivered } from '../../shared/api/event.ts';
import { eachOf, type PostOptions, type Requests } from '../requests.ts';
import { queryOf } from '../settings.ts';

/** The requests of `/v1/events`. */
export function eventsOf({ get, getAt, post, postTo }: Requests) {
  const listEvents = (filter: EventFilter = {}) => getAt(eventList, '/v1/events', () => `/v1/events${queryOf(filter)}`);

  return {
    /** `GET /v1/events`: one page of webhooks, newest first. */
    list: listEvents,
    /** Every webhook that the filter finds, one page after the other: `for await (const event of …)`. */
    each: (filter: EventFilter = {}) => eachOf(filter, listEvents, ({ events }) => events),
    /** `GET /v1/events/:id`: the body of a webhook, and the state of its delivery. */
    get: (id: string) => get(eventAnswer, '/v1/events/:id', id),
    /** `POST /v1/events/:id/redeliver`: sends a webhook that was delivered or given up again, under the same id. */
    redeliver: (id: string, postOptions?: PostOptions) =>
      postTo(eventAnswer, '/v1/events/:id/redeliver', id, {}, postOptions),
    /** `POST /v1/events/redeliver`: the same for up to 100 webhooks, by their ids or of those that were given up. */
    redeliverMany: (body: z.input<typeof redeliverEvents>, postOptions?: PostOptions) =>
      post(redelivered, { route: '/v1/events/redeliver' }, body, postOptions),
    /** `POST /v1/events/:id/acknowledge`: marks a failed webhook as resolved, so that it no longer counts as failed. */
    acknowledge: (id: string, postOptions?: PostOptions) =>
      postTo(eventAnswer, '/v1/events/:id/acknowledge', id, {}, postOptions),
  };
}

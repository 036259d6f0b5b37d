import { z } from 'zod';
import { optionalString, string } from '../gateway/text.ts';
import { moment } from './fields.ts';

/** The maximum number of counted webhooks, and the number of the newest ones that are inspected. */
export const MAX_COUNTED = 100;

/** An endpoint of the account, and the state of its deliveries. */
export const endpointAnswer = z
  .object({
    id: string.describe('The id of the endpoint. The one of the setting `webhook` is `default`.'),
    url: string.describe('The address that webhooks are sent to.'),
    events: z
      .array(z.string())
      .optional()
      .describe('The types of events that it gets, or prefixes such as `operation.*`. Absent if it gets all.'),
    waiting: z
      .int()
      .describe(`The number of sessions and operations whose webhooks wait, counted up to ${MAX_COUNTED}.`),
    failed: z.int().describe(`The number of webhooks that the relay gave up, counted up to ${MAX_COUNTED}.`),
    failing: z
      .object({
        since: moment.describe('When the webhook that fails for the longest time was first sent.'),
        fault: string.describe('Why its last try failed: `http_503` or another status, `timeout`, `no_answer`.'),
        next_try_at: moment.describe('When it is sent next.'),
      })
      .optional()
      .describe('Present while webhooks wait because a try failed.'),
    delivered_at: optionalString.describe(
      `When it accepted a webhook last. Absent if it accepted none of the account’s newest ${MAX_COUNTED}.`,
    ),
  })
  .meta({ name: 'Endpoint', description: 'An endpoint of the account, and how deliveries to it go.' });
export type EndpointAnswer = z.infer<typeof endpointAnswer>;

/** The answer of `GET /v1/webhooks`. */
export const endpointList = z
  .object({ webhooks: z.array(endpointAnswer).describe('The endpoints, in the order of the configuration.') })
  .meta({ name: 'EndpointList', description: 'The endpoints of the account.' });
export type EndpointList = z.infer<typeof endpointList>;

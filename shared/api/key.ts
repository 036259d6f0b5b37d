import { z } from 'zod';
import { optionalString, string } from '../gateway/text.ts';

/** The limit of a key's requests: the maximum at once, and the long-term maximum per minute. */
export const rateLimit = z.object({
  per_minute: z.int().describe('How many requests it may make in a minute.'),
  burst: z.int().describe('How many of them at once.'),
});
export type RateLimit = z.infer<typeof rateLimit>;

/** The answer of `GET /v1/key`. Newer relays have further scopes. */
export const keyAnswer = z
  .object({
    name: string.describe('The name of the key, as the audit log and the request log have it.'),
    scopes: z.array(string).describe('What the key permits. `*` is everything.'),
    account: z
      .object({
        id: string.describe('The id of the account in the relay’s configuration.'),
        name: optionalString.describe('The name of the shop, as shoppers see it.'),
      })
      .describe('The account that the key belongs to.'),
    rate_limit: rateLimit.optional().describe('The limit of its requests. Absent if it has none.'),
  })
  .meta({ name: 'Key', description: 'An API key, without its secret.' });
export type KeyAnswer = z.infer<typeof keyAnswer>;

import { z } from 'zod';
import { optionalString, string } from '../gateway/text.ts';

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
  })
  .meta({ name: 'Key', description: 'An API key, without its secret.' });
export type KeyAnswer = z.infer<typeof keyAnswer>;

import { z } from 'zod';

/** A time that the relay tells: ISO 8601 in UTC. */
export const moment = z.iso.datetime();

/** A time that a caller gives, in any time zone. */
export const instant = z.iso.datetime({ offset: true, error: 'must be a time such as 2027-03-31T10:15:00Z' });

/** The body of a request that has nothing to say. */
export const emptyBody = z.strictObject({}).meta({ id: 'EmptyBody', description: 'An empty object.' });

/** The field of a list's answer that leads to its next page. */
export const nextPage = z
  .string()
  .optional()
  .meta({ description: 'Send it as `before` to get the next page. Absent on the last page.' });

/** What the gateway sent where its answer cannot be used, without card data. */
export const evidence = z
  .object({
    http_status: z.int().optional().meta({ description: 'The HTTP status.' }),
    body: z.string().optional().meta({ description: 'The beginning of the body, without card data.' }),
  })
  .optional()
  .meta({ description: 'What the gateway sent instead of a valid answer.' });

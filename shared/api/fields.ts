import { z } from 'zod';

/** A time that the relay tells: ISO 8601 in UTC. */
export const moment = z.iso.datetime();

/** A time that a caller gives, in any time zone. */
export const instant = z.iso.datetime({ offset: true, error: 'must be a time such as 2027-03-31T10:15:00Z' });

/** The field of a list's answer that leads to its next page. */
export const nextPage = z
  .string()
  .optional()
  .meta({ description: 'Give it as `before` to get the next page. It is not there on the last one.' });

/** What the gateway sent where its answer cannot be used, without card data. */
export const evidence = z
  .object({
    http_status: z.int().optional().meta({ description: 'Its HTTP status.' }),
    body: z.string().optional().meta({ description: 'Its text, shortened, without card data.' }),
  })
  .optional()
  .meta({ description: 'What the gateway sent in place of an answer.' });

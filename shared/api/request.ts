import { z } from 'zod';
import { identifier, optionalString, string } from '../gateway/text.ts';
import { requestEntryId } from '../samples/ids.ts';
import { type FilterOf, instant, moment, nextPage, pageQuery, pageSize } from './fields.ts';

/** One answered request in the request log. Newer relays have further methods and problems. */
export const requestEntry = z
  .object({
    id: string.describe('The id of the entry.'),
    at: moment.describe('When it was answered.'),
    method: string.describe('The HTTP method.'),
    path: string.describe('The path with its ids, without the query. Card numbers in it are masked.'),
    status: z.int().optional().describe('The HTTP status. Absent if the client disconnected before the answer.'),
    problem: optionalString.describe('The code of the problem that it was answered with.'),
    key: string.describe('The name of the API key.'),
    idempotency: z
      .enum(['sent', 'replayed'])
      .optional()
      .describe(
        'Present if the request had an `Idempotency-Key`. `replayed`: it was answered with the stored answer of an earlier request.',
      ),
    duration_ms: z.int().describe('How long it took, in milliseconds.'),
    request_id: string.describe('Its `X-Request-Id`.'),
  })
  .meta({ name: 'RequestEntry', description: 'An entry of the request log.' });
export type RequestEntry = z.infer<typeof requestEntry>;

/** The answer of `GET /v1/requests`, newest first. `next` is the `before` of the next page; the last page has none. */
export const requestList = z
  .object({
    requests: z.array(requestEntry).describe('The requests, the newest first.'),
    next: nextPage,
  })
  .meta({ name: 'RequestList', description: 'One page of the request log.' });
export type RequestList = z.infer<typeof requestList>;

/** Which statuses each filter finds: the first and the last. */
export const statusClasses = { '2xx': [200, 299], '4xx': [400, 499], '5xx': [500, 599], refused: [400, 599] } as const;

/** The query of `GET /v1/requests`: texts. */
export const requestQuery = z.strictObject({
  status: z.enum(['2xx', '4xx', '5xx', 'refused']).optional().meta({
    description: 'Only requests that were answered so. `refused`: `4xx` and `5xx`.',
    example: 'refused',
  }),
  method: z
    .enum(['GET', 'POST', 'PATCH'])
    .optional()
    .meta({ description: 'Only requests by this method.', example: 'POST' }),
  path: identifier.optional().meta({
    description: 'Only requests whose path begins with this text.',
    example: '/v1/refund',
  }),
  key: identifier.optional().meta({
    description: 'Only requests with the API key of this name.',
    example: 'server',
  }),
  since: instant.optional().meta({
    description: 'Only requests that were answered at this time or later.',
    example: '2027-03-31T10:15:00Z',
  }),
  ...pageQuery(
    z
      .string()
      .regex(/^rl_[0-9a-z]{8,9}[\w-]{24}$/, 'must be the next of the page before')
      .meta({ description: 'The `next` of the previous page.', example: requestEntryId }),
    pageSize(1000, 100),
  ),
});

/** The filter of the request log, as the client takes it. */
export type RequestFilter = FilterOf<typeof requestQuery>;

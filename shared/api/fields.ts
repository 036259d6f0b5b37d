import { z } from 'zod';
import { optionalString, string, text } from '../gateway/text.ts';

/** A time in an answer: ISO 8601 in UTC. */
export const moment = z.iso.datetime();

/** A time in a request, in any time zone. */
export const instant = z.iso.datetime({ offset: true, error: 'must be a time such as 2027-03-31T10:15:00Z' });

/** An empty body. */
export const emptyBody = z.strictObject({}).meta({ name: 'EmptyBody', description: 'An empty object.' });

/** The note of a person about a decision. `of` is its subject. */
export const settlementNote = (of: 'session' | 'payment' | 'contract') =>
  text(2000)
    .regex(/\S/, 'must say why')
    .describe(`How you know it, such as the report or the person that you asked. It is stored with the ${of}.`);

/** The author of a decision, in an answer. */
export const settledBy = {
  by: string.describe('The name of the API key with which it was decided.'),
  at: moment.describe('The time.'),
  note: string.describe('The note of that person.'),
};

/** The cursor of the next page in the answer of a list. */
export const nextPage = optionalString.describe('Send it as `before` to get the next page. Absent on the last page.');

/** The size of a page in a query: a text. */
export const pageSize = (max: number, byDefault: number) =>
  z
    .string()
    .regex(new RegExp(`^([1-9]\\d{0,${String(max).length - 2}}|${max})$`), `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .prefault(String(byDefault))
    .meta({ description: `The size of a page, 1 to ${max}. Default: ${byDefault}.`, example: String(max) });

/** The query of a list in pages. `before` is the form of its `next`. */
export const pageQuery = <Before extends z.ZodType>(before: Before, limit = pageSize(100, 20)) => ({
  before: before.optional(),
  limit,
});

/** The place in the list of orders at which a page ended. */
export const orderPlace = z
  .string()
  .regex(/^\d{1,16}-\d{1,18}$/, 'must be the next of the page before')
  .meta({ description: 'The `next` of the previous page.', example: '1806487920000-41' });

/** A shopper's e-mail address, by which orders are found. */
export const email = z.string().min(3).max(320).optional().meta({ example: 'ada@example.com' });

/** The query parameter for CSV. */
export const listFormat = z.enum(['json', 'csv']).optional();

/** A filter in a query: only entries with this property match. */
export const onlyTrue = z.literal('true', { error: 'must be true, or left out' }).optional();

/** A query as the client takes it: with numbers and booleans. */
export type FilterOf<Query extends z.ZodObject> = {
  [Name in Exclude<keyof z.input<Query>, 'format'>]?: Name extends 'limit' ? number : Taken<z.input<Query>[Name]>;
};
type Taken<Value> = Value extends 'true' ? true : Value;

/** The gateway's unusable answer, without card data. */
export const evidence = z
  .object({
    http_status: z.int().optional().describe('The HTTP status.'),
    body: optionalString.describe('The beginning of the body, without card data.'),
  })
  .optional()
  .describe('What the gateway sent instead of a valid answer.');

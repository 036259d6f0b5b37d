import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../../shared/gateway/operations.ts';
import { nearestName } from '../../shared/messages/nearest-name.ts';
import { ProblemError } from '../base/errors.ts';
import { parseBody } from './parse.ts';

const schema = z.strictObject({
  order_no: z.string().min(1).max(5),
  count: z.int().min(1).max(9).optional(),
  ratio: z.number().gt(0).lt(1).optional(),
  is_open: z.boolean().optional(),
  at: z.iso.datetime().optional(),
  day: z.iso.date().optional(),
  mail: z.email().optional(),
  link: z.url().optional(),
  key: z.uuid().optional(),
  code: z.string().regex(/^A/).optional(),
  save: z.literal('ask').optional(),
  status: z.enum(['paid', 'open']).optional(),
  entries: z.array(z.string()).min(1).max(2).optional(),
  person: z.strictObject({ first_name: z.string() }).optional(),
  method: z
    .discriminatedUnion('type', [z.object({ type: z.literal('card') }), z.object({ type: z.literal('apm') })])
    .optional(),
  either: z.union([z.string(), z.int()]).optional(),
  amount: z.string('must be an amount').optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});

/** What the relay says about a body with these fields. */
function errorsOf(fields: object): unknown {
  try {
    parseBody(schema, { order_no: 'A-1', ...fields });
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.errors;
  }
}

describe('what a caller reads about a field', () => {
  it.each([
    [{ order_no: undefined }, 'order_no', 'is missing'],
    [{ order_no: 7 }, 'order_no', 'must be a string'],
    [{ order_no: '' }, 'order_no', 'must have at least 1 character'],
    [{ order_no: 'A-1001' }, 'order_no', 'must have at most 5 characters'],
    [{ count: '1' }, 'count', 'must be a number'],
    [{ count: 1.5 }, 'count', 'must be a whole number'],
    [{ count: 0 }, 'count', 'must be at least 1'],
    [{ count: 10 }, 'count', 'must be at most 9'],
    [{ ratio: 0 }, 'ratio', 'must be more than 0'],
    [{ ratio: 1 }, 'ratio', 'must be less than 1'],
    [{ is_open: 'yes' }, 'is_open', 'must be true or false'],
    [{ at: 'now' }, 'at', 'must be a time such as 2027-03-31T12:00:00Z'],
    [{ day: '31.03.2027' }, 'day', 'must be a date such as 2027-03-31'],
    [{ mail: 'ada' }, 'mail', 'must be an email address'],
    [{ link: '/thanks' }, 'link', 'must be an absolute URL'],
    [{ key: '1' }, 'key', 'must be a UUID'],
    [{ code: 'B' }, 'code', 'must be of the form in the reference'],
    [{ save: true }, 'save', 'must be ask'],
    [{ status: 'paied' }, 'status', 'must be one of paid, open'],
    [{ entries: 'a' }, 'entries', 'must be a list'],
    [{ entries: [] }, 'entries', 'must have at least one entry'],
    [{ entries: ['a', 'b', 'c'] }, 'entries', 'must have at most 2 entries'],
    [{ person: 'Ada' }, 'person', 'must be an object'],
    [{ method: { type: 'cart' } }, 'method.type', 'must be one of card, apm'],
    [{ method: {} }, 'method.type', 'is missing'],
    [{ either: true }, 'either', 'has none of the forms that it may have'],
    [{ amount: 5 }, 'amount', 'must be an amount'],
    [{ metadta: {} }, 'metadta', 'there is no such field; did you mean metadata?'],
    [
      { person: { first_name: 'Ada', firstname: '' } },
      'person.firstname',
      'there is no such field; did you mean first_name?',
    ],
    [{ colour: 'red' }, 'colour', 'there is no such field'],
  ])('%j', (fields, path, message) => expect(errorsOf(fields)).toEqual([{ path, message }]));

  it('names a field near each of several unknown ones', () => {
    expect(errorsOf({ statsu: 'open', entry: [] })).toEqual([
      { path: 'statsu', message: 'there is no such field; did you mean status?' },
      { path: 'entry', message: 'there is no such field' },
    ]);
  });
});

it('counts the names of items as other entries', () => {
  const { body } = operations.cancel.route;
  const told = body.safeParse({ cancel_orders: [{ transaction_id: 'T-1' }], references: ['a', 'b'] });
  expect(told.error?.issues).toMatchObject([{ message: 'must have one entry, one for each item' }]);
});

it.each([
  ['after', 'before'],
  ['before', 'after'],
  ['starting_after', 'before'],
  ['Offset', 'before'],
  ['page', 'after'],
  ['next', undefined],
])('the cursor of a page that %s means is %s', (name, near) => {
  expect(nearestName(name, near === undefined ? ['limit'] : ['limit', near])).toBe(near);
});

it.each([
  ['amout', 'amount'],
  ['Amount', 'amount'],
  ['installment', 'installments'],
  ['xyz', undefined],
  ['a'.repeat(60), undefined],
])('the name nearest to %s is %s', (name, near) => {
  expect(nearestName(name, ['order_no', 'amount', 'installments'])).toBe(near);
});

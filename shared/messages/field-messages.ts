import { z } from 'zod';
import { isObject } from '../checkout/is-object.ts';
import { nearestName } from './nearest-name.ts';

type RawIssue = z.core.$ZodRawIssue;

/** The name of each type in messages. */
const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The name of each format in messages. */
const formats: Readonly<Record<string, string>> = {
  date: 'a date such as 2027-03-31',
  datetime: 'a time such as 2027-03-31T12:00:00Z',
  email: 'an email address',
  url: 'an absolute URL',
  uuid: 'a UUID',
};

/**
 * The message about a wrong field, for people, if the field's schema has none of its own. For unknown names in an
 * object: the known names, separated by spaces (see `noSuchField`).
 */
export function fieldMessage(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${types[issue.expected] ?? 'of another type'}`;
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `must have at most ${counted(Number(issue.maximum), issue.origin)}`
        : `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `must have at least ${counted(Number(issue.minimum), issue.origin)}`
        : `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : choice(issue.values);
    case 'invalid_union':
      if (issue.discriminator === undefined) return 'has none of the forms that it may have';
      return isObject(issue.input) && issue.input[issue.discriminator] === undefined
        ? 'is missing'
        : choice(Array.isArray(issue.options) ? issue.options : []);
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'of the form in the reference'}`;
    case 'unrecognized_keys':
      // One issue has several names, and each gets its message from this list.
      return issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape).join(' ') : '';
    default:
      return 'is not what this field may hold';
  }
}

/** The message about an unknown field, with the name that was probably meant. */
export function noSuchField(name: string, known: string, what: 'field' | 'setting' = 'field'): string {
  const near = nearestName(name, known.split(' '));
  return near === undefined ? `there is no such ${what}` : `there is no such ${what}; did you mean ${near}?`;
}

/** A number of characters or entries. */
export function counted(count: number, origin: string): string {
  if (origin === 'string') return `${count} character${count === 1 ? '' : 's'}`;
  return count === 1 ? 'one entry' : `${count} entries`;
}

function choice(values: readonly unknown[]): string {
  return values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(', ')}`;
}

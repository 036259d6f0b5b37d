import { z } from 'zod';
import { positiveShopAmount } from '../../../shared/gateway/amount-fields.ts';
import { birthDate, calendarDate, dateOrInstant } from '../../../shared/gateway/dates.ts';
import { payoutBody } from '../../../shared/gateway/payout/payout.ts';
import type { JsonSchema } from './json-schema.ts';

/*
 * Checks of the schemas' code as regular expressions, so that the relay accepts every body that is valid under the document. The key is
 * the pattern of the zod schema.
 */

const DAY_OF_ANY_MONTH = '(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])';
const DAYS_29_AND_30 = '(?:0[13-9]|1[0-2])-(?:29|30)';
const DAY_31 = '(?:0[13578]|1[02])-31';
const OTHER_LEAP = '(?:0[48]|[2468][048]|[13579][26])';
const LEAP_YEAR = `(?:[0-9]{2}${OTHER_LEAP}|(?:[02468][048]|[13579][26])00)`;

const realDate = (year: string, leapYear: string): string =>
  `(?:${year}-(?:${DAY_OF_ANY_MONTH}|${DAYS_29_AND_30}|${DAY_31})|${leapYear}-02-29)`;
const REAL_DATE = realDate('[0-9]{4}', LEAP_YEAR);
// Dates of the years 1000 to 2999.
const MODERN_DATE = realDate('[12][0-9]{3}', `(?:[12][0-9]${OTHER_LEAP}|(?:1[26]|2[048])00)`);
const REAL_TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';

const DAY_FIRST = [
  '(?:0[1-9]|1[0-9]|2[0-8])-(?:0[1-9]|1[0-2])-[0-9]{4}',
  '(?:29|30)-(?:0[13-9]|1[0-2])-[0-9]{4}',
  '31-(?:0[13578]|1[02])-[0-9]{4}',
  `29-02-${LEAP_YEAR}`,
].join('|');

// Names without "--", and so without invalid Punycode, and without a last label that reads as a number.
const HOST_NAME = '(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\\.)*[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*';
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const HOST = `(?:${HOST_NAME}|${BYTE}(?:\\.${BYTE}){3})`;
const PORT = '(?::(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}))?';
const URL_CHARACTERS = "[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]";

const LOCAL_TIME = `${REAL_DATE} ${REAL_TIME}`;
const OFFSET = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';
const INSTANT = `${MODERN_DATE}T${REAL_TIME}(?:\\.[0-9]{1,9})?${OFFSET}`;

// Without leading zeros, which the relay accepts, too.
const POSITIVE_AMOUNT = '(?:[1-9][0-9]{0,14}(?:\\.[0-9]{1,4})?|0\\.(?:0{0,3}[1-9]|[1-9][0-9]{0,3}))';

const exact = new Map<string, Partial<JsonSchema>>([
  [coarse(positiveShopAmount), { pattern: `^${POSITIVE_AMOUNT}$`, examples: ['129.90'] }],
  [coarse(calendarDate), { pattern: `^${REAL_DATE}$`, format: 'date', examples: ['2027-03-31'] }],
  [coarse(birthDate), { pattern: `^(?:${DAY_FIRST})$`, examples: ['31-12-1990'] }],
  [
    coarse(dateOrInstant('YYYY-MM-DD HH:MM:SS')),
    { pattern: `^(?:${LOCAL_TIME}|${INSTANT})$`, examples: ['2027-03-31 23:59:59', '2027-03-31T23:59:59-03:00'] },
  ],
  [
    coarse(payoutBody.shape.notify_url.unwrap()),
    {
      pattern: `^https?://${HOST}${PORT}(?:[/?#]${URL_CHARACTERS}*)?$`,
      format: 'uri',
      examples: ['https://shop.example/payouts/notify'],
    },
  ],
]);

function coarse(schema: z.ZodType): string {
  // Without names: a named schema would be a reference.
  const { pattern, allOf } = z.toJSONSchema(schema, { io: 'input', metadata: z.registry() });
  return pattern ?? JSON.stringify(allOf);
}

/** A digit in every dialect: in some, `\d` matches more than 0 to 9. */
const portable = (pattern: string): string => pattern.replaceAll('\\d', '[0-9]');

/** The same schema with the exact pattern in place of the coarse one. */
export function withExactPattern(schema: JsonSchema): JsonSchema {
  const known = exact.get(schema.pattern ?? JSON.stringify(schema.allOf));
  if (known) {
    const { allOf: _, ...rest } = schema;
    return { ...rest, ...known };
  }
  return schema.pattern === undefined ? schema : { ...schema, pattern: portable(schema.pattern) };
}

const CONTROLS = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ud800-\\udfff\\ufffe\\uffff';
// It does not begin with a comma or semicolon: after the # of a separator, this would be half of another one.
const ITEM_TEXT = `(?:#*[^#,;${CONTROLS}](?:[^#${CONTROLS}]|#+[^#,;${CONTROLS}])*)?#*`;

/** Text without `#,` and `#;`, so that items can be joined by `#,#` and `#;#` (§2.1). */
export const WITHOUT_ITEM_SEPARATORS = `^${ITEM_TEXT}$`;

const ITEM = `${ITEM_TEXT}#,#${ITEM_TEXT}#,#[0-9]{1,15}(?:\\.[0-9]{1,2})?#,#[1-9][0-9]{0,14}`;

/** The one-string form of items (§2.1). */
export const ITEM_STRING = `^(?:${ITEM}(?:#;#${ITEM})*)?$`;

/** A pattern of texts that do not contain the separator. */
export function without(separator: string): string {
  const literal = separator.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  // More programs support a class of characters than a lookahead.
  return separator.length === 1 ? `^[^${literal}]*$` : `^(?:(?!${literal})[\\s\\S])*$`;
}

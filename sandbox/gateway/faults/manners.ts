import { z } from 'zod';
import { InvalidInput } from '../base/refusals.ts';

/** The issuer's behaviour for visits of its address. `fails` are the statuses of the first visits; later ones reach the page. */
export type Manner = { title: string; does: string; fails?: readonly number[] };

/** The behaviours of banks that restrict the visits of their pages. */
export const manners = {
  plain: { title: 'Plain', does: 'Redirects to the page where the shopper decides.' },
  browsers_only: { title: 'Browsers only', does: 'Answers 403 to a visit without User-Agent.' },
  cookie: {
    title: 'Cookie first',
    does: 'Sets a cookie, redirects to itself, and answers 403 where the cookie is missing.',
  },
  app: { title: 'The bank’s app', does: 'Redirects to sandbank://, which no browser has.' },
  busy: { title: 'Busy once', does: 'Answers 503 to the first visit.', fails: [503] },
  down: { title: 'Busy twice', does: 'Answers 503 to the first two visits.', fails: [503, 503] },
  reset: { title: 'Reset once', does: 'Resets the connection of the first visit.' },
  silent: { title: 'Silent once', does: 'Never answers the first visit.' },
  first_401: { title: 'Unauthorized once', does: 'Answers 401 to the first visit.', fails: [401] },
  first_403: { title: 'Forbidden once', does: 'Answers 403 to the first visit.', fails: [403] },
  first_404: { title: 'Not found once', does: 'Answers 404 to the first visit.', fails: [404] },
  first_429: { title: 'Too many once', does: 'Answers 429 to the first visit.', fails: [429] },
  first_500: { title: 'Broken once', does: 'Answers 500 to the first visit.', fails: [500] },
  once: { title: 'Opens once', does: 'Shows its page to the first visit alone, and 410 to every other.' },
} as const satisfies Record<string, Manner>;

export type MannerName = keyof typeof manners;

/** The names of the behaviours. */
export const mannerNames = Object.keys(manners).filter(isMannerName);

/** True for the name of a manner. */
function isMannerName(name: string): name is MannerName {
  return Object.hasOwn(manners, name);
}

/** The manner of payments to come, which a person or a test chooses; an order number may ask for another. */
export class IssuerManners {
  chosen: MannerName = 'plain';

  /** The manner of one payment: `issuer:once` in its order_no, else what is chosen. Throws InvalidInput for an unknown one. */
  of(order_no: string): MannerName {
    const [, asked] = /issuer:([a-z0-9_]+)/.exec(order_no) ?? [];
    if (asked === undefined) return this.chosen;
    if (!isMannerName(asked)) throw new InvalidInput(`no issuer is called ${asked}`);
    return asked;
  }
}

/** The encodings that answers may have, by the name under which they are declared. */
export const answerEncodings = ['UTF-8', 'utf8', 'ISO-8859-1', 'windows-1252', 'GBK', 'UTF-16'] as const;
export type AnswerEncoding = (typeof answerEncodings)[number];

/** Where an answer says which encoding it has: `content` is the XML declaration, or a byte order mark in UTF-16. */
export const declarations = ['header', 'content'] as const;

/** Statuses of a gateway that refuses messages; `none` accepts them. */
const refusals = ['none', '401', '403', '429'] as const;

/** The codes of a payment's state in records: one for each state, or only 3000 and 4100. */
export const codesOfPayments = ['two', 'each_state'] as const;
export type CodesOfPayments = (typeof codesOfPayments)[number];

/** The maximum number of extra payments in the answer to a query of a period. */
export const MAX_PERIOD_RECORDS = 50_000;

/** How the gateway writes its answers, as a person or a test may choose it. */
export const answerStyle = z.strictObject({
  encoding: z.enum(answerEncodings).default('UTF-8'),
  declared: z.enum(declarations).default('header'),
  /** Whether codes in JSON are numbers. */
  number_codes: z.boolean().default(false),
  /** The HTTP status with which every message is refused, before anything happens. */
  refuse_with: z.enum(refusals).default('none'),
  payment_codes: z.enum(codesOfPayments).default('two'),
  period_records: z.int().min(0).max(MAX_PERIOD_RECORDS).default(0),
});
export type AnswerStyle = z.infer<typeof answerStyle>;

/** The style that is chosen now. */
export class AnswerStyles {
  current: AnswerStyle;

  constructor(style: Partial<AnswerStyle> = {}) {
    this.current = answerStyle.parse(style);
  }
}

import { z } from 'zod';

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

import { latin } from '../../../shared/checkout/fields/digits.ts';

type Expiry = { month: number; year: number };

/**
 * A year that cannot be a month, and then a month: shoppers do not type this, but people paste it and programs fill it
 * in.
 */
const YEAR_FIRST = /^\D*(20\d\d|2[5-9]|[3-9]\d)(?:\D+([1-9])|\D*(0[1-9]|1[0-2])\d?)(?:\D.*)?$/;
const SEPARATED = /^\D*(\d\d?)\D+(\d{0,4})/;
/** The month has one digit if no other month is possible, and two digits or a year of four follow. */
const TOGETHER = /^(\d(?=20\d\d$)|[2-9](?=\d{0,2}$)|\d{0,2})(\d{0,4})/;

/** The shown part of a year: its last two digits, or its beginning while more digits may follow. */
const YEAR = /^20(\d\d)|^20\d?|^\d{0,2}/;

/**
 * Formats an expiry date as `MM / YY`, from any typed, pasted or filled-in form: `1230`, `1/30`, `12.2030`, `2030-12`,
 * `30/12`. `how` is the `InputEvent.inputType`. A deletion adds nothing, because the shopper could not delete that.
 */
export function formatExpiry(text: string, how = ''): string {
  const { month, year, separated } = split(text);
  const [start = '', short = start] = YEAR.exec(year) ?? [];
  if (how.startsWith('delete') || !month) return short ? `${month} / ${short}` : month;
  // A month before an existing year may get its second digit with the next key.
  const settled = short ? how !== 'insertText' : separated;
  if (month.length === 2 || Number(month) > 1 || settled) return `${month.padStart(2, '0')} / ${short}`;
  return short ? `${month} / ${short}` : month;
}

/** Reads an expiry date; two-digit years are of this century. */
export function parseExpiry(text: string): Expiry | undefined {
  const { month, year } = split(text);
  if (!/^(20)?\d\d$/.test(year)) return undefined;
  const number = Number(month);
  return number >= 1 && number <= 12 ? { month: number, year: 2000 + (Number(year) % 100) } : undefined;
}

function split(text: string): { month: string; year: string; separated: boolean } {
  const plain = latin(text);
  const [, yearBefore, digit, digits] = YEAR_FIRST.exec(plain) ?? [];
  if (yearBefore) return { month: digit ?? digits ?? '', year: yearBefore, separated: true };
  const separated = SEPARATED.exec(plain);
  // If the month was deleted, the year stays a year.
  const [, month = '', year = ''] =
    separated ?? /^\s*()\/\D*(\d*)$/.exec(plain) ?? TOGETHER.exec(plain.replace(/\D/g, '')) ?? [];
  return { month, year, separated: separated !== null };
}

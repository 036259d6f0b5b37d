import { digitsOf, latin } from '../../../../shared/checkout/fields/digits.ts';
import { remembered } from '../../../../shared/checkout/remembered.ts';

export type DatePart = 'day' | 'month' | 'year';
export type DateParts = Readonly<Record<DatePart, string>>;

/** How many digits each part has. */
export const SIZES = { day: 2, month: 2, year: 4 } as const;

/** The order in which a locale writes a date of the Gregorian calendar. */
export const dateOrder = remembered((locale: string): readonly DatePart[] => {
  const format = new Intl.DateTimeFormat(locale, {
    calendar: 'gregory',
    numberingSystem: 'latn',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const order = format.formatToParts(0).flatMap(({ type }) => (isPart(type) ? [type] : []));
  return order.length === 3 ? order : ['day', 'month', 'year'];
});

/** How many years the Buddhist calendar, by which Thailand counts, is ahead of the one that dates are sent in. */
const BUDDHIST_YEARS = 543;
const MAX_AGE_YEARS = 130;

/** A year of birth of the calendar that dates are sent in: one to come that is a Buddhist year of a life is that. */
export function commonYear(text: string, thisYear: number): string {
  const year = Number(text);
  const common = year - BUDDHIST_YEARS;
  return year > thisYear && common <= thisYear && common >= thisYear - MAX_AGE_YEARS ? String(common) : text;
}

/** Reads a date as it is held, `DD-MM-YYYY` with empty places for what is not typed yet; shops may have theirs year first. */
export function partsOf(date: string): DateParts {
  const [first = '', month = '', last = ''] = date.slice(0, 10).split('-');
  return first.length === 4 ? { day: last, month, year: first } : { day: first, month, year: last };
}

/** A date as it is held; empty where nothing of it is known. */
export function joined({ day, month, year }: DateParts): string {
  const pad = (digits: string) => (digits ? digits.padStart(2, '0') : '');
  return day || month || year ? `${pad(day)}-${pad(month)}-${year}` : '';
}

/**
 * A whole date that was pasted or filled in at once: three groups of digits or eight digits, in the locale's order. Four digits
 * are the year wherever they stand, and what begins with it goes on from the great to the small. Undefined for anything else.
 */
export function parseDate(text: string, order: readonly DatePart[]): DateParts | undefined {
  const digits = latin(text).match(/\d+/g) ?? [];
  const groups = digits.length === 1 && digits[0]?.length === 8 ? cut(digits[0], order) : digits;
  if (groups.length !== 3) return undefined;
  const named = partsIn(groups, order);
  const read = Object.fromEntries(named.map((part, index) => [part, groups[index] ?? '']));
  return { day: '', month: '', year: '', ...read };
}

function cut(digits: string, order: readonly DatePart[]): string[] {
  const sizes = order.map((part) => `(\\d{${SIZES[part]}})`).join('');
  return new RegExp(sizes).exec(digits)?.slice(1) ?? [];
}

/** What each of three groups is. */
function partsIn(groups: readonly string[], order: readonly DatePart[]): readonly DatePart[] {
  const year = groups.findIndex(({ length }) => length === 4);
  if (year < 0) return order;
  if (year === 0) return ['year', 'month', 'day'];
  const others = order.filter((part) => part !== 'year');
  return [...others.slice(0, year), 'year', ...others.slice(year)];
}

/** The digits of one part. */
export function digitsOfPart(text: string, part: DatePart): string {
  return digitsOf(text).slice(0, SIZES[part]);
}

function isPart(type: string): type is DatePart {
  return Object.hasOwn(SIZES, type);
}

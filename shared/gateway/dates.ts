import { z } from 'zod';
import { fixedForm, text } from './text.ts';

/** The date forms of the spec's tables that payments and queries use. */
export type DateForm = 'YYYY-MM-DD' | 'DD-MM-YYYY' | 'YYYY-MM-DD HH:MM:SS' | 'YYYYMMDDHHMMSS';

export type CalendarDate = {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
};

const patterns: Record<DateForm, RegExp> = {
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/,
  'DD-MM-YYYY': /^(?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})$/,
  'YYYY-MM-DD HH:MM:SS': /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)$/,
  YYYYMMDDHHMMSS: /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)$/,
};

/** Reads a date in one of the spec's forms; undefined for another form, and for a day or time that does not exist. */
export function parseDate(form: DateForm, value: string): CalendarDate | undefined {
  const parts = patterns[form].exec(value)?.groups;
  if (!parts) return undefined;
  const number = (name: string) => Number(parts[name] ?? '0');
  const date = {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
  };
  return isReal(date) ? date : undefined;
}

/** Writes a date in one of the spec's forms. */
export function formatDate(form: DateForm, date: CalendarDate): string {
  const pad = (value: number, width = 2) => String(value).padStart(width, '0');
  return form
    .replace('YYYY', pad(date.year, 4))
    .replace('HH:MM:SS', `${pad(date.hour)}:${pad(date.minute)}:${pad(date.second)}`)
    .replace('HHMMSS', `${pad(date.hour)}${pad(date.minute)}${pad(date.second)}`)
    .replace('MM', pad(date.month))
    .replace('DD', pad(date.day));
}

/** A zod schema for a real date in the given form. */
export const date = (form: DateForm) => {
  const message = `must be a real date of the form ${form}`;
  return fixedForm(
    z
      .string()
      .regex(new RegExp(patterns[form].source.replaceAll(/\?<\w+>/g, '?:')), { message, abort: true })
      .refine((value) => parseDate(form, value) !== undefined, message),
  );
};

/** A day of birth, in the form of the spec's tables. */
export const birthDate = date('DD-MM-YYYY').meta({ name: 'BirthDate', description: 'A real date, `DD-MM-YYYY`.' });

/** A day, in the form of payouts. */
export const calendarDate = date('YYYY-MM-DD').meta({
  name: 'CalendarDate',
  description: 'A real date, `YYYY-MM-DD`.',
});

const instantParts = /^([12]\d{3}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** True for an existing moment in RFC 3339, with `Z` or an offset: `2026-11-01T00:00:00-03:00`. */
export function isInstant(value: string): boolean {
  const [, day, time] = instantParts.exec(value) ?? [];
  return day !== undefined && parseDate('YYYY-MM-DD HH:MM:SS', `${day} ${time}`) !== undefined;
}

/** A zod schema for an existing moment: the spec's local time, or RFC 3339. */
export const dateOrInstant = (form: DateForm) => {
  const message = `must be a real time of the form ${form}, or an RFC 3339 one such as 2026-11-01T00:00:00-03:00`;
  const pattern = [patterns[form], instantParts].map(({ source }) => source.replaceAll(/\?<\w+>/g, '?:')).join('|');
  return z
    .string()
    .regex(new RegExp(pattern), { message, abort: true })
    .refine((value) => parseDate(form, value) !== undefined || isInstant(value), message);
};

/**
 * A date in a field for which the spec shows no form: any text, except that a text in the form of a date must be an
 * existing day.
 */
export const possibleDate = fixedForm(text()).refine(
  (value) => !isImpossible(value),
  'must be a real date such as 2026-12-31',
);

function isImpossible(date: string): boolean {
  return (
    (/^\d\d-\d\d-\d{4}$/.test(date) && !parseDate('DD-MM-YYYY', date)) ||
    (/^\d{4}-\d\d-\d\d$/.test(date) && !parseDate('YYYY-MM-DD', date))
  );
}

function isReal(date: CalendarDate): boolean {
  const leap = (date.year % 4 === 0 && date.year % 100 !== 0) || date.year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][date.month - 1] ?? 0;
  return date.day >= 1 && date.day <= days && date.hour < 24 && date.minute < 60 && date.second < 60;
}

const OLDEST_YEARS = 130;

export type BirthDateProblem = 'date_incomplete' | 'date_invalid' | 'date_future' | 'date_far';

type Day = { day: number; month: number; year: number };

/** A date of birth as it is sent, `DD-MM-YYYY` (§2.1); another form, which the spec shows none of for a person, stays as it came. */
export function writeBirthDate(text: string): string {
  return text.replace(/^(\d\d?)-(\d\d?)-(\d{4})$/, (_, day: string, month: string, year: string) =>
    [day.padStart(2, '0'), month.padStart(2, '0'), year].join('-'),
  );
}

/** What is wrong with a date of birth, `DD-MM-YYYY` or `YYYY-MM-DD`, if anything. `today` is `YYYY-MM-DD`. */
export function birthDateProblem(text: string, today: string): BirthDateProblem | undefined {
  const born = parts(text);
  if (!born) return 'date_incomplete';
  if (!isReal(born)) return 'date_invalid';
  const now = parts(today);
  if (!now) return undefined;
  const days = (date: Day): number => (date.year * 12 + date.month) * 31 + date.day;
  if (days(born) > days(now)) return 'date_future';
  return now.year - born.year > OLDEST_YEARS ? 'date_far' : undefined;
}

function parts(text: string): Day | undefined {
  const [, day, month, year] = /^(\d\d?)-(\d\d?)-(\d{4})$/.exec(text) ?? [];
  if (year) return { day: Number(day), month: Number(month), year: Number(year) };
  const [, first, second, third] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return first ? { day: Number(third), month: Number(second), year: Number(first) } : undefined;
}

function isReal({ day, month, year }: Day): boolean {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day >= 1 && day <= ([31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0);
}

const words = {
  day: ['d', 'day', 'days', 'daily'],
  week: ['w', 'week', 'weeks', 'weekly'],
  month: ['m', 'month', 'months', 'monthly'],
  year: ['y', 'year', 'years', 'yearly', 'annual', 'annually'],
} as const;

export type Unit = keyof typeof words;

/** The words of each unit, for people to read. */
export const intervalWords = (['day', 'week', 'month', 'year'] as const).map((unit) => ({ unit, words: words[unit] }));

/** How long a period is: so many days, weeks, months or years. */
export type Interval = { unit: Unit; count: number };

const DAY = 24 * 60 * 60 * 1000;

/** The unit that an interval's word means; undefined for any other, for the spec lists none (§2.10, last lines). */
export function unitOf(word: string): Unit | undefined {
  const wanted = word.trim().toLowerCase();
  return intervalWords.find(({ words }) => words.some((known) => known === wanted))?.unit;
}

/** When the `times`-th interval after a moment ends, in UTC. The 31st falls on the last day of a shorter month. */
export function intervalsAfter(start: Date, { unit, count }: Interval, times: number): Date {
  switch (unit) {
    case 'day':
      return new Date(start.getTime() + times * count * DAY);
    case 'week':
      return new Date(start.getTime() + times * count * 7 * DAY);
    case 'month':
      return monthsAfter(start, times * count);
    case 'year':
      return monthsAfter(start, times * count * 12);
  }
}

function monthsAfter(start: Date, months: number): Date {
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(start.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end;
}

/** Words for an interval, each with its number of an `Intl` unit. The spec does not list any (§2.10). */
const INTERVALS: readonly (readonly [unit: Unit, count: number, ...words: string[]])[] = [
  ['day', 1, 'd', 'day', 'days', 'daily'],
  ['week', 1, 'w', 'week', 'weeks', 'weekly'],
  ['month', 1, 'm', 'month', 'months', 'monthly'],
  ['month', 3, 'quarter', 'quarters', 'quarterly'],
  ['year', 1, 'y', 'year', 'years', 'yearly', 'annual', 'annually'],
];

export type Unit = 'day' | 'week' | 'month' | 'year';

/** The interval of a contract: a number of units, or the shop's own words if they are not known. */
export type Period = { count: number; unit: Unit } | { words: string };

/** Reads a contract's `interval` and `interval_count` (§2.1). */
export function periodOf(interval: string, count = '1'): Period {
  const asked = interval.trim().toLowerCase();
  const [unit, times] = INTERVALS.find(([, , ...words]) => words.includes(asked)) ?? [];
  const counts = /^0*([1-9]\d{0,3})$/.exec(count.trim() || '1')?.[1];
  if (unit && times && counts) return { unit, count: times * Number(counts) };
  return { words: counts === '1' ? interval.trim() : `${count.trim()} ${interval.trim()}` };
}

/** A period in words, such as `3 months`. */
export function periodWords(locale: string, { count, unit }: { count: number; unit: Unit }): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

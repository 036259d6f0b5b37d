import type { CalendarDate } from '../../../shared/gateway/dates.ts';

/** The maximum move of a clock, in milliseconds: ten years of 366 days. */
export const MAX_MOVE_MS = 10 * 366 * 24 * 60 * 60 * 1000;

const MAX_TIMER_MS = 2 ** 31 - 1;

type Due = { at: number; work: () => void };

/**
 * The gateway's time: the machine's, and whatever it was moved forward by. Work that falls due is done when the time comes
 * by itself, or at once, in order, when the clock is moved past it; while it is done the clock shows the moment it was due.
 */
export class Clock {
  readonly #machine: () => Date;
  readonly #due: Due[] = [];
  readonly #worked: () => void;
  #moved = 0;
  #shown: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `worked` is called after the clock was moved, or after due work was done. */
  constructor(machine: () => Date = () => new Date(), worked: () => void = () => {}) {
    this.#machine = machine;
    this.#worked = worked;
  }

  now(): Date {
    return new Date(this.#shown ?? this.#machine().getTime() + this.#moved);
  }

  /** Does some work when `at` is reached; at once if it already is. */
  at(at: Date, work: () => void): void {
    const due = { at: at.getTime(), work };
    const after = this.#due.findIndex((other) => other.at > due.at);
    this.#due.splice(after < 0 ? this.#due.length : after, 0, due);
    // While due work is done, the loop that does it sees what this adds.
    if (this.#shown === undefined) this.#work();
  }

  /** Moves the clock forward, and does the work that becomes due. Throws RangeError unless 0 ≤ ms ≤ MAX_MOVE_MS. */
  advance(ms: number): void {
    if (!Number.isSafeInteger(ms) || ms < 0 || ms > MAX_MOVE_MS) {
      throw new RangeError(`the clock moves by 0 to ${MAX_MOVE_MS} whole milliseconds`);
    }
    this.#moved += ms;
    this.#work();
  }

  #work(): void {
    const until = this.now().getTime();
    try {
      for (let next = this.#due[0]; next && next.at <= until; next = this.#due[0]) {
        this.#due.shift();
        this.#shown = next.at;
        next.work();
      }
    } finally {
      this.#shown = undefined;
      this.#wait();
      this.#worked();
    }
  }

  /** The timer does not keep the process alive: without other work, due work has no effect. */
  #wait(): void {
    clearTimeout(this.#timer);
    const [next] = this.#due;
    if (!next) return;
    const ms = Math.min(Math.max(next.at - this.now().getTime(), 1), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#work(), ms).unref();
  }
}

/** The spec names no time zone; the sandbox uses UTC. */
export function utc(at: Date): CalendarDate {
  return {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
  };
}

/** Runs something once after this many milliseconds; the function it gives calls that off. */
export type After = (ms: number, run: () => void) => () => void;

/** The real clock. Pending timers do not keep the process alive. */
export const after: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

const words = {
  day: ['d', 'day', 'days', 'daily'],
  week: ['w', 'week', 'weeks', 'weekly'],
  month: ['m', 'month', 'months', 'monthly'],
  year: ['y', 'year', 'years', 'yearly', 'annual', 'annually'],
} as const;

export type Unit = keyof typeof words;

/** The words of each unit, for people to read. */
export const intervalWords = (['day', 'week', 'month', 'year'] as const).map((unit) => ({ unit, words: words[unit] }));

/** The length of a period: a number of days, weeks, months or years. */
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

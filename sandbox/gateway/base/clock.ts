import type { CalendarDate } from '../../../shared/gateway/dates.ts';

/** The maximum move of a clock, in milliseconds: ten years of 366 days. */
export const MAX_MOVE_MS = 10 * 366 * 24 * 60 * 60 * 1000;

const MAX_TIMER_MS = 2 ** 31 - 1;

type Due = { at: number; work: () => void };

/**
 * The gateway's time: the machine's time, plus all moves forward. Due work is done when its time comes, or, when the
 * clock is moved past it, at once and in order; while it is done, the clock shows the time at which it was due.
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

  /** Does work at the time `at`, or at once if that is past. */
  at(at: Date, work: () => void): void {
    const due = { at: at.getTime(), work };
    const after = this.#due.findIndex((other) => other.at > due.at);
    this.#due.splice(after < 0 ? this.#due.length : after, 0, due);
    // While due work is done, its loop also sees the work that is added here.
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

  /** The timer does not keep the process alive: without a running process, due work has no effect. */
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

/** Calls a function once after this many milliseconds. The returned function cancels it. */
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

/** The unit of an interval's word; undefined for any other word. The spec lists none (§2.10, last lines). */
export function unitOf(word: string): Unit | undefined {
  const wanted = word.trim().toLowerCase();
  return intervalWords.find(({ words }) => words.some((known) => known === wanted))?.unit;
}

/** The end of the `times`-th interval after a moment, in UTC. The 31st becomes the last day of a shorter month. */
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

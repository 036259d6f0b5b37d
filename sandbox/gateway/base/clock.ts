import type { CalendarDate } from '../../../shared/gateway/dates.ts';

/** What a clock may be moved by at once, in milliseconds: ten years of 366 days. */
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
  #moved = 0;
  #shown: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(machine: () => Date = () => new Date()) {
    this.#machine = machine;
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

  /** Moves the clock forward, and does what falls due on the way. Throws RangeError unless 0 ≤ ms ≤ MAX_MOVE_MS. */
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
    }
  }

  /** The timer does not keep the process alive: nobody would be there to see what falls due. */
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

/** By the real clock. What is still to come does not keep the process alive. */
export const after: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

import type { Life } from './owner.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;

/** The clocks of a world's relays. Monotonic time is the same everywhere, and passes evenly. */
export type Clocks = {
  /** Sets one ahead by this many milliseconds, or back. */
  step(at: number, ms: number): void;
  /**
   * The milliseconds by which the clock of a starting relay is ahead. A clock that was wrong by days is corrected
   * before.
   */
  atStart(at: number): number;
  /** Whether a clock was wrong at a moment or later. */
  wereWrong(since: number): boolean;
  /**
   * By how much less than `ms` may have passed since a moment: if another process made the query before, the time
   * between is measured by clocks, and counts for a third at most.
   */
  error(since: number, ms: number): number;
  /** Whether one was ever wrong by a day or more. */
  wereDaysWrong(): boolean;
  /** Since when all clocks are right; undefined while one is wrong. */
  rightSince(): number | undefined;
  /** Calls the listener when a relay's clock is right again, with the time by which it was ahead before. */
  onRight(listener: (at: number, wasAhead: number) => void): void;
};

/** `lifeAt` returns the relay with that clock. */
export function createClocks({ clock, random, say }: World, count: number, lifeAt: (at: number) => Life): Clocks {
  const usual = Array.from({ length: count }, (_, at) => (count === 1 ? 0 : random(`skew ${at}`).between(-500, 500)));
  const set = usual.map(() => 0);
  const listeners: ((at: number, wasAhead: number) => void)[] = [];
  const skewOf = (at: number): number => (usual[at] ?? 0) + (set[at] ?? 0);
  let wereDaysWrong = false;
  let wrongUntil = Number.NEGATIVE_INFINITY;
  /** The steps of each clock that must be taken back, and the others. */
  const steps: number[][] = usual.map(() => []);
  const undone: number[][] = usual.map(() => []);
  const hearRight = (at: number, wasAhead: number): void => {
    for (const listener of listeners) listener(at, wasAhead);
  };
  const wereWrong = (since: number): boolean => set.some((ms) => ms !== 0) || wrongUntil >= since;
  return {
    atStart(at) {
      const ms = set[at] ?? 0;
      if (Math.abs(ms) < DAY_MS) return skewOf(at);
      set[at] = 0;
      undone[at]?.push(...(steps[at]?.splice(0) ?? []));
      wrongUntil = clock.now();
      hearRight(at, ms);
      return skewOf(at);
    },
    step(given, ms) {
      const at = given % count;
      if (take(undone[at], -ms)) return;
      const before = set[at] ?? 0;
      set[at] = before + ms;
      wereDaysWrong ||= Math.abs(before + ms) >= DAY_MS;
      if (!take(steps[at], -ms)) steps[at]?.push(ms);
      const life = lifeAt(at);
      life.skew += ms;
      wrongUntil = clock.now();
      say(`${life.name}: its clock is ${set[at]} ms ahead`);
      clock.stir();
      if (set[at] === 0) hearRight(at, before);
    },
    wereWrong,
    error: (since, ms) => (wereWrong(since) ? ms / 3 : 0),
    wereDaysWrong: () => wereDaysWrong,
    rightSince: () => (set.some((ms) => ms !== 0) ? undefined : wrongUntil),
    onRight: (listener) => void listeners.push(listener),
  };
}

/** Removes a number from a list. False if it is not there. */
function take(list: number[] = [], wanted: number): boolean {
  const at = list.indexOf(wanted);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

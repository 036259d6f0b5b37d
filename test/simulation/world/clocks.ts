import type { Life } from './owner.ts';
import type { World } from './world.ts';

/** The clocks of a world's relays, as far as a step set them. Monotonic time is the same everywhere, and passes evenly. */
export type Clocks = {
  /** By how many milliseconds a relay's clock is ahead. */
  skewOf(at: number): number;
  /** Sets one ahead by so many milliseconds, or back. */
  step(at: number, ms: number): void;
  /** Whether one was wrong at a moment, or later. */
  wereWrong(since: number): boolean;
  /** Since when all are right; undefined while one is wrong. */
  rightSince(): number | undefined;
  /** Hears of a relay whose clock is right again, and by how much it was ahead before. */
  onRight(hear: (at: number, wasAhead: number) => void): void;
};

/** `lifeAt` gives the relay that has that clock. */
export function createClocks({ clock, random, say }: World, count: number, lifeAt: (at: number) => Life): Clocks {
  const usual = Array.from({ length: count }, (_, at) => (count === 1 ? 0 : random(`skew ${at}`).between(-500, 500)));
  const set = usual.map(() => 0);
  const hearers: ((at: number, wasAhead: number) => void)[] = [];
  let wrongUntil = Number.NEGATIVE_INFINITY;
  return {
    skewOf: (at) => (usual[at] ?? 0) + (set[at] ?? 0),
    step(given, ms) {
      const at = given % count;
      const before = set[at] ?? 0;
      set[at] = before + ms;
      const life = lifeAt(at);
      life.skew += ms;
      wrongUntil = clock.now();
      say(`${life.name}: its clock is ${set[at]} ms ahead`);
      clock.stir();
      if (set[at] === 0) for (const hear of hearers) hear(at, before);
    },
    wereWrong: (since) => set.some((ms) => ms !== 0) || wrongUntil >= since,
    rightSince: () => (set.some((ms) => ms !== 0) ? undefined : wrongUntil),
    onRight: (hear) => void hearers.push(hear),
  };
}

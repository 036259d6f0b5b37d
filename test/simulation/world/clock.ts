import { AsyncLocalStorage } from 'node:async_hooks';
import type { Owner } from './owner.ts';

/** Virtual time for everything in this process: it passes only while `advance` runs, and costs no real time. */
export type Clock = {
  now(): number;
  /** Runs something at a moment, whichever relay lives then. */
  at(time: number, run: () => void): void;
  /** Fulfils after so many milliseconds, whichever relay lives then. */
  wait(ms: number): Promise<void>;
  /** Something happened that relays must hear of soon: their timers are precise for a while. */
  stir(): void;
  /** Lets time pass up to a moment, with all that happens until then. */
  advance(until: number): Promise<void>;
  /** True while something of the world's own is still to happen. */
  isExpecting(): boolean;
  /** Begins anew at a moment, without any timers. */
  reset(start: number): void;
  /** Runs work of a relay. Its timers die with it. */
  as<Result>(owner: Owner, work: () => Result): Result;
  owner(): Owner | undefined;
};

type Timer = {
  at: number;
  order: number;
  run: () => void;
  owner: Owner | undefined;
  isWorlds: boolean;
  isCleared: boolean;
};

/**
 * While nothing happens, relays' timers are bundled: each stop of the clock is twice as far as the one before, and timers
 * that were due meanwhile fire late, as on a machine that was busy. The world's own events are always on time.
 */
const FIRST_STOP_MS = 20;
const MAX_STOP_MS = 4 * 3_600_000;

const realImmediate = globalThis.setImmediate;
const RealDate = globalThis.Date;
const microtasks = (): Promise<void> => new Promise((done) => realImmediate(done));

/** Replaces the clock and the timers of this process, for good. */
export function installClock(): Clock {
  const owners = new AsyncLocalStorage<Owner>();
  let now = 0;
  let order = 0;
  let stop = FIRST_STOP_MS;
  let timers: Timer[] = [];
  let immediates: (() => void)[] = [];

  const add = (timer: Timer): Timer => {
    let at = timers.length;
    while (at > 0 && (timers[at - 1]?.at ?? 0) > timer.at) at--;
    timers.splice(at, 0, timer);
    return timer;
  };
  const timerAt = (at: number, run: () => void, isWorlds: boolean): Timer =>
    add({ at, order: order++, run, owner: isWorlds ? undefined : owners.getStore(), isWorlds, isCleared: false });
  const settle = async (): Promise<void> => {
    await microtasks();
    while (immediates.length > 0) {
      const due = immediates;
      immediates = [];
      for (const run of due) run();
      await microtasks();
    }
  };
  const fire = async (timer: Timer): Promise<void> => {
    const { owner, run } = timer;
    if (timer.isCleared || owner?.life.dead) return;
    if (owner) owners.run(owner, run);
    else owners.exit(run);
    await settle();
  };
  const stir = (): void => {
    stop = FIRST_STOP_MS;
  };

  /** The next moment at which something is done: the world's next event, or a bundle of relays' timers. */
  const nextStop = (until: number): number | undefined => {
    const [first] = timers;
    if (!first || first.at > until) return undefined;
    const worlds = timers.find(({ isWorlds }) => isWorlds)?.at ?? until;
    const bundled = Math.max(first.at, now + stop);
    stop = Math.min(stop * 2, MAX_STOP_MS);
    return Math.max(now, Math.min(until, worlds, bundled));
  };

  const clock: Clock = {
    now: () => now,
    at: (time, run) => {
      timerAt(Math.max(time, now), run, true);
    },
    wait: (ms) => new Promise((done) => timerAt(now + ms, done, true)),
    stir,
    async advance(until) {
      await settle();
      for (let at = nextStop(until); at !== undefined; at = nextStop(until)) {
        now = at;
        const due = timers.filter((timer) => timer.at <= now);
        timers = timers.filter((timer) => timer.at > now);
        for (const timer of due) {
          if (timer.isWorlds) stir();
          await fire(timer);
        }
      }
      now = Math.max(now, until);
    },
    isExpecting: () => timers.some(({ isWorlds }) => isWorlds),
    reset(start) {
      now = start;
      order = 0;
      timers = [];
      immediates = [];
      stir();
    },
    as: (owner, work) => owners.run(owner, work),
    owner: () => owners.getStore(),
  };

  const setTimer = (run: () => void, ms: number | undefined, again: boolean): object => {
    const wait = Math.max(1, Number(ms) || 0);
    const timer = timerAt(now + wait, run, false);
    if (again) {
      timer.run = () => {
        timer.at = now + wait;
        add(timer);
        run();
      };
    }
    return Object.assign(timer, { unref: () => timer, ref: () => timer, hasRef: () => true });
  };
  const clear = (timer: unknown): void => {
    if (typeof timer === 'object' && timer !== null) Object.assign(timer, { isCleared: true });
    timers = timers.filter((one) => one !== timer);
  };
  Object.assign(globalThis, {
    Date: new Proxy(RealDate, {
      construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now] : args, newTarget),
      get: (target, name) => (name === 'now' ? clock.now : Reflect.get(target, name)),
    }),
    setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      setTimer(() => run(...args), ms, false),
    setInterval: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      setTimer(() => run(...args), ms, true),
    clearTimeout: clear,
    clearInterval: clear,
    // A store writes in one: what was handed to it before a relay died is written.
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => void immediates.push(() => run(...args)),
    clearImmediate: () => undefined,
  });
  Object.defineProperty(globalThis.performance, 'now', { value: clock.now });
  return clock;
}

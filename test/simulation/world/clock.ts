import { AsyncLocalStorage } from 'node:async_hooks';
import type { Owner } from './owner.ts';

/** Virtual time for this process: it passes only while `advance` runs, and takes no real time. */
export type Clock = {
  now(): number;
  /** Runs a function at a moment, whichever relay is alive then. */
  at(time: number, run: () => void): void;
  /** Fulfils after this many milliseconds, whichever relay is alive then. */
  wait(ms: number): Promise<void>;
  /** Makes the relays' timers precise for a while, because a change must reach them soon. */
  stir(): void;
  /** Lets time pass up to a moment, with all events until then. */
  advance(until: number): Promise<void>;
  /** True while an event of the world itself is pending. */
  isExpecting(): boolean;
  /** Starts again at a moment, without timers. */
  reset(start: number): void;
  /** Runs work of a relay. Its timers end with the relay. */
  as<Result>(owner: Owner, work: () => Result): Result;
  owner(): Owner | undefined;
};

type Timer = { at: number; run: () => void; owner: Owner | undefined; isCleared: boolean };

/**
 * Relays' timers fire in bundles, and late, as on a busy machine: at first within a second, and without activity ever
 * more rarely. The world's own events are always on time.
 */
const FIRST_BUNDLE_MS = 1000;
const SLOWER = 6;
const MAX_BUNDLE_MS = 12 * 3_600_000;

const realImmediate = globalThis.setImmediate;
const RealDate = globalThis.Date;
const microtasks = (): Promise<void> => new Promise((done) => realImmediate(done));

/** Replaces the clock and the timers of this process permanently. */
export function installClock(): Clock {
  const owners = new AsyncLocalStorage<Owner>();
  let now = 0;
  /** The time at which relays' timers fire next, and the pause after that. */
  let bundle = { at: 0, next: FIRST_BUNDLE_MS };
  let worlds: Timer[] = [];
  let timers: Timer[] = [];
  let immediates: (() => void)[] = [];

  const add = (queue: Timer[], timer: Timer): Timer => {
    let place = queue.length;
    while (place > 0 && (queue[place - 1]?.at ?? 0) > timer.at) place--;
    queue.splice(place, 0, timer);
    return timer;
  };
  const addWorlds = (at: number, run: () => void): void => {
    add(worlds, { at: Math.max(at, now), run, owner: undefined, isCleared: false });
  };
  const settle = async (): Promise<void> => {
    await microtasks();
    while (immediates.length > 0) {
      const due = immediates;
      immediates = [];
      for (const run of due) run();
      await microtasks();
    }
  };
  const fire = ({ owner, run, isCleared }: Timer): void => {
    if (isCleared || owner?.life.dead) return;
    if (owner) owners.run(owner, run);
    else owners.exit(run);
  };
  /** Runs the next event, and sets the time to it: an event of the world, or all due timers of relays. */
  const nextDue = (until: number): Timer[] => {
    const world = worlds[0]?.at ?? Number.POSITIVE_INFINITY;
    const relays = Math.max(timers[0]?.at ?? Number.POSITIVE_INFINITY, bundle.at);
    if (Math.min(world, relays) > until) return [];
    now = Math.max(now, Math.min(world, relays));
    if (world <= relays) return worlds.splice(0, 1);
    const due = timers.filter((timer) => timer.at <= now);
    timers = timers.filter((timer) => timer.at > now);
    bundle = { at: now + bundle.next, next: Math.min(bundle.next * SLOWER, MAX_BUNDLE_MS) };
    return due;
  };

  const clock: Clock = {
    now: () => now,
    at: addWorlds,
    wait: (ms) => new Promise((done) => addWorlds(now + ms, done)),
    stir() {
      bundle = { at: Math.min(bundle.at, now + FIRST_BUNDLE_MS), next: FIRST_BUNDLE_MS };
    },
    async advance(until) {
      await settle();
      for (let due = nextDue(until); due.length > 0; due = nextDue(until)) {
        for (const timer of due) fire(timer);
        await settle();
      }
      now = Math.max(now, until);
    },
    isExpecting: () => worlds.length > 0,
    reset(start) {
      now = start;
      bundle = { at: start, next: FIRST_BUNDLE_MS };
      worlds = [];
      timers = [];
      immediates = [];
    },
    as: (owner, work) => owners.run(owner, work),
    owner: () => owners.getStore(),
  };

  const setTimer = (run: () => void, ms: number | undefined, again: boolean): object => {
    const wait = Math.max(1, Number(ms) || 0);
    const timer = add(timers, { at: now + wait, run, owner: owners.getStore(), isCleared: false });
    if (again) {
      timer.run = () => {
        timer.at = now + wait;
        add(timers, timer);
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
      construct: (target, args) => (args.length === 0 ? new target(now) : Reflect.construct(target, args)),
      get: (target, name) => (name === 'now' ? clock.now : Reflect.get(target, name)),
    }),
    setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      setTimer(() => run(...args), ms, false),
    setInterval: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      setTimer(() => run(...args), ms, true),
    clearTimeout: clear,
    clearInterval: clear,
    // A store writes in one go: a write that was handed to it before a relay died is completed.
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => void immediates.push(() => run(...args)),
    clearImmediate: () => undefined,
  });
  Object.defineProperty(globalThis.performance, 'now', { value: clock.now });
  return clock;
}

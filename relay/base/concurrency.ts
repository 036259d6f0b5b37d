/** One of the permits of a semaphore. */
export type Permit = {
  /** Passes the permit to the next waiting owner. A second call does nothing. */
  release(): void;
};

/** A number of permits, which limits work at the same time. */
type Semaphore = {
  /** Waits for a permit, in the order of the calls. An owner holds one at a time, so that no owner holds all of them. */
  acquire(owner: string): Promise<Permit>;
};

/** Creates `count` permits, all free. */
export function createSemaphore(count: number): Semaphore {
  const owners = new Set<string>();
  const waiting: { owner: string; grant(): void }[] = [];
  const grantNext = (): void => {
    if (owners.size >= count) return;
    const at = waiting.findIndex(({ owner }) => !owners.has(owner));
    const [next] = at < 0 ? [] : waiting.splice(at, 1);
    if (!next) return;
    owners.add(next.owner);
    next.grant();
  };
  return {
    async acquire(owner) {
      await new Promise<void>((grant) => {
        waiting.push({ owner, grant });
        grantNext();
      });
      let isHeld = true;
      return {
        release() {
          if (!isHeld) return;
          isHeld = false;
          owners.delete(owner);
          grantNext();
        },
      };
    },
  };
}

/** Work that runs one at a time for each key. Calls made before a run begins share it. */
export type SharedWork<Result> = {
  /**
   * Runs the work after this call. `prepare` waits until the run may begin; calls made meanwhile share the run. Returns undefined,
   * without a run, if `prepare` returns false.
   */
  next(key: string, prepare: () => Promise<boolean>, work: () => Promise<Result>): Promise<Result | undefined>;
};

type Work<Result> = { running?: Promise<unknown> | undefined; next?: Promise<Result | undefined> | undefined };

/** Shared work without a run. */
export function createSharedWork<Result>(): SharedWork<Result> {
  const turns = new Map<string, Work<Result>>();
  return {
    next(key, prepare, work) {
      const turn = turns.get(key) ?? {};
      turns.set(key, turn);
      turn.next ??= take(turn, prepare, work).finally(() => {
        if (!turn.running && !turn.next) turns.delete(key);
      });
      return turn.next;
    },
  };
}

async function take<Result>(
  turn: Work<Result>,
  prepare: () => Promise<boolean>,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  await turn.running?.catch(() => undefined);
  const isReady = await prepare().finally(() => {
    turn.next = undefined;
  });
  if (!isReady) return undefined;
  const running = work();
  turn.running = running;
  return running.finally(() => {
    if (turn.running === running) turn.running = undefined;
  });
}

/**
 * Bounds a read: at most one runs at a time, and all calls made meanwhile share its answer, which is used again for `keepMs`. The answer is
 * undefined if the read fails or takes longer than `withinMs`.
 */
export function bounded<Answer>(
  read: () => Promise<Answer>,
  { withinMs, keepMs }: { withinMs: number; keepMs: number },
): () => Promise<Answer | undefined> {
  let latest: { at: number; answer: Promise<Answer | undefined>; isRunning: boolean } | undefined;
  const readOnce = (): Promise<Answer | undefined> => {
    if (latest && (latest.isRunning || performance.now() - latest.at < keepMs)) return latest.answer;
    const reading = { at: performance.now(), answer: read().catch(() => undefined), isRunning: true };
    reading.answer.finally(() => {
      reading.isRunning = false;
      reading.at = performance.now();
    });
    latest = reading;
    return reading.answer;
  };
  return () => within(readOnce(), withinMs);
}

/** Returns the value of a promise, or undefined if it takes longer than `ms`. */
export function within<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The maximum turns of the event loop in which work gathers. */
const MAX_TURNS = 4;

/**
 * Calls `start` when no new work arrives in a turn of the event loop, after at most four turns. It sets no timer, so a single job does not
 * wait (`npm run bench -- relay`).
 * @param count returns the number of jobs
 */
export function whenGathered(count: () => number, start: () => void): void {
  const check = (before: number, turns: number): void => {
    const now = count();
    if (now > before && turns < MAX_TURNS) setImmediate(check, now, turns + 1);
    else start();
  };
  setImmediate(check, 1, 1);
}

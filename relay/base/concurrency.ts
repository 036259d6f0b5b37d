/** One of the permits of a semaphore. */
export type Permit = {
  /** Gives it to the next who waits. A second call does nothing. */
  release(): void;
};

/** A few permits for work that must not be done by too many at once. */
type Semaphore = {
  /** Waits for a permit; who came first gets theirs first. An owner holds one at a time, so that none holds all of them. */
  acquire(owner: string): Promise<Permit>;
};

/** So many permits, all free. */
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

/** Work that is done for one key at a time, and once for all who ask before it begins. */
export type SharedWork<Result> = {
  /**
   * Does the work in a turn that begins after this call. `prepare` waits until the work may begin: callers who come
   * meanwhile share its turn. Undefined where it gives false: then nothing is done.
   */
  next(key: string, prepare: () => Promise<boolean>, work: () => Promise<Result>): Promise<Result | undefined>;
};

type Work<Result> = { running?: Promise<unknown> | undefined; next?: Promise<Result | undefined> | undefined };

/** Turns with nothing under way. */
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
 * A question that is asked at most once at a time and answered within `withinMs`, for any number of callers: those
 * that ask meanwhile share the answer, which is good for `keepMs`. The answer is undefined when there is none in time, or
 * when the question fails.
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

/** What a promise is fulfilled with, or undefined when that takes longer. */
export function within<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** In how many turns of the event loop work may gather. */
const MAX_TURNS = 4;

/**
 * Calls `go` once work has gathered that is cheaper done together: at the end of this turn of the event loop, or of a later
 * one, as long as each turn brings more. No time passes idly, so that a lone job does not wait (`npm run bench -- relay`).
 * @param count how much work there is
 */
export function whenGathered(count: () => number, start: () => void): void {
  const check = (before: number, turns: number): void => {
    const now = count();
    if (now > before && turns < MAX_TURNS) setImmediate(check, now, turns + 1);
    else start();
  };
  setImmediate(check, 1, 1);
}

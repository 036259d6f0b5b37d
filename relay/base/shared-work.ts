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

/** Work that is done for one key at a time, and once for all who ask while it waits to begin. */
export type Turns<Result> = {
  /** Does the work in a turn that begins after this call; callers who wait for the same turn share its result. */
  next(key: string, work: () => Promise<Result>): Promise<Result>;
};

type Turn<Result> = { running: Promise<unknown>; next?: Promise<Result> };

/** Turns with nothing under way. */
export function createTurns<Result>(): Turns<Result> {
  const turns = new Map<string, Turn<Result>>();
  const run = (key: string, work: () => Promise<Result>): Promise<Result> => {
    const result = work();
    const turn: Turn<Result> = { running: result };
    turns.set(key, turn);
    const end = (): void => {
      if (turns.get(key) === turn && !turn.next) turns.delete(key);
    };
    result.then(end, end);
    return result;
  };
  return {
    next(key, work) {
      const turn = turns.get(key);
      if (!turn) return run(key, work);
      const begin = (): Promise<Result> => run(key, work);
      turn.next ??= turn.running.then(begin, begin);
      return turn.next;
    },
  };
}

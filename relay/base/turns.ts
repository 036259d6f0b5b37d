/** Work that is done for one key at a time, and once for all who ask before it begins. */
export type Turns<Result> = {
  /**
   * Does the work in a turn that begins after this call. `prepare` waits until the work may begin: callers who come
   * meanwhile share its turn. Undefined where it gives false: then nothing is done.
   */
  next(key: string, prepare: () => Promise<boolean>, work: () => Promise<Result>): Promise<Result | undefined>;
};

type Turn<Result> = { running?: Promise<unknown> | undefined; next?: Promise<Result | undefined> | undefined };

/** Turns with nothing under way. */
export function createTurns<Result>(): Turns<Result> {
  const turns = new Map<string, Turn<Result>>();
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
  turn: Turn<Result>,
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

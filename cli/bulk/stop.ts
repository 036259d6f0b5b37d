/** Ends a run early: nothing new is sent after it, and nothing is waited for. */
export type Stop = {
  readonly isStopping: boolean;
  /** Why, where it was not a person's wish. */
  readonly error: unknown;
  stop(error?: unknown): void;
  /** Waits so long, or until the run is to end. */
  pause(waited: Promise<void>): Promise<void>;
};

/** Makes what ends a run. */
export function createStop(): Stop {
  let isStopping = false;
  let error: unknown;
  let end = (): void => undefined;
  const stopped = new Promise<void>((done) => {
    end = done;
  });
  return {
    get isStopping() {
      return isStopping;
    },
    get error() {
      return error;
    },
    stop(why) {
      isStopping = true;
      error ??= why;
      end();
    },
    pause: (waited) => Promise.race([waited, stopped]),
  };
}

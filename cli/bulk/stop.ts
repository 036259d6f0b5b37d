/** Ends a run early: it sends no new requests, and ends all pauses. */
export type Stop = {
  readonly isStopping: boolean;
  /** The reason, if the person did not stop it. */
  readonly error: unknown;
  stop(error?: unknown): void;
  /** Waits for the time, or until the run is stopped. */
  pause(waited: Promise<void>): Promise<void>;
};

/** Creates a stop. */
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

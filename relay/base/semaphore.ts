/** One of the permits of a semaphore. */
export type Permit = {
  /** Gives it to the next who waits. A second call does nothing. */
  release(): void;
};

/** A few permits for work that must not be done by too many at once. */
type Semaphore = {
  /** Waits for a permit; who came first gets theirs first. An owner holds one at a time, so that nobody holds all of them. */
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

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

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

/** In how many turns of the event loop work may gather. */
const MAX_TURNS = 4;

/**
 * Calls `go` once work has gathered that is cheaper done together: at the end of this turn of the event loop, or of a later
 * one, as long as each turn brings more. No time passes idly, so that a lone job does not wait (`npm run bench -- relay`).
 * @param count how much work there is
 */
export function gather(count: () => number, go: () => void): void {
  const look = (before: number, turns: number): void => {
    const now = count();
    if (now > before && turns < MAX_TURNS) setImmediate(look, now, turns + 1);
    else go();
  };
  setImmediate(look, 1, 1);
}

/** The maximum length of a compared name. */
const MAX_LENGTH = 50;

/** The names of page cursors in other interfaces; in this one it is `before` or `after`. */
const CURSORS = ['after', 'before', 'next', 'cursor', 'page', 'offset', 'starting_after', 'ending_before'];

/**
 * The known name that was probably meant: one with few different letters, or with the same beginning; undefined if
 * there is none.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH || name.length < 3) return undefined;
  const written = name.toLowerCase();
  const cursor = CURSORS.includes(written) ? known.find((one) => one === 'before' || one === 'after') : undefined;
  if (cursor !== undefined) return cursor;
  const ranked = known
    .map((one) => ({ one, steps: stepsBetween(written, one) }))
    .filter(({ one, steps }) => steps <= Math.max(1, Math.floor(Math.min(name.length, one.length) / 3)))
    .toSorted((a, b) => a.steps - b.steps);
  return ranked[0]?.one ?? known.find((one) => one.length > 2 && (one.startsWith(written) || written.startsWith(one)));
}

/** The number of letters to insert, delete or replace to turn one text into the other (Levenshtein). */
function stepsBetween(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const now = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (before[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      now.push(Math.min(replaced, (before[column] ?? 0) + 1, (now[column - 1] ?? 0) + 1));
    }
    before = now;
  }
  return before[to.length] ?? 0;
}
